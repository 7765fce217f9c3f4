# umlab for macOS and Windows laptops. The same setup.sh as everywhere; amd64 because the simulator is, for now.
#   docker build --platform linux/amd64 -t umlab .
#   docker run --platform linux/amd64 -it umlab bash
FROM debian:12
WORKDIR /umlab
COPY . .
RUN ./setup.sh
RUN make BACKEND=sim all
CMD ["make", "help"]
