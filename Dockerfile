# umlab for macOS and Windows laptops. The same setup.sh as everywhere; of the processor's own architecture, as the
# simulator does not run where another one is emulated (docs/install.md).
#   docker build -t umlab .
#   docker run -it umlab bash
FROM debian:12
WORKDIR /umlab
COPY . .
RUN ./setup.sh
RUN make BACKEND=sim all
CMD ["make", "help"]
