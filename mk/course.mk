# For instructors: what is given to students, and what is not.
## Course
##   handout             what students get: build/handout/, and as an archive
##   solutions           the other side: exercises solved, checks complete, answers
.PHONY: handout solutions
handout solutions:
	@$(PYTHON) grade/handout.py $@ --build $(BUILD)
