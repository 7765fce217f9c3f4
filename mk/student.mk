# What a student asks beside running: hints, predictions, how far the course has come. Works without a build.
STATE := $(or $(UMLAB_STATE),$(BUILD)/grade/state.json)
# Predictions are printed after a lab's run once there are any: until then make runs the program itself.
# ASK=1: predict, run and explain, in one.
RUN_LAB = $(if $(ASK)$(wildcard $(STATE)),$(PYTHON) grade/predict.py --build $(BUILD) $(if $(ASK),lesson,run) $@ --)

## Exercises
##   hint LAB=N          one step more each time; CHECK=name chooses the check
##   predict LAB=N       asks what you expect; make labN then prints it beside what happened.
##                       ANSWERS=a=1,b=2 without a terminal; make labN ASK=1 asks, runs, and says what to explain
##   progress            the whole course: checks, points, hints, predictions
.PHONY: hint predict progress
hint:
	@$(PYTHON) grade/hint.py --build $(BUILD) $(if $(CHECK),--check="$$CHECK") -- "$$LAB"
predict:
	@$(PYTHON) grade/predict.py ask --build $(BUILD) $(if $(ANSWERS),--answers="$$ANSWERS") -- "$$LAB"
progress:
	@$(PYTHON) grade/progress.py --build $(BUILD)
