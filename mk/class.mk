# For instructors: whole classes, and what other graders are given. docs/instructors.md.
CLASS := $(BUILD)/grade/class
GRADE_CLASS = $(PYTHON) grade/classroom.py --build $(B) --lab="$$LAB" $(if $(JOBS),--jobs="$$JOBS") \
    $(if $(ENGINE),--engine="$$ENGINE")

## Classes
##   grade-class LAB=N   grades SUBMISSIONS=DIR, a folder of submissions: gradebook.csv and pages. JOBS=n, ENGINE=slurm
.PHONY: grade-class
grade-class: $(if $(GRADE_LAB),graders)
	@$(GRADE_CLASS) --submissions="$$SUBMISSIONS" --out="$${OUT:-$(CLASS)}"
##   demo-class          20 varied submissions of LAB=1, made and graded
.PHONY: demo-class
demo-class: graders
	@$(PYTHON) grade/demo.py --lab="$${LAB:-1}" --out $(BUILD)/grade/demo/submissions
	@$(PYTHON) grade/classroom.py --build $(B) --lab="$${LAB:-1}" \
	    --submissions $(BUILD)/grade/demo/submissions --out $(BUILD)/grade/demo/class
##   gradescope LAB=N    the autograder's zip for Gradescope
##   github LAB=N        a workflow for GitHub Classroom, one runner a check
.PHONY: gradescope github
gradescope:
	@$(PYTHON) grade/gradescope.py zip --lab="$$LAB" --out="$(BUILD)/grade/gradescope-lab$${LAB#lab}.zip"
github: grade
	@$(PYTHON) grade/workflow.py $(BUILD)/grade/$(GRADE_LAB).json --out $(BUILD)/grade/classroom-$(GRADE_LAB).yml

# Tests of classes, and a row of `make bench` (submissions a second), use the grader. Programs of `make bench` that are
# scripts: that one, what --check costs, and how long umcc takes.
ifeq ($(BACKEND),sim)
test-slow test-long: graders
BENCHES += classes checked compiled
bench: graders $(addprefix $(B)/bench/,classes checked compiled)
$(addprefix $(B)/bench/,classes checked compiled): $(B)/bench/%: bench/%.py mk/class.mk
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nexec %s %s\n' '$(abspath $(shell command -v $(PYTHON)))' '$(abspath $<)' > $@ && chmod +x $@
endif
