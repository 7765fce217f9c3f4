# Measuring, documents, linters, installing. A handout has the last, and the report.
# BEGIN HIDDEN
BENCHES := $(sort $(basename $(notdir $(wildcard bench/*.c bench/*.cu))))
ifeq ($(BACKEND),cuda)
BENCHES := $(filter-out engine works,$(BENCHES))
endif
define bench
$(B)/bench/$1: $(B)/obj/bench/$1.o $(TOOLCHAIN) $(UMLAB) | $(LINKS)
	$$(call say,LINK)
	$$(Q)$$(INTO) $$@ $$(LINK) -Wl,-rpath,'$$$$ORIGIN/../lib' -o $$@ $$< $$(LIBS)
endef
$(foreach b,$(basename $(notdir $(wildcard bench/*.c))),$(eval $(call bench,$b)))
# What others do with the same work, as well as their compilers can.
# sqrtf() sets no errno: neither does a kernel's.
PEERS_OBJ := $(call objects,$(sort $(wildcard bench/peers/*.c bench/works/*.c)))
$(PEERS_OBJ): CFLAGS := -O3 -march=native -fno-math-errno -fno-trapping-math -fopenmp -g \
    $(if $(wildcard /usr/include/CL/cl.h),-DBENCH_OPENCL)
$(B)/bench/engine: PEER_FLAGS = $(filter %/peers/openmp.o %/peers/opencl.o,$(PEERS_OBJ)) -lgomp -ldl
$(B)/bench/works: PEER_FLAGS = $(filter %/works/openmp.o %/works/opencl.o,$(PEERS_OBJ)) -lgomp -ldl \
    '-DBENCH_WORKS="$(abspath bench/works)"'
$(B)/bench/engine $(B)/bench/works: $(PEERS_OBJ)
$(B)/bench/works: bench/works/kernels.h bench/works/peers.h
$(B)/bench/engine $(B)/bench/works: $(shell find sim/include -type f)
$(B)/bench/%: bench/%.cu bench/bench.h $(TOOLCHAIN) $(UMLAB) | $(LINKS)
	$(call say,CUDA,$<)
	$(Q)$(CUDA_CC) -o $@ $< $(PEER_FLAGS) -L$(B)/lib -lumlab -Xlinker -rpath,'$$ORIGIN/../lib' \
	    $(addprefix -Xlinker -rpath$(comma),$(LIB_RPATH:%=$(CUDA_LIB)))

# The paths to and from a GPU's memory. On the simulator it is built for the tests.
GPU_BENCH_SRC := $(sort $(wildcard bench/gpu/*.c bench/gpu/*.cu)) labs/lab9_choose/um_pipe.c
$(B)/bench/gpu: $(call objects,$(GPU_BENCH_SRC)) $(TOOLCHAIN) $(UMLAB) | $(LINKS)
	$(call say,LINK)
	$(Q)$(INTO) $@ $(CUDA_CC) -o $@ $(filter $(B)/obj/%.o,$^) -L$(B)/lib -lumlab -Xlinker -rpath,'$$ORIGIN/../lib' \
	    $(addprefix -Xlinker -rpath$(comma),$(LIB_RPATH:%=$(CUDA_LIB)))

# A test runs it at small sizes, on either backend.
ifneq ($(SANITIZE),address)
tests: $(B)/bench/gpu
endif

## Measure
##   bench               sim: the simulator's own speed beside its floors; cuda: each path of the labs beside the
##                       targets (QUICK=1). PEERS=DIR: peers' programs, or what they printed; STRICT=1 fails on a missed
##                       target
.PHONY: bench
ifeq ($(BACKEND),cuda)
bench: $(B)/bench/gpu
	@$(PYTHON) bench/paths.py --out $(BUILD)/bench $(if $(PEERS),--peers="$$PEERS") $(if $(QUICK),--quick) \
	    $(if $(STRICT),--strict) $<
else
bench: all $(addprefix $(B)/bench/,$(BENCHES))
	@$(PYTHON) bench/run.py --build $(B) --backend $(BACKEND) --out $(BUILD)/bench $(if $(PEERS),--peers="$$PEERS") \
	    $(if $(STRICT),--strict) $(addprefix $(B)/bench/,$(BENCHES))
endif

# END HIDDEN
## Documents
##   report              figures of what the labs find here: build/report/; COMPARE=a.json,b.json puts two side by side
.PHONY: report
# The model beside hardware is asked by the program of `make fidelity`, where that is there (not in a handout).
REPORT_NEEDS = all $(if $(filter sim,$(BACKEND)),$(if $(wildcard tests/fidelity/*.c),$(T)/fidelity))
report: $(if $(COMPARE),,$(REPORT_NEEDS))
	@$(PYTHON) report/report.py --out $(BUILD)/report \
	    $(if $(COMPARE),--compare="$$COMPARE",--run $(B) --backend $(BACKEND) $(if $(PROFILE),--profile "$$PROFILE"))
# BEGIN HIDDEN
C_FILES = $(sort $(shell git ls-files -co --exclude-standard '*.c' '*.h' '*.cu' '*.cuh' '*.cpp'))
# Mutants and hostile submissions are wrong on purpose: what a compiler chokes on, cppcheck does, too. Those of
# tests/fair do what it advises against.
WRONG_FILES = tests/mutants/% tests/fair/% tests/hostile/%
CPPCHECK_FILES = $(filter-out $(WRONG_FILES),$(filter %.c,$(C_FILES)))
SHELL_FILES = $(sort $(shell git ls-files -co --exclude-standard '*.sh' .ci/run setup.sh))
RUFF := .venv/bin/ruff
PYTHON_FILES = $(sort $(shell git ls-files -co --exclude-standard '*.py'))
## Tidy up
##   lint                formats, cppcheck, shellcheck, ruff, and the project's own rules (tests/lint): layers, exports,
##                       lengths, headers, words, records, versions; LINT_PART=3: cppcheck of a third of the files
##   layers              a picture of the simulator's layers and the calls between them: build/layers.svg
##   internals           docs/internals.md: each file and its one sentence, from the comment that it begins with
##   tidy                clang-tidy, a second opinion (a minute)
##   format              clang-format in place
##   cross               sim/ compiles for aarch64
.PHONY: lint layers tidy format cross internals
layers: $(B)/lib/libumsim.so
	@$(PYTHON) tests/lint/layers.py --build $(B) --draw $(BUILD)/layers.svg && echo $(BUILD)/layers.svg
# The layers are looked at in the simulator's objects.
lint: $(B)/lib/libumsim.so
	@printf '%s\n' $(C_FILES) | xargs -n 100 -P $(shell nproc) clang-format --dry-run -Werror
	@cppcheck --quiet -j $(shell nproc) --error-exitcode=1 --std=c11 --language=c \
	    --enable=warning,performance,portability --inline-suppr --suppressions-list=tests/lint/cppcheck.txt \
	    -D_GNU_SOURCE -D__x86_64__ -DUMLAB_SIM -Isim -Isim/include -Icommon -Ikernels -Itests \
	    $(if $(LINT_PART),$(call part,$(LINT_PART),$(CPPCHECK_FILES)),$(CPPCHECK_FILES))
	@shellcheck $(SHELL_FILES)
	@[ -x $(RUFF) ] || { echo "lint: $(RUFF) is not here: ./setup.sh --dev installs it" >&2; exit 1; }
	@$(RUFF) check --quiet
	@$(PYTHON) tests/lint/layers.py --build $(B)
	@$(PYTHON) tests/lint/exports.py --library $(B)/lib/libumsim.so
	@$(PYTHON) tests/lint/lines.py
	@$(PYTHON) tests/lint/form.py
	@$(PYTHON) tests/lint/records.py
	@$(PYTHON) tests/lint/words.py
	@$(PYTHON) tests/lint/version.py
	@$(PYTHON) tools/internals.py --check
	@bash tests/lint/subjects.sh
	@echo "lint: $(words $(C_FILES)) C, $(words $(SHELL_FILES)) shell and $(words $(PYTHON_FILES)) Python files clean"
# A minute: a second opinion, beside cppcheck.
tidy:
	@clang-tidy --quiet --warnings-as-errors='*' $(filter-out tests/%,$(filter %.c,$(C_FILES))) -- -std=gnu11 \
	    -D_GNU_SOURCE= -DUMLAB_SIM -I. -Isim -Isim/include -Icommon -Ikernels
internals:
	@$(PYTHON) tools/internals.py
format:
	@clang-format -i $(C_FILES)
CROSS := aarch64-linux-gnu-gcc
cross: $(patsubst %.c,$(BUILD)/cross/%.o,$(filter %.c,$(SIM_SRC) $(wildcard sim/umcc/*.c)))
	@echo "cross: $(words $^) files of sim/ compile for aarch64"
$(BUILD)/cross/%.o: %.c
	$(call say,CROSS,$<)
	$(Q)$(CROSS) -std=gnu11 -D_GNU_SOURCE= -U_FORTIFY_SOURCE -Wall -Wextra -Werror -O0 -fPIC -Isim -Isim/include \
	    -DUMLAB_SIM -idirafter /usr/include -MMD -MP -c -o $@ $<
-include $(shell find $(BUILD)/cross -name '*.d' 2>/dev/null)

# The Dockerfile's steps in a fresh Debian 12 root, where there is no Docker. For .ci and scripts: which nvcc is used.
.PHONY: docker-steps which-nvcc
docker-steps:
	@bash tests/docker-steps.sh
which-nvcc:
	@echo $(NVCC)
# END HIDDEN

PREFIX ?= /usr/local
INSTALLED := $(DESTDIR)$(PREFIX)
## Install
##   install             the simulator and umcc into PREFIX (default /usr/local; DESTDIR for packagers)
##   clean               removes build/
.PHONY: install clean
install: all
	@mkdir -p $(INSTALLED)/bin $(INSTALLED)/lib $(INSTALLED)/include $(INSTALLED)/share/umlab/profiles
	@install $(B)/bin/umcc $(INSTALLED)/bin/
	@install -m 644 $(addprefix $(B)/lib/,libumsim.so libcudart_static.a libcudadevrt.a) $(LIBRARY_FILES) $(INSTALLED)/lib/
	@$(if $(ROWS),install -m 644 -D $(ROWS) $(INSTALLED)/lib/umlab/rows.so)
	@$(foreach l,$(LIBRARIES),ln -sf lib$(basename $l).so $(INSTALLED)/lib/lib$(subst .,.so.,$l);)
	@install -m 644 $(NVML) $(INSTALLED)/lib/ && ln -sf $(notdir $(NVML)) $(INSTALLED)/lib/libnvidia-ml.so
	@for name in libcudart.so libcudart.so.12 libcudart.so.13; do ln -sf libumsim.so $(INSTALLED)/lib/$$name; done
	@cd sim/include && find * -type f ! -name API.list -exec install -m 644 -D {} '$(abspath $(INSTALLED))'/include/{} \;
	@install -m 644 profiles/*.json $(INSTALLED)/share/umlab/profiles/
	@install -m 644 sim/umcc/umcc.cmake $(INSTALLED)/share/umlab/
	@cp -r $(B)/share/umlab/cuda $(INSTALLED)/share/umlab/
	@install sim/python/umpython $(INSTALLED)/bin/
	@install -m 644 -D -t $(INSTALLED)/share/umlab/python \
	    $(wildcard $(addprefix sim/python/,*.py *.sh *.txt *.h *.cpp *.cu))
	@install -m 644 -D -t $(INSTALLED)/share/umlab/python/lines sim/python/lines/sitecustomize.py
	@mkdir -p $(INSTALLED)/lib/umlab/driver
	@for name in libcurand.so libcurand.so.10; do \
	    ln -sf ../../libcurand.so $(INSTALLED)/lib/umlab/driver/$$name; done
	@install -m 755 -D $(B)/driver/libnvrtc.so.13 $(INSTALLED)/lib/umlab/driver/libnvrtc.so.13
	@for name in libnvrtc.so libnvrtc.so.12; do ln -sf libnvrtc.so.13 $(INSTALLED)/lib/umlab/driver/$$name; done
	@install -m 755 -D -t $(INSTALLED)/lib/umlab/driver $(addprefix $(B)/driver/,libnvvm.so.4 libnvJitLink.so.12 \
	    libnvJitLink.so.13)
	@install -m 644 -D $(B)/lib/umlab/nvvm_device.o $(INSTALLED)/lib/umlab/nvvm_device.o
	@install -m 644 -D -t $(INSTALLED)/share/umlab/nvvm $(wildcard sim/nvvm/*.py) sim/nvvm/functions.def
	@for name in libnvvm.so libnvvm.so.4; do \
	    ln -sf ../../../../../lib/umlab/driver/libnvvm.so.4 $(INSTALLED)/share/umlab/cuda/nvvm/lib64/$$name; done
	@for name in libcuda.so libcuda.so.1; do ln -sf ../../libumsim.so $(INSTALLED)/lib/umlab/driver/$$name; done
	@install -m 644 -D LICENSE $(INSTALLED)/share/doc/umlab/LICENSE
	@rm -rf $(INSTALLED)/lib/umlab/headers
	@$(if $(DESTDIR),,for options in $(PRECOMPILED); do $(INSTALLED)/bin/umcc --precompile $$options || break; done)
	@echo "installed into $(INSTALLED): umcc, libumsim.so, headers, profiles"
clean:
	@rm -rf $(BUILD)
