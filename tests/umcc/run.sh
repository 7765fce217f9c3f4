#!/usr/bin/env bash
# Tests of umcc, the compile driver: what it accepts runs, what it rejects is rejected with the user's own line, and
# its options do what nvcc's do.
#
#     tests/umcc/run.sh UMCC=build/sim/bin/umcc [PART-OF-A-NAME | others]
#
# Without UMCC= the build is taken from UMLAB_BUILD, as tests/run.py sets it. accept_*.cu are compiled and run, and have
# to exit with 0. reject_*.cu must not compile: their first line says `// umcc: LINE[:COLUMN]: what the message says`.
# `accepts` are half of the work, `others` the other half: `make test` runs them beside each other.
# Prints a line a case and last `N passed, N failed, N skipped`.
set -u
here=$(cd "$(dirname "$0")" && pwd)
only=
for argument in "$@"; do
    case $argument in
    UMCC=*) UMCC=${argument#UMCC=} ;;
    *) only=$argument ;;
    esac
done
UMCC=${UMCC:-${UMLAB_BUILD:-build/sim}/bin/umcc}
case $UMCC in /*) ;; *) UMCC=$PWD/$UMCC ;; esac
if [ ! -x "$UMCC" ]; then
    echo "there is no $UMCC (make builds it; UMCC=... names another)" >&2
    exit 2
fi

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export TMPDIR=$work/tmp LC_ALL=C.UTF-8
mkdir "$TMPDIR"
passed=0 failed=0 skipped=0 why='' skip=''

# fail WHY: the running case is no success.
fail() {
    [ -n "$why" ] || why=$1
}
# expect_status STATUS COMMAND...: runs it; output goes to $work/out and $work/err.
expect_status() {
    local want=$1 got=0
    shift
    "$@" >"$work/out" 2>"$work/err" || got=$?
    [ "$got" = "$want" ] || fail "status $got, not $want: ${*##*/}"
}
expect_in() {
    grep -qF -- "$2" "$1" || fail "${1##*/} does not say: $2"
}
expect_file() {
    [ -e "$1" ] || fail "$1 is not there"
}
expect_no_file() {
    [ ! -e "$1" ] || fail "$1 was left"
}
# case_of NAME FUNCTION ARGUMENTS...: one test, in a folder of its own.
case_of() {
    local name=$1
    shift
    case $only:$name in
    others:accepts*) return ;;
    others:* | *:*"$only"*) ;;
    *) return ;;
    esac
    why='' skip=''
    mkdir "$work/case" && cd "$work/case" || exit 2
    "$@"
    [ -z "$(ls -A "$TMPDIR")" ] || fail "temporary files were left: $(ls "$TMPDIR")"
    if [ -n "$skip" ]; then
        echo "  SKIP  $name: $skip"
        skipped=$((skipped + 1))
    elif [ -z "$why" ]; then
        echo "  ok    $name"
        passed=$((passed + 1))
    else
        echo "  FAIL  $name"
        { echo "$why"; cat "$work/err"; } | sed 's/^/        /' | head -30
        failed=$((failed + 1))
    fi
    cd "$here" && rm -rf "$work/case" "${TMPDIR:?}"/*
}

write_program() {
    cat >x.cu <<'END'
#include <cstdio>
#include <cstring>
#ifndef ADD
#define ADD 1
#endif
__global__ void k(int *p)
{
    *p += ADD;
}
int main(int argc, char **argv)
{
    int *p;
    if (cudaMallocManaged(&p, sizeof *p) != cudaSuccess)
        return 2;
    *p = 40;
    k<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    printf("%d%s\n", *p, argc > 1 ? argv[1] : "");
    return 0;
}
END
}

# What the file's first line asks for.
flags_of() {
    sed -n '1s|^// flags: ||p' "$1"
}
accepts() {
    # shellcheck disable=SC2046 # several options
    expect_status 0 "$UMCC" $(flags_of "$here/$1.cu") -std=c++17 --extended-lambda -Xcompiler -Wall,-Wextra -Werror all-warnings -o prog "$here/$1.cu"
    [ -n "$why" ] || expect_status 0 ./prog
    [ -z "$why" ] || cat "$work/out" >>"$work/err"
}
rejects() {
    local expected place text
    expected=$(sed -n '1s|^// umcc: ||p' "$here/$1.cu")
    place=${expected%%: *} text=${expected#*: }
    expect_status 1 "$UMCC" -c -MMD -o x.o "$here/$1.cu"
    grep -F "$1.cu:$place:" "$work/err" | grep -qF "$text" || fail "no message at $place that says: $text"
    expect_no_file x.o
    expect_no_file x.d
}
rejects_text() {
    printf '%s\n' "$3" >x.cu
    expect_status 1 "$UMCC" -c x.cu
    expect_in "$work/err" "x.cu:$1: error: $2"
    expect_no_file x.o
}

# A wait in vain is no endless one: the launch fails with the message that the file has for that case.
stuck() {
    local number text
    # shellcheck disable=SC2046 # several options
    expect_status 0 "$UMCC" $(flags_of "$here/$1.cu") -o prog "$here/$1.cu"
    while IFS=: read -r number text; do
        expect_status 0 ./prog "$number"
        expect_in "$work/err" "${text# }"
    done < <(sed -n 's|^ \* case ||p' "$here/$1.cu")
}

help_and_version() {
    expect_status 0 "$UMCC" --help
    expect_in "$work/out" --output-file
    expect_status 0 "$UMCC" --version
    expect_in "$work/out" "release 13"
}
bad_usage() {
    write_program
    expect_status 2 "$UMCC"
    expect_in "$work/err" "no input files"
    expect_status 2 "$UMCC" -c -fsuch-a-thing x.cu
    expect_in "$work/err" "unknown option '-fsuch-a-thing'"
    expect_status 2 "$UMCC" x.cu -o
    expect_in "$work/err" "'-o' needs a value"
    expect_status 2 "$UMCC" -std=c++99 x.cu
    expect_in "$work/err" "-std=c++99"
    expect_status 2 "$UMCC" -O9 x.cu
    expect_in "$work/err" "-O9"
    expect_status 2 "$UMCC" -Werror x.cu
    expect_in "$work/err" "-Werror x.cu"
    expect_status 2 "$UMCC" -x fortran x.cu
    expect_in "$work/err" "fortran"
    expect_status 2 "$UMCC" x.f90
    expect_in "$work/err" "x.f90"
    expect_status 2 "$UMCC" -ptx x.cu
    expect_in "$work/err" "PTX"
    expect_status 2 "$UMCC" -c -o y.o x.cu x.cu
    expect_in "$work/err" "-o names one file"
    [ "$(ls)" = x.cu ] || fail "left: $(ls)"
}
# says LINE COMMAND...: it fails, and that line is all that it prints.
says() {
    local line=$1
    shift
    expect_status 1 "$@"
    [ "$(cat "$work/out" "$work/err")" = "$line" ] || fail "not just this line: $line"
}
missing_files() {
    write_program
    mkdir folder.cu
    says "umcc: no such file: nothing.cu" "$UMCC" -c nothing.cu
    says "umcc: no such file: nothing.cu" "$UMCC" -o prog x.cu nothing.cu
    says "umcc: no such file: no/such/folder/x.o" "$UMCC" -o prog x.cu no/such/folder/x.o
    says "umcc: cannot read x.cu/y.cu: Not a directory" "$UMCC" -c x.cu/y.cu
    says "umcc: cannot read folder.cu: it is a folder" "$UMCC" -c folder.cu
    says "umcc: cannot write no/such/folder/x.o: No such file or directory" "$UMCC" -c -o no/such/folder/x.o x.cu
    says "umcc: cannot write no/such/prog: No such file or directory" "$UMCC" -o no/such/prog x.cu
    says "umcc: cannot write no/x.o: No such file or directory" "$UMCC" -c -odir no x.cu
    says "umcc: cannot write folder.cu: it is a folder" "$UMCC" -o folder.cu x.cu
    says "umcc: cannot write no/deps: No such file or directory" "$UMCC" -c -MMD -MF no/deps x.cu
    says "umcc: cannot write in no: No such file or directory" "$UMCC" -c --keep --keep-dir no x.cu
    rmdir folder.cu
    expect_status 1 "$UMCC" -o prog x.cu -lno_such_library
    expect_in "$work/err" "no_such_library"
    [ "$(ls)" = x.cu ] || fail "left: $(ls)"
}
no_permission() {
    write_program
    cp x.cu y.cu
    mkdir closed
    chmod 000 y.cu
    chmod 500 closed
    if [ -r y.cu ]; then
        skip="this user may read and write everything"
        return
    fi
    says "umcc: cannot read y.cu: Permission denied" "$UMCC" -c y.cu
    says "umcc: cannot write closed/x.o: Permission denied" "$UMCC" -c -odir closed x.cu
}
objects() {
    write_program
    mkdir sub && cp x.cu sub/y.cu
    expect_status 0 "$UMCC" -c x.cu sub/y.cu
    expect_file x.o
    expect_file y.o
    expect_status 0 "$UMCC" -c -odir sub x.cu
    expect_file sub/x.o
    expect_status 0 "$UMCC" -c x.cu -o /dev/null
    [ -c /dev/null ] || fail "/dev/null is gone"
    expect_status 0 "$UMCC" x.o
    expect_status 0 ./a.out
    expect_in "$work/out" 41
}
a_failure_keeps_what_was_there() {
    write_program
    echo old >x.o
    echo old >x.d
    echo 'int main() { return missing; }' >>x.cu
    expect_status 1 "$UMCC" -c -MMD x.cu
    [ "$(cat x.o x.d)" = "old
old" ] || fail "the old x.o or x.d was touched"
}
defines_and_includes() {
    write_program
    mkdir inc
    echo '#define ADD MORE' >inc/add.h
    sed -i '1i #include "add.h"' x.cu
    expect_status 0 "$UMCC" -I inc -DMORE=5 -D OTHER -U OTHER -o prog x.cu
    expect_status 0 ./prog
    expect_in "$work/out" 45
    sed -i 1d x.cu
    expect_status 0 "$UMCC" --include-path=inc -include add.h --define-macro MORE=6 --output-file=prog x.cu
    expect_status 0 ./prog
    expect_in "$work/out" 46
    expect_status 0 "$UMCC" -isystem inc --pre-include add.h -D=MORE=7 -run --run-args here x.cu
    expect_in "$work/out" 47here
}
for_a_gpu_only() {
    write_program
    expect_status 0 "$UMCC" -arch=sm_90 -gencode arch=compute_80,code=sm_80 -code sm_90 -lineinfo -Xptxas -v,-O3 \
        --maxrregcount 32 -use_fast_math -rdc=true --ftz=true -O3 -m64 -w -Wno-deprecated-gpu-targets -Wno-unused \
        --expt-relaxed-constexpr -allow-unsupported-compiler -t 2 -cudart static -lcudart -o prog x.cu
    expect_status 0 ./prog
    expect_in "$work/out" 41
}
the_architecture() {
    cat >x.cu <<'END'
#include <cstdio>
__global__ void k()
{
    printf("%d\n", __CUDA_ARCH__);
}
int main()
{
    k<<<1, 1>>>();
    return cudaDeviceSynchronize();
}
END
    expect_status 0 "$UMCC" -run x.cu
    expect_in "$work/out" 750
    expect_status 0 "$UMCC" -arch=sm_90a -run x.cu
    expect_in "$work/out" 900
    expect_status 0 "$UMCC" -gencode arch=compute_70,code=sm_70 -gencode "arch=compute_80,code=[sm_80,compute_80]" -run x.cu
    expect_in "$work/out" 800
}
options_from_files() {
    write_program
    printf -- '# a comment\n-DADD=3 -O2\n"-Xcompiler" "-Wall -Wextra"' >more.txt
    echo "--define-macro 'OTHER=\"a b\"'" >rest
    expect_status 0 "$UMCC" --options-file more.txt,rest -o prog x.cu
    expect_status 0 ./prog
    expect_in "$work/out" 43
    expect_status 0 "$UMCC" -optf=more.txt -o prog x.cu
    expect_status 2 "$UMCC" -optf none.txt x.cu
    expect_in "$work/err" "none.txt: No such file"
    expect_status 2 "$UMCC" x.cu -optf
    expect_in "$work/err" "needs a value"
    expect_status 0 "$UMCC" --version
    expect_in "$work/out" "release 13.0, V13"
}
dependencies() {
    write_program
    echo '/* empty */' >own.h
    sed -i '1i #include "own.h"' x.cu
    expect_status 0 "$UMCC" -c -MMD -MP x.cu
    expect_in x.d "x.o:"
    expect_in x.d "own.h:"
    grep -q cuda_runtime x.d && fail "-MMD names system headers"
    mkdir sub
    expect_status 0 "$UMCC" -c -MMD -o sub/z.o x.cu
    expect_in sub/z.d "sub/z.o:"
    expect_status 0 "$UMCC" -c -MD -MF deps -MT target -o z.o x.cu
    expect_in deps "target:"
    expect_in deps "cuda_runtime.h"
    expect_status 0 "$UMCC" -MM x.cu
    expect_in "$work/out" "own.h"
}
shows_its_commands() {
    write_program
    expect_status 0 "$UMCC" --dryrun -o prog x.cu
    expect_in "$work/err" "#$ g++"
    [ "$(ls)" = x.cu ] || fail "--dryrun made $(ls)"
    expect_status 0 "$UMCC" -v -o prog x.cu
    expect_in "$work/err" "-lumsim"
    expect_file prog
}
keeps_intermediate_files() {
    write_program
    mkdir kept
    expect_status 0 "$UMCC" -c --keep --keep-dir kept x.cu
    expect_file kept/x.cu.ii
    expect_file kept/x.cu.cpp.ii
    expect_status 0 "$UMCC" -cuda x.cu
    expect_in x.cu.cpp.ii "umsim::launch"
    expect_status 0 "$UMCC" -E x.cu
    expect_in "$work/out" "k<<<1, 1>>>(p);"
}
several_languages() {
    write_program
    sed -i -e 's/^int main.*/extern "C" int from_c(void);\nint from_cpp();\n&/' \
        -e 's/^    int \*p;/&\n    if (from_c() + from_cpp() != 3) return 3;/' x.cu
    echo '#include <cuda_runtime.h>
int from_c(void) { int *class = 0; return cudaFree(class) == cudaSuccess ? 1 : 0; }' >c.c
    echo '#include <cuda_runtime.h>
int from_cpp() { dim3 d(2); return (int)d.x; }' >cpp.cpp
    expect_status 0 "$UMCC" -o prog x.cu c.c cpp.cpp -lm
    expect_status 0 ./prog
    expect_in "$work/out" 41
    mv x.cu x.txt
    expect_status 0 "$UMCC" -c -x cu x.txt
    expect_file x.o
}
files_of_their_own() {
    echo '#include <cuda_runtime.h>
__constant__ int table[2] = {1, 2};
__device__ int hits;
[[maybe_unused]] __managed__ int both = 3;' >shared.h
    echo '#include "shared.h"
__global__ void kb(int *out) { hits += 100; *out = hits + table[1] + both; }
int other(int *out) { kb<<<1, 1>>>(out); return cudaDeviceSynchronize() == cudaSuccess ? *out : -1; }' >b.cu
    # shellcheck disable=SC2028 # the backslash is for C
    echo '#include <cstdio>
#include "shared.h"
int other(int *out);
__global__ void ka(int *out) { *out = ++hits + table[0]; }
int main()
{
    int *out;
    if (cudaMallocManaged(&out, sizeof *out) != cudaSuccess) return 2;
    ka<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    printf("%d ", *out);
    printf("%d\n", other(out));
}' >a.cu
    expect_status 0 "$UMCC" -Wall -Werror all-warnings -o prog a.cu b.cu
    expect_status 0 ./prog
    expect_in "$work/out" "2 105"
    expect_status 1 "$UMCC" -rdc=true -o prog2 a.cu b.cu
    expect_in "$work/err" "multiple definition"
    sed -i 's/^__constant__.*/extern __constant__ int table[2];/; s/^__device__.*/extern __device__ int hits;/; s/.*__managed__.*/extern __managed__ int both;/' shared.h
    sed -i '1a __constant__ int table[2] = {1, 2}; __device__ int hits; __managed__ int both = 3;' b.cu
    expect_status 0 "$UMCC" -dc a.cu b.cu
    expect_status 0 "$UMCC" -rdc=true -o prog a.o b.o
    expect_status 0 ./prog
    expect_in "$work/out" "2 106"
}
# The usual Makefile: -dc, -dlink, and the host's compiler links, without umcc's flags.
host_links() {
    local lib
    lib=$(dirname "$(dirname "$UMCC")")/lib
    echo 'extern __constant__ int table[4]; extern __device__ int hits; extern __managed__ int both;
__device__ int twice(int x);' >v.h
    echo '#include "v.h"
__constant__ int table[4] = {1, 2, 3, 4}; __device__ int hits; __managed__ int both = 7;
__device__ int twice(int x) { return 2 * x; }' >b.cu
    # shellcheck disable=SC2028 # the backslash is for C
    echo '#include "v.h"
#include <cstdio>
__global__ void k(float *p) { int *q = new int(threadIdx.x), i = *q; delete q; __syncthreads();
    p[i] = twice(table[i]) + sinf(i * 0.f); atomicAdd(&hits, 1); atomicAdd(&both, 1); }
void host_part(float *p);
int main() { float *p; int n = 0; cudaMallocManaged(&p, 16); k<<<1, 4>>>(p); cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&n, hits, sizeof n); printf("%d %d ", n, both); host_part(p); }' >a.cu
    # shellcheck disable=SC2028
    echo '#include <cuda_runtime.h>
#include <cstdio>
static int zeros[3000];
void host_part(float *p) { zeros[5] = 1; printf("%g %g %d\n", p[0], p[3], zeros[5] + zeros[0]); cudaFree(p); }' >c.cpp
    expect_status 0 "$UMCC" -dc a.cu b.cu
    expect_status 0 g++ "-I$(dirname "$lib")/include" -c c.cpp
    expect_status 0 "$UMCC" -arch=sm_80 -dlink -o link.o a.o b.o -lcudadevrt
    expect_status 0 g++ -o prog c.o a.o b.o link.o "-L$lib" -lcudadevrt -lcudart "-Wl,-rpath,$lib"
    expect_status 0 ./prog
    expect_in "$work/out" "4 11 2 8 1"
    expect_status 0 g++ -Wl,--gc-sections -o prog2 link.o b.o a.o c.o "-L$lib" -lcudart_static -ldl -lrt "-Wl,-rpath,$lib"
    expect_status 0 ./prog2
    expect_in "$work/out" "4 11 2 8 1"
    expect_status 2 "$UMCC" -dlink a.cu
}
cmake_projects() {
    local file
    file=$(dirname "$(dirname "$UMCC")")/share/umlab/umcc.cmake
    if ! command -v cmake >/dev/null || [ ! -e "$file" ]; then
        skip="no cmake"
        return
    fi
    echo 'cmake_minimum_required(VERSION 3.18)
project(x LANGUAGES CXX CUDA)
add_executable(prog a.cu b.cu)
set_target_properties(prog PROPERTIES CUDA_SEPARABLE_COMPILATION ON)' >CMakeLists.txt
    echo '__device__ int twice(int x) { return 2 * x; }' >b.cu
    echo '#include <cstdio>
__device__ int twice(int x);
__global__ void k(int *p) { *p = twice(*p); }
int main() { int *p; cudaMallocManaged(&p, 4); *p = 21; k<<<1, 1>>>(p); cudaDeviceSynchronize(); printf("%d", *p); }' >a.cu
    expect_status 0 cmake -S . -B built "-DCMAKE_TOOLCHAIN_FILE=$file"
    expect_status 0 cmake --build built
    expect_status 0 built/prog
    expect_in "$work/out" "42"
}
libraries() {
    echo '__managed__ int count = 3;
template <class T> __global__ void more(T *p, T by) { *p += by; }
extern "C" int add(int by) { more<<<1, 1>>>(&count, by); cudaDeviceSynchronize(); return count; }' >lib.cu
    cat >main.cu <<'END'
#include <cstdio>
extern "C" int add(int);
__managed__ int own = 1;
template <class T> __global__ void more(T *p, T by) { *p += by; }
int main()
{
    more<<<1, 1>>>(&own, 1);
    cudaDeviceSynchronize();
    printf("%d\n", add(4) * 10 + own);
}
END
    expect_status 0 "$UMCC" -shared -Xcompiler -fPIC -o libadd.so lib.cu
    expect_status 0 "$UMCC" -o prog main.cu -L. -ladd -Xlinker -rpath,"$PWD"
    expect_status 0 ./prog
    expect_in "$work/out" 72
    expect_status 0 "$UMCC" -lib -o libadd.a lib.cu
    rm libadd.so
    expect_status 0 "$UMCC" -o prog main.cu -L . -l add
    expect_status 0 ./prog
    expect_in "$work/out" 72
}
debugging_and_levels() {
    local level
    write_program
    for level in "-g" "-G" "-O0 -g" "-O1" "-O3 -std=c++20" "-std=c++14 -O2"; do
        # shellcheck disable=SC2086 # several options
        expect_status 0 "$UMCC" $level -o prog x.cu
        expect_status 0 ./prog
        expect_in "$work/out" 41
    done
}
warnings() {
    write_program
    sed -i 's/^    int \*p;/    int *p, unused;/' x.cu
    expect_status 0 "$UMCC" -c -Xcompiler -Wall x.cu
    expect_in "$work/err" "x.cu:12:13: warning: unused variable"
    [ "$(grep -c warning: "$work/err")" = 1 ] || fail "more warnings than the user's own"
    expect_status 1 "$UMCC" -c -Wall -Werror all-warnings -o w.o x.cu
    expect_no_file w.o
    expect_status 0 "$UMCC" -c -Wall -w x.cu
    [ ! -s "$work/err" ] || fail "-w does not silence"
}
openmp() {
    cat >x.cu <<'END'
#include <cstdio>
#include <umsim.h>
int main()
{
    cudaFree(nullptr);
    umsim_host_work_ns(5000);
    unsigned long long begin = umsim_time_ns(), at[4];
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 4; i++) {
        at[i] = umsim_time_ns() - begin;
        umsim_host_work_ns(1000 * (i + 1));
    }
    printf("%llu %llu %llu %llu then %llu\n", at[0], at[1], at[2], at[3],
           (unsigned long long)umsim_time_ns() - begin);
}
END
    expect_status 0 "$UMCC" -Xcompiler -fopenmp -o prog x.cu
    expect_status 0 ./prog
    expect_in "$work/out" "0 0 0 0 then 4000"
}
interrupted() {
    local pid status=0
    printf '#include <map>\n#include <regex>\n#include <iostream>\n' >x.cu
    echo 'int main() { std::regex r("a"); std::cout << std::regex_match("a", r); }' >>x.cu
    "$UMCC" -MMD -o prog x.cu 2>"$work/err" &
    pid=$!
    sleep 0.7
    kill -TERM $pid
    wait $pid || status=$?
    [ $status = 143 ] || fail "status $status, not 143 (killed by SIGTERM)"
    [ "$(ls)" = x.cu ] || fail "left: $(ls)"
}
found_through_a_link() {
    write_program
    ln -s "$UMCC" nvcc
    expect_status 0 ./nvcc -o prog x.cu
    mkdir elsewhere
    mv prog elsewhere
    cd elsewhere || return
    expect_status 0 ./prog
    expect_in "$work/out" 41
    cd ..
}
toolkit_headers_do_not_come_first() {
    write_program
    mkdir -p toolkit/crt
    echo '#error the toolkit was included' | tee toolkit/cuda_runtime.h >toolkit/crt/host_defines.h
    expect_status 0 "$UMCC" -c -Itoolkit -I toolkit x.cu
}

windows_lines() {
    sed 's/$/\r/' "$here/accept_declarations.cu" >x.cu
    expect_status 0 "$UMCC" --extended-lambda -o prog x.cu
    [ -n "$why" ] || expect_status 0 ./prog
}

lacking_libraries() {
    for header in cufft.h cuda_fp8.h; do
        printf '#include <%s>\nint main() {}\n' $header >a.cu
        expect_status 1 "$UMCC" a.cu -o a
        expect_in "$work/err" "$header: "
        expect_in "$work/err" "is not part of the simulator"
    done
    printf '#include <cstdio>\n # include <thrust/shuffle.h>\n#include "helper_cuda.h"\nint main() {}\n' >a.cu
    expect_status 1 "$UMCC" a.cu -o a
    expect_in "$work/err" "umcc: thrust/shuffle.h belongs to Thrust: "
    expect_in "$work/err" "umcc: helper_cuda.h belongs to NVIDIA's samples: "
    mkdir -p own/thrust && : >own/thrust/shuffle.h && echo '#error mine' >helper_cuda.h
    expect_status 1 "$UMCC" -Iown a.cu -o a
    ! grep -q "belongs to" "$work/err" || fail "headers that are there are called missing"
}

# A real cuBLAS would start its kernel; the host's compiler links this one, too.
blas_of_the_host() {
    local lib
    lib=$(dirname "$(dirname "$UMCC")")/lib
    echo '#include <cublas_v2.h>
int main() { cublasHandle_t h; float x[8] = {1}, r, *d; cublasCreate(&h); cudaMalloc((void **)&d, 4096);
    return 10 * (cublasSasum(h, 8, x, 1, &r) == CUBLAS_STATUS_EXECUTION_FAILED) +
           (cublasSasum(h, 2000, d, 1, &r) == CUBLAS_STATUS_EXECUTION_FAILED); }' >a.cpp
    expect_status 0 g++ "-I$(dirname "$lib")/include" -o prog a.cpp "-L$lib" -lcublas -lcudart "-Wl,-rpath,$lib"
    expect_status 11 ./prog
    expect_in "$work/err" "cublasSasum: x, 32 bytes at "
    expect_in "$work/err" "cublasSasum: x should have 8000 bytes at "
}

for file in "$here"/accept_*.cu; do
    name=$(basename "$file" .cu)
    case_of "accepts ${name#accept_}" accepts "$name"
done
for file in "$here"/reject_*.cu; do
    name=$(basename "$file" .cu)
    case_of "rejects ${name#reject_}" rejects "$name"
done
case_of "reports threads that wait in vain" stuck stuck
case_of "reports kernels of kernels that fail" stuck nested_stuck
case_of "rejects a brace that is never closed" rejects_text 1:12 "'{' is never closed" 'int main()   {'
case_of "rejects a launch that is never closed" rejects_text 2:15 "this <<< has no matching >>>" \
    '__global__ void k() {}
int main() { k<<<1, 1>>; }'
case_of "lines may end as Windows ends them" windows_lines
case_of "help and version" help_and_version
case_of "bad usage is named, exit 2" bad_usage
case_of "missing files are named, nothing is left" missing_files
case_of "files without permission are named" no_permission
case_of "object files get their names" objects
case_of "a failure keeps what was there" a_failure_keeps_what_was_there
case_of "macros and headers from the command line" defines_and_includes
case_of "options for a real GPU are accepted" for_a_gpu_only
case_of "__CUDA_ARCH__ is what -arch says" the_architecture
case_of "options stand in files, too" options_from_files
case_of "dependencies for make" dependencies
case_of "commands are shown" shows_its_commands
case_of "intermediate files are kept on request" keeps_intermediate_files
case_of "several inputs of several languages" several_languages
case_of "the host's compiler links what -dc and -dlink made" host_links
case_of "CMake builds a project" cmake_projects
case_of "cuBLAS names an array that kernels do not reach" blas_of_the_host
case_of "each file has device variables of its own, but with -rdc=true" files_of_their_own
case_of "shared and static libraries" libraries
case_of "debugging, levels and versions of the language" debugging_and_levels
case_of "warnings are the user's own" warnings
case_of "OpenMP's threads begin at their creator's time, who goes on at their latest" openmp
case_of "libraries that the simulator lacks are named in a line" lacking_libraries
case_of "an interrupted run leaves nothing" interrupted
case_of "umcc is found through a link" found_through_a_link
case_of "the toolkit's headers do not come first" toolkit_headers_do_not_come_first

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
