# For instructors: whole classes, and what other graders are given. docs/instructors.md.
CLASS := $(BUILD)/grade/class
GRADE_CLASS = $(PYTHON) grade/classroom.py --build $(B) --lab '$(LAB)' $(if $(JOBS),--jobs $(JOBS)) $(if $(ENGINE),--engine $(ENGINE))

## Classes
##   grade-class LAB=N   grades SUBMISSIONS=DIR, a folder of submissions: gradebook.csv and pages. JOBS=n, ENGINE=slurm
.PHONY: grade-class
grade-class: graders
	@$(GRADE_CLASS) --submissions '$(SUBMISSIONS)' --out $(or $(OUT),$(CLASS))
##   demo-class          20 varied submissions of LAB=1, made and graded
.PHONY: demo-class
demo-class: graders
	@$(PYTHON) grade/demo.py --lab '$(or $(LAB),1)' --out $(BUILD)/grade/demo/submissions
	@$(PYTHON) grade/classroom.py --build $(B) --lab '$(or $(LAB),1)' --submissions $(BUILD)/grade/demo/submissions --out $(BUILD)/grade/demo/class
