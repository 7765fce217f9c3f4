# The handout's mk/elsewhere.mk: what only the whole repository has is said in one line.
.PHONY: docs test
docs:
	@echo "make docs: the documents' site is not in the handout;" \
	    "read docs/*.md and the README.md of each lab as they are" >&2; exit 2
test:
	@echo "make test: the tests of the simulator are not in the handout; make grade LAB=N judges your work" >&2; exit 2
.DEFAULT:
	@echo "make $@: not in the handout; make help lists what is." \
	    "Tests, linters and what instructors need are in the whole repository" >&2; exit 2
