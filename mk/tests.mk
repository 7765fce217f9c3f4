# The tests: how they are built and run. What each folder holds: tests/README.md.
AR := ar
T := $(B)/test
RUN_TESTS = $(PYTHON) tests/run.py --build $(B) --backend $(BACKEND) --xml $(BUILD)/test
TEST_LINK = $(LINK) -Wl,-rpath,'$$ORIGIN/../lib:$$ORIGIN/../../lib' -Wl,--no-as-needed

# Unit tests look inside the simulator: they run on its backend only. All others run unchanged on both.
UNIT := $(if $(filter sim,$(BACKEND)),$(sort $(basename $(notdir $(wildcard tests/unit/*.c)))))
# `make test` takes a part of each large suite, and at the next commit another one; `make test-long` takes all.
export UM_TURN ?= $(or $(shell git rev-list --count HEAD 2>/dev/null),0)
# part N,LIST: one of N parts.
part = $(shell printf '%s\n' $2 | awk 'NR % $1 == $(UM_TURN) % $1')

PROGRAMS := $(sort $(basename $(notdir $(wildcard tests/programs/*.cu))))
# A course's programs: one file each, or a folder of files that are compiled apart.
COURSE_FOLDERS := $(sort $(notdir $(patsubst %/,%,$(dir $(wildcard tests/programs/course/*/*.cu)))))
COURSE := $(addprefix course/,$(sort $(filter-out $(if $(KISSFFT)$(filter cuda,$(BACKEND)),,cufft_%), \
    $(basename $(notdir $(wildcard tests/programs/course/*.cu)))) $(COURSE_FOLDERS)))
PART_OF_COURSE := $(call part,4,$(COURSE))
SUITES := $(foreach s,conformance copies faults interop $(if $(filter sim,$(BACKEND)),lifecycle managed),\
    $(if $(wildcard tests/$s/*.c),$s))
LONG := $(sort $(basename $(notdir $(wildcard tests/long/*.c))))
# What takes minutes, most of it the grader's, has a target of its own; calibrate.py is in tests/long.
SLOW_SCRIPTS := $(sort $(wildcard $(addprefix tests/python/,handout.py report.py grade_*.py)))
# The longest tests take turns: these quarters take about the same, with the browser's tests in the first (.ci/run).
QUARTER_0 := python/grade_machine.py python/claims_packages.py python/lab8_packages.py python/numba_checks.py
QUARTER_1 := robust/run.py python/handout.py python/grade_names.py python/interop_heap.py python/interop_lives.py \
    python/numba_regions.py python/managed_numpy.py python/nvvm.py
QUARTER_2 := python/report.py python/grade_class.py python/grade_gradescope.py python/gdb.py python/view.py \
    python/view_devices.py python/articles.py python/python_lines.py
QUARTER_3 := python/lab_output.py lifecycle managed $(patsubst tests/%,%,$(wildcard tests/managed/*.py)) umcc/fuzz.py \
    python/grade_slurm.py python/grade_student.py python/numba_kernels.py
IN_TURNS := $(addprefix tests/,$(QUARTER_0) $(QUARTER_1) $(QUARTER_2) $(QUARTER_3))
NOT_NOW := $(filter-out $(addprefix tests/,$(QUARTER_$(shell expr $(UM_TURN) % 4))),$(IN_TURNS))
SCRIPTS := $(sort $(wildcard tests/cuda12/*.sh tests/python/*.py)) \
    $(wildcard $(addprefix tests/,interop/systems.py $(if $(SANITIZE),,robust/run.py) differential/run.py))
SCRIPTS := $(filter-out tests/python/calibrate.py $(SLOW_SCRIPTS),$(SCRIPTS))
SUITES_NOW := $(filter-out $(NOT_NOW:tests/%=%),$(SUITES))
PARITY := tests/parity/parity.py --include sim/include --out $(BUILD)/test/parity
# CUDA 12's headers, when setup.sh --dev has put them into .venv.
CUDA12_FOUND := $(abspath $(firstword $(wildcard .venv/lib/python3*/site-packages/nvidia/cuda_runtime)))
ifneq ($(CUDA12_FOUND),)
export CUDA12_HOME ?= $(CUDA12_FOUND)
endif
export CUDA_ROOT
# What headers bring and what is missing, beside NVIDIA's: they compile a lot, so `make test` has a part of one of them
# at a commit, of the other at the next.
parity_script = 'script:tests/parity/$1.py --umcc $(B)/bin/umcc --out $(B)/test/$1'
PARITY_SCRIPTS := $(if $(filter sim,$(BACKEND)),$(call parity_script,$(if $(filter 1,$(shell expr $(UM_TURN) % \
    2)),missing,brings)))
ifeq ($(BACKEND),sim)
SCRIPTS += $(wildcard $(addprefix tests/,umcc/fuzz.py umcc/headers.py umcc/standards.py umcc/capacity.py \
    umcc/progress.py umcc/differential/sample.sh umcc/differential/kept.py check/run.py check/quick.py planted/run.py \
    playground/run.py driver/run.py peers/*.py clocks/run.py recall/run.py cost/algorithms/check.py managed/*.py \
    libraries/*.py orders/litmus.py orders/listed.py orders/races.py))
UMCC_TESTS := 'script:tests/umcc/run.sh others' 'script:tests/umcc/run.sh accepts'
FUZZ := $(if $(wildcard tests/umcc/fuzz.py),$(addprefix $(B)/fuzz/,bin/umcc bin/fuzz_rewrite include))
SLOW_SCRIPTS += $(wildcard tests/grading/*.py)
endif
# Scripts load the library into programs that AddressSanitizer's runtime does not come first in. Leaks are not searched:
# LeakSanitizer would read the arenas, which nobody may. The faults belong to the simulator and to the tests.
ifeq ($(SANITIZE),address)
SCRIPTS :=
UMCC_TESTS :=
SLOW_SCRIPTS :=
export ASAN_OPTIONS ?= detect_leaks=0:handle_segv=0:allow_user_segv_handler=1
endif
LONG_SCRIPTS := $(sort $(wildcard tests/long/*.py tests/long/*.sh))

# Unit tests look inside: they run with the same library without its map of exports, which shows everything.
INSIDE := $(if $(filter sim,$(BACKEND)),$(B)/inside/libumsim.so)
$(B)/inside/libumsim.so: $(call objects,$(SIM_SRC)) $(KNOWN)/profile.o $(MADE)/served.o
	$(call say,LINK)
	$(Q)$(INTO) $@ $(LINK) -shared -Wl,-soname,libumsim.so -o $@ $^ -lcjson -lpthread -lm -ldl

define one_file_test
$(T)/$1/$2: $(B)/obj/tests/$1/$2.o $(B)/obj/tests/um_test.o $(TOOLCHAIN) $(UMLAB) | $(LINKS) $(INSIDE)
	$$(call say,LINK)
	$$(Q)$$(INTO) $$@ $$(LINK) -Wl,-rpath,'$(if $(INSIDE),$$$$ORIGIN/../../inside:)$$$$ORIGIN/../../lib' \
	    -Wl,--no-as-needed -o $$@ $$(filter $(B)/obj/%.o %.a,$$^) $(if $(INSIDE),-L$(B)/inside) $$(LIBS) -lcunit
endef
$(foreach t,$(UNIT),$(eval $(call one_file_test,unit,$t)))
$(foreach t,$(LONG),$(eval $(call one_file_test,long,$t)))

# umcc's passes, for the tests that look at what each does.
$(B)/obj/libumcc.a: $(call objects,$(filter-out %/main.c,$(UMCC_SRC)))
	$(call say,AR)
	$(Q)$(INTO) $@ $(AR) rcs $@ $^
$(patsubst tests/%.c,$(T)/%,$(wildcard tests/unit/umcc_*.c)): $(B)/obj/libumcc.a
# The second implementation of the paging policy that random walks are compared with.
$(T)/unit/uvm_random: $(call objects,$(wildcard tests/unit/second/*.c))
# The grader's reader of libraries.
$(T)/unit/grade_library: $(call objects,grade/library.c)
$(T)/unit/grade_siphash $(T)/unit/keyed_value: $(call objects,grade/siphash.c)
# What lab 9's checks and the lab itself share with the test.
$(T)/unit/lab9_costs: $(call objects,labs/lab9_choose/grade/costs.c labs/lab9_choose/grade/machines.c \
    labs/lab9_choose/patterns.c)

# With a .cu file in the folder the CUDA compiler links: it adds what device variables need.
TEST_LINK_CUDA = $(CUDA_CC) $(addprefix -Xlinker -rpath$(comma),'$$ORIGIN/../lib' $(LIB_RPATH:%=$(CUDA_LIB))) \
    -Xlinker -z,now
# FOLDER_SHARED: what a folder takes from another.
copies_SHARED := labs/lab9_choose/um_pipe.c
define folder_test
$(T)/$1: $(call objects,$(sort $(wildcard tests/$1/*.c tests/$1/*.cu)) $($1_SHARED) tests/um_test.c) \
    $(TOOLCHAIN) $(UMLAB) | $(LINKS)
	$$(call say,LINK)
	$$(Q)$$(INTO) $$@ $(if $(wildcard tests/$1/*.cu),$$(TEST_LINK_CUDA),$$(TEST_LINK)) -o $$@ $$(filter $(B)/obj/%.o,$$^) \
	    $(if $(wildcard tests/$1/*.cu),$$(filter-out -Wl%,$$(LIBS)),$$(LIBS)) -lcunit
endef
$(foreach s,$(SUITES),$(eval $(call folder_test,$s)))

# What tests/lifecycle starts, kills and confines.
LIFECYCLE := $(if $(filter sim,$(BACKEND)),$(patsubst tests/lifecycle/programs/%.cu,$(T)/lifecycle-programs/%,\
    $(wildcard tests/lifecycle/programs/*.cu)))
# One source, two libraries that differ in their numbers.
PLUGINS := $(addprefix $(T)/lifecycle-programs/,plugin_1.so plugin_2.so)
$(PLUGINS): $(T)/lifecycle-programs/plugin_%.so: tests/lifecycle/programs/plugin/plugin.cu $(TOOLCHAIN) | $(LINKS)
	$(call say,CUDA,$< ($*))
	$(Q)$(INTO) $@ $(CUDA_CC) -shared -DNUMBER=$* -o $@ $<
$(T)/lifecycle-programs/plugins: | $(PLUGINS)
$(T)/lifecycle: | $(LIFECYCLE)
$(T)/lifecycle-programs/%: tests/lifecycle/programs/%.cu tests/programs/need.h $(TOOLCHAIN) $(UMLAB) | $(LINKS)
	$(call say,CUDA,$<)
	$(Q)$(INTO) $@ $(CUDA_CC) -o $@ $<

# What tests/robust runs: programs with cases, a library that one of them loads, and plain.cu built in other ways, with
# sanitizers, too.
ROBUST_WAYS := address undefined thread no-pie O0 lto fortify malloc
ROBUST_CASES := $(filter-out plugin,$(basename $(notdir $(wildcard tests/robust/*.cu))))
ROBUST := $(if $(SANITIZE),,$(addprefix $(T)/robust/,$(ROBUST_CASES) \
    $(if $(filter sim,$(BACKEND)),plugin.so confine empty-thread other_malloc.so $(addprefix plain-,$(ROBUST_WAYS)))))
$(T)/robust/%: tests/robust/%.cu tests/robust/robust.h tests/robust/instructions.h tests/programs/need.h \
    $(TOOLCHAIN) | $(LINKS)
	$(call say,CUDA,$<)
	$(Q)$(INTO) $@ $(CUDA_CC) -o $@ $< -Xlinker -ldl
$(T)/robust/plugin.so: tests/robust/plugin.cu $(TOOLCHAIN) | $(LINKS)
	$(call say,CUDA,$<)
	$(Q)$(INTO) $@ $(CUDA_CC) -shared -o $@ $<
$(T)/robust/confine: tests/robust/confine.c
	$(call say,CC,$<)
	$(Q)$(INTO) $@ $(CC) -std=gnu11 -O2 -Wall -Wextra -Werror -o $@ $<
# Its calloc() must not become a call of calloc().
$(T)/robust/other_malloc.o: tests/robust/other_malloc.c
	$(call say,CC,$<)
	$(Q)$(INTO) $@ $(CC) -std=gnu11 -O2 -Wall -Wextra -Werror -fPIC -fno-builtin -c -o $@ $<
$(T)/robust/other_malloc.so: $(T)/robust/other_malloc.o
	$(call say,LINK)
	$(Q)$(INTO) $@ $(CC) -shared -o $@ $<
# As a student's Makefile does it: umcc with these flags and no others.
robust_address := -Xcompiler -fsanitize=address
robust_undefined := -Xcompiler -fsanitize=undefined,-fno-sanitize=null,-fno-sanitize-recover=all
robust_no-pie := -Xcompiler -fno-pie,-no-pie
robust_O0 := -O0
robust_lto := -O2 -Xcompiler -flto
robust_fortify := -O2 -Xcompiler -D_FORTIFY_SOURCE=2
robust_malloc := $(T)/robust/other_malloc.o
$(T)/robust/plain-malloc: $(T)/robust/other_malloc.o
# umcc refuses to link this one; a Makefile that links by g++ gets it.
$(T)/robust/thread.o: tests/robust/plain.cu tests/robust/robust.h tests/programs/need.h $(TOOLCHAIN)
	$(call say,CUDA,$< (thread))
	$(Q)$(INTO) $@ $(EMULATOR) $(B)/bin/umcc -g -std=c++17 -Icommon -Xcompiler -fsanitize=thread -c -o $@ $<
$(T)/robust/plain-thread: $(T)/robust/thread.o | $(LINKS)
	$(call say,LINK)
	$(Q)$(INTO) $@ $(CXX) -fsanitize=thread -o $@ $< -L$(B)/lib -lumsim -Wl,-rpath,$(abspath $(B)/lib)
# Tells whether the sanitizer's runtime starts here at all.
$(T)/robust/empty-thread: tests/robust/empty.c
	$(call say,CC,$<)
	$(Q)$(INTO) $@ $(CC) -std=gnu11 -O2 -Wall -Wextra -Werror -fsanitize=thread -o $@ $<
$(T)/robust/plain-%: tests/robust/plain.cu tests/robust/robust.h tests/programs/need.h $(TOOLCHAIN) | $(LINKS)
	$(call say,CUDA,$< ($*))
	$(Q)$(INTO) $@ $(EMULATOR) $(B)/bin/umcc -g -std=c++17 -Icommon $(robust_$*) -o $@ $<

.PHONY: robust-programs
robust-programs: $(ROBUST)

# Managed memory beside a model of it: tests/differential/run.py says for how long and under which schedules.
DIFFERENTIAL := $(T)/differential
$(DIFFERENTIAL): $(call objects,$(sort $(wildcard tests/differential/*.cu))) $(TOOLCHAIN) | $(LINKS)
	$(call say,LINK)
	$(Q)$(INTO) $@ $(TEST_LINK_CUDA) -o $@ $(filter $(B)/obj/%.o,$^)

# A scenario of the playground as a program. What it shares with the playground is the scenario's reader.
PLAYGROUND := $(if $(filter sim,$(BACKEND)),$(T)/playground $(B)/docs/play)
$(B)/obj/tests/playground/%.o: KERNEL_FLAGS += -Idocs/playground
$(T)/playground: $(call objects,tests/playground/program.cu docs/playground/scenario.c) $(TOOLCHAIN) | $(LINKS)
	$(call say,LINK)
	$(Q)$(INTO) $@ $(TEST_LINK_CUDA) -o $@ $(filter $(B)/obj/%.o,$^)

# What tests/grading runs as clients of a server, and by which means.
GRADING := $(if $(filter sim,$(BACKEND)),$(addprefix $(T)/grading-programs/,acts keyed served serves.so spawns.so \
    forges lends client/libumsim.so))
$(T)/grading-programs/client/libumsim.so: $(CLIENT)
	$(call say,COPY)
	$(Q)mkdir -p $(@D) && $(INTO) $@ cp $< $@
$(T)/grading-programs/%: tests/grading/programs/%.cu $(TOOLCHAIN) | $(LINKS)
	$(call say,CUDA,$<)
	$(Q)$(INTO) $@ $(CUDA_CC) $(BOUNDED) -o $@ $<
$(T)/grading-programs/%: $(B)/obj/tests/grading/programs/%.o | $(LINKS)
	$(call say,LINK)
	$(Q)$(INTO) $@ $(LINK) -o $@ $<
$(T)/grading-programs/forges $(T)/grading-programs/lends: $(T)/grading-programs/%: \
    $(B)/obj/tests/grading/programs/%.o $(CLIENT)
	$(call say,LINK)
	$(Q)$(INTO) $@ $(LINK) -o $@ $< -L$(dir $(CLIENT)) -Wl,-rpath,'$$ORIGIN/client' -lumsim
$(T)/grading-programs/keyed: BOUNDED += --keyed --keyed-except copies,take_turns
.SECONDARY: $(addprefix $(B)/obj/tests/grading/programs/,served.o serves.o spawns.o forges.o lends.o)
$(T)/grading-programs/%.so: $(B)/obj/tests/grading/programs/%.o $(TOOLCHAIN) | $(LINKS)
	$(call say,LINK)
	$(Q)$(INTO) $@ $(LINK) -shared -Wl,-rpath,'$$ORIGIN/../../lib' -o $@ $< -L$(B)/lib -lumsim -ldl

$(T)/programs/%: tests/programs/%.cu $(TOOLCHAIN) $(UMLAB) | $(LINKS)
	$(call say,CUDA,$<)
	$(Q)$(INTO) $@ $(CUDA_CC) -o $@ $< $(PROGRAM_LIBS) $(addprefix -Xlinker -rpath$(comma),$(LIB_RPATH:%=$(CUDA_LIB)))

# umcc and its passes under both sanitizers, for mutated sources.
FUZZ_CC = $(CC) -std=gnu11 -D_GNU_SOURCE= -Wall -Wextra -Werror -O1 -g -I. -Isim/include -fsanitize=address,undefined \
    -fno-sanitize-recover=all
FUZZ_OBJ = $(patsubst %.c,$(B)/obj/fuzz/%.o,$1)
$(B)/obj/fuzz/%.o: %.c mk/tests.mk
	$(call say,CC,$< (fuzz))
	$(Q)$(INTO) $@ $(FUZZ_CC) -MMD -MP -MF $(@:.o=.d) -MT $@ -c -o $@ $<
$(B)/fuzz/bin/umcc: $(call FUZZ_OBJ,$(UMCC_SRC))
$(B)/fuzz/bin/fuzz_rewrite: $(call FUZZ_OBJ,tests/umcc/fuzz_rewrite.c $(filter-out %/main.c,$(UMCC_SRC)))
$(B)/fuzz/bin/umcc $(B)/fuzz/bin/fuzz_rewrite:
	$(call say,LINK)
	$(Q)$(INTO) $@ $(FUZZ_CC) -o $@ $^
$(B)/fuzz/include:
	$(Q)mkdir -p $(@D) && ln -sfn $(abspath sim/include) $@

# As a student compiles them: no warnings are asked for.
$(T)/programs/course/%: private KERNEL_FLAGS = -std=c++17 --extended-lambda -Itests/programs/course
# Kernels that launch kernels: nvcc wants them linked with CUDA's device runtime.
$(T)/programs/course/nested_%: private KERNEL_FLAGS = -std=c++17 -Itests/programs/course -rdc=true -lcudadevrt
$(T)/programs/course/graph_conditions: private KERNEL_FLAGS = -std=c++17 -Itests/programs/course -rdc=true -lcudadevrt
# Some 150 templates each: optimised they take 13 s and more to compile, which shows nothing more.
UNOPTIMISED := -O0 -std=c++17 --extended-lambda -Itests/programs/course
$(T)/programs/course/thrust_orders: private KERNEL_FLAGS = $(UNOPTIMISED)
$(T)/programs/course/thrust_own_parts: private KERNEL_FLAGS = $(UNOPTIMISED)
$(T)/programs/course/cub_%: private KERNEL_FLAGS = $(UNOPTIMISED)
# A library's programs are named after it. On a GPU they link NVIDIA's.
blas_LIBRARIES := cublas
curand_LIBRARIES := curand
cufft_LIBRARIES := cufft
define library_programs
$(T)/programs/course/$1_%: private KERNEL_FLAGS = -std=c++17 -Itests/programs/course
$(T)/programs/course/$1_%: private PROGRAM_LIBS = $(addprefix -l,$($1_LIBRARIES))
$(T)/programs/course/$1_%: $(LIBRARY_FILES)
endef
$(foreach prefix,blas curand cufft,$(eval $(call library_programs,$(prefix))))
$(T)/programs/nested_%: private KERNEL_FLAGS += -rdc=true -lcudadevrt
$(T)/programs/course/%: tests/programs/course/common.h tests/programs/course/device_array.h
$(addprefix $(T)/programs/course/,$(COURSE_FOLDERS)): $(T)/programs/course/%: \
    $(wildcard tests/programs/course/*/*) $(TOOLCHAIN) | $(LINKS)
	$(call say,CUDA,tests/programs/course/$*)
	$(Q)$(INTO) $@ $(CUDA_CC) -rdc=true -o $@ $(wildcard tests/programs/course/$*/*.cu tests/programs/course/$*/*.cpp)

# The matrix of `make fidelity`. On cuda it is compiled with NVIDIA's headers, not with the simulator's.
$(B)/obj/tests/fidelity/%.o: EXTRA_INCLUDES :=
$(T)/fidelity: $(call objects,$(sort $(wildcard tests/fidelity/*.c))) $(TOOLCHAIN) $(UMLAB) | $(LINKS)
	$(call say,LINK)
	$(Q)$(INTO) $@ $(TEST_LINK) -o $@ $(filter $(B)/obj/%.o,$^) $(LIBS)
# ... and of two devices: without the chapters of the other.
FIDELITY_PEERS := $(wildcard tests/fidelity/peers/*.c tests/fidelity/peers/*.cu) $(filter-out $(addprefix \
    tests/fidelity/,main.c allocations.c copies.c kernels.c managed.c),$(wildcard tests/fidelity/*.c))
$(T)/fidelity-peers: $(call objects,$(sort $(FIDELITY_PEERS))) $(TOOLCHAIN) $(UMLAB) | $(LINKS)
	$(call say,LINK)
	$(Q)$(INTO) $@ $(TEST_LINK_CUDA) -o $@ $(filter $(B)/obj/%.o,$^) $(filter-out -Wl%,$(LIBS))

## Check
##   test                builds and runs the tests; JUnit XML goes to build/test/
##   test-slow           the grader's tests (mutants, fair and hostile submissions, handouts, classes) and the report's
##   test-browser        the site, the viewer and the report in Chromium; pictures of them in build/browser/
##   built               builds what test and test-slow run, and the documents' programs; runs none of it
##   test-long           soaks and statistics, outside CI
##   conformance         what each call answers, beside hardware; BACKEND=cuda RECORD=FILE keeps this GPU's answers
##   fidelity            the model's times and counts beside an H200's; BACKEND=cuda RECORD=FILE measures this GPU
##   calibrate           BACKEND=cuda: measures this GPU and writes its profile; NAME=mine, FORCE=1 writes over one;
##                       FROM="FILE FILE": from what several machines measured, with ranges; needs no GPU
##   test-arm64          labs, conformance and more on an emulated arm64 machine; PAGES=16k PARTS="hello labs";
##                       PARTS=times: what the course's launches take there, beside this processor's
##   fuzz                mutated sources through umcc under sanitizers; COUNT=10000 SEED=1
##   differential        random kernels through umcc in several modes, which have to agree; COUNT=10000 SEED=1
##   parity              the simulator's constants and structures against NVIDIA's headers
.PHONY: test test-slow test-browser test-long tests tests-slow built conformance fidelity fidelity-peers \
    calibrate fuzz differential parity test-arm64
# What the checks run. Built beforehand, several makes may check beside each other: then none of them builds (.ci/run).
NOW = $(filter-out $(NOT_NOW),$1)
tests: all $(if $(call NOW,tests/robust/run.py),$(ROBUST)) $(if $(call NOW,tests/umcc/fuzz.py),$(FUZZ)) \
    $(DIFFERENTIAL) $(PLAYGROUND) $(addprefix $(T)/,$(addprefix unit/,$(UNIT)) $(SUITES_NOW) \
    $(addprefix programs/,$(PROGRAMS) $(PART_OF_COURSE)))
tests-slow: all $(GRADING) $(if $(filter sim,$(BACKEND)),$(T)/fidelity $(T)/managed)
built: tests tests-slow $(if $(filter sim,$(BACKEND)),$(T)/fidelity $(T)/fidelity-peers)
	@:
test: tests
	@$(RUN_TESTS) $(addprefix cunit:$(T)/,$(addprefix unit/,$(UNIT)) $(SUITES_NOW)) \
	    $(addprefix program:$(T)/programs/,$(PROGRAMS) $(PART_OF_COURSE)) \
	    $(addprefix script:,$(call NOW,$(SCRIPTS))) $(UMCC_TESTS) 'script:$(PARITY)' $(PARITY_SCRIPTS)
SLOW_NOW = $(call NOW,$(SLOW_SCRIPTS))
# Three at a time: Slurm's test and the hostile submissions mostly wait. The last are begun first: those of one long
# thread stand behind the mutants, which fill every processor by themselves to the end.
ONE_LONG_THREAD = %/handout.py %/grade_class.py %/grade_slurm.py %/report.py
test-slow: tests-slow
	@$(RUN_TESTS)/slow --timeout 900 --jobs 3 $(PART_TESTS) \
	    $(addprefix script:,$(filter-out $(ONE_LONG_THREAD),$(SLOW_NOW)) $(filter $(ONE_LONG_THREAD),$(SLOW_NOW)))
# What is there is taken as it is: make docs or make report first after a change.
test-browser: all
	@[ -s $(BUILD)/docs/html/index.html ] || $(MAKE) docs
	@[ -s $(BUILD)/report/report.html ] || $(MAKE) report
	@$(RUN_TESTS)/browser --timeout 600 script:tests/browser/run.py
test-long: all $(ROBUST) $(DIFFERENTIAL) $(PLAYGROUND) $(FUZZ) \
    $(addprefix $(T)/,$(if $(filter sim,$(BACKEND)),fidelity) $(filter managed lifecycle,$(SUITES)) \
    $(addprefix long/,$(LONG)) programs/random_touches $(addprefix programs/,$(COURSE)))
	@$(RUN_TESTS) --jobs 1 --timeout 3600 \
	    $(addprefix cunit:$(T)/,$(addprefix long/,$(LONG)) $(filter lifecycle,$(SUITES))) \
	    $(addprefix program:$(T)/programs/,$(COURSE)) \
	    $(addprefix script:,$(LONG_SCRIPTS) $(filter $(IN_TURNS),$(SLOW_SCRIPTS) $(SCRIPTS))) $(HOSTILE_ELSEWHERE)
# It is built by make, too, in a folder of its own.
test-arm64:
	@$(PYTHON) tests/arm64/run.py --build $(BUILD)/arm64$(addprefix -,$(filter 16k,$(PAGES))) \
	    --here $(BUILD) --machine $(BUILD)/arm64/machine $(if $(PAGES),--kernel $(PAGES)) $(PARTS)
conformance: all $(if $(filter conformance,$(SUITES)),$(T)/conformance)
	@$(PYTHON) tests/conformance/table.py --backend $(BACKEND) $(if $(RECORD),--record="$$RECORD") \
	    $(T)/conformance
fidelity: $(T)/fidelity $(if $(filter sim,$(BACKEND)),$(T)/fidelity-peers)
	@$(PYTHON) tests/fidelity/fidelity.py --backend $(BACKEND) --out $(BUILD)/fidelity \
	    $(if $(RECORD),--record="$$RECORD") $<
	@$(if $(filter sim,$(BACKEND)),$(MAKE) --no-print-directory fidelity-peers BACKEND=sim)
# The cells of two devices alone.
fidelity-peers: $(T)/fidelity-peers
	@UMSIM_PROFILE=h200-nvlink2 $(PYTHON) tests/fidelity/fidelity.py --backend sim --peers \
	    --out $(BUILD)/fidelity-peers $<
ifeq ($(BACKEND),sim)
# FROM="FILE FILE": what was measured before, a file a machine. No GPU is needed.
calibrate: $(T)/fidelity
	@[ -n "$(FROM)" ] || { echo "calibrate: it measures a GPU, so it needs BACKEND=cuda, or FROM= what was measured" \
	    "before (docs/profiles.md)" >&2; exit 2; }
	@$(PYTHON) tests/fidelity/calibrate.py --simulator $< $(FROM:%=--from "%") --keep $(BUILD)/calibrate \
	    $(if $(NAME),--name="$$NAME") $(if $(FORCE),--force)
else
# The fit asks the simulator what each cell takes.
calibrate: $(T)/fidelity
	@$< --pass times --largest 0 > /dev/null
	@env -u MAKEFLAGS $(MAKE) -s BACKEND=sim BUILD=$(BUILD) $(BUILD)/sim/test/fidelity >&2
	@$(PYTHON) tests/fidelity/calibrate.py --simulator $(BUILD)/sim/test/fidelity --gpu $< --keep $(BUILD)/calibrate \
	    $(if $(NAME),--name="$$NAME") $(if $(FORCE),--force)
endif
COUNT := 10000
fuzz: $(FUZZ)
	@$(PYTHON) tests/umcc/fuzz.py --build $(B) --count $(COUNT) --seed "$${SEED:-1}"
differential: all
	@$(PYTHON) tests/umcc/differential/run.py --build $(B) --count $(COUNT) --seed "$${SEED:-1}"
parity:
	@$(PYTHON) $(PARITY)
	@UM_LONG=1 $(RUN_TESTS) --timeout 3600 $(foreach s,brings missing,$(call parity_script,$s))
