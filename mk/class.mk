# For instructors: whole classes, and what other graders are given. docs/instructors.md.
CLASS := $(BUILD)/grade/class
GRADE_CLASS = $(PYTHON) grade/classroom.py --build $(B) --lab '$(LAB)' $(if $(JOBS),--jobs $(JOBS)) $(if $(ENGINE),--engine $(ENGINE))

## Classes
##   grade-class LAB=N   grades SUBMISSIONS=DIR, a folder of submissions: gradebook.csv and pages. JOBS=n, ENGINE=slurm
.PHONY: grade-class
grade-class: graders
	@$(GRADE_CLASS) --submissions '$(SUBMISSIONS)' --out $(or $(OUT),$(CLASS))
