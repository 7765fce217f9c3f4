# Cases of run.sh: what umcc's options make of programs, and how it works with other tools: the host's compiler, CMake,
# libraries.
# shellcheck shell=bash disable=SC2034,SC2154 # $UMCC, $work, $here and $skip are run.sh's

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
    expect_status 0 "$UMCC" -gencode arch=compute_70,code=sm_70 -gencode "arch=compute_80,code=[sm_80,compute_80]" \
        -run x.cu
    expect_in "$work/out" 800
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
    sed -i -e 's/^__constant__.*/extern __constant__ int table[2];/' -e 's/^__device__.*/extern __device__ int hits;/' \
        -e 's/.*__managed__.*/extern __managed__ int both;/' shared.h
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
    expect_status 0 g++ -Wl,--gc-sections -o prog2 link.o b.o a.o c.o "-L$lib" -lcudart_static -ldl -lrt \
        "-Wl,-rpath,$lib"
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
int main() { int *p; cudaMallocManaged(&p, 4); *p = 21; k<<<1, 1>>>(p); cudaDeviceSynchronize();
    printf("%d", *p); }' >a.cu
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
#include <omp.h>
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
    begin = umsim_time_ns();
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 3; i++) {
        umsim_host_work_ns(1000 * ((omp_get_thread_num() + i) % 4 + 1));
#pragma omp barrier
        at[omp_get_thread_num()] = umsim_time_ns() - begin;
#pragma omp barrier
    }
    printf("met at %llu %llu %llu %llu\n", at[0], at[1], at[2], at[3]);
    begin = umsim_time_ns();
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 2; i++)
            umsim_host_work_ns(omp_get_thread_num() ? 0 : 500);
#pragma omp single
        for (int i = 0; i < 4; i++) {
#pragma omp task
            umsim_host_work_ns(1000);
        }
        at[omp_get_thread_num()] = umsim_time_ns() - begin;
    }
    printf("tasks %d\n", at[0] == at[1] && at[0] >= 2000 && at[0] <= 5000);
}
END
    expect_status 0 "$UMCC" -Xcompiler -fopenmp -o prog x.cu
    expect_status 0 env UMSIM_CLOCK=real ./prog # with the modelled clock, delays of the system count
    expect_in "$work/out" "0 0 0 0 then 4000"
    expect_in "$work/out" "met at 12000 12000 12000 12000"
    expect_in "$work/out" "tasks 1"
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
    expect_status 0 env CPATH="$PWD/toolkit:$PWD" CPLUS_INCLUDE_PATH="$PWD/toolkit" "$UMCC" -c x.cu
    if bwrap --dev-bind / / --ro-bind toolkit /usr/local/include true 2>/dev/null; then
        expect_status 0 bwrap --dev-bind / / --ro-bind toolkit /usr/local/include "$UMCC" -c x.cu
        expect_status 0 bwrap --dev-bind / / --ro-bind toolkit /usr/local/include "$UMCC" -c -I/usr/local/include x.cu
    fi
}
windows_lines() {
    sed 's/$/\r/' "$here/accept_declarations.cu" >x.cu
    expect_status 0 "$UMCC" --extended-lambda -o prog x.cu
    [ -n "$why" ] || expect_status 0 ./prog
}
# A g++ that fails by an error of its own unless it makes no vectors of loops, as g++ 12 for arm64 does for some.
internal_errors() {
    write_program
    mkdir bin
    cat >bin/g++ <<END
#!/bin/sh
case " \$* " in
*" -fno-tree-vectorize "*) ;;
*" -S "*) echo "x.cu:1:1: internal compiler error: in vect" >&2; exit 1 ;;
esac
echo "\$*" >>"$PWD/said"
exec $(command -v g++) "\$@"
END
    chmod +x bin/g++
    expect_status 0 "$UMCC" -ccbin bin -o prog x.cu
    expect_status 0 ./prog
    expect_in "$work/out" 41
    expect_in said "-fno-tree-vectorize"
    # another one has nothing that helps, and is shown
    sed -i 's/ -fno-tree-vectorize / -fno-such-thing /' bin/g++
    expect_status 1 "$UMCC" -ccbin bin -o prog x.cu
    expect_in "$work/err" "internal compiler error: in vect"
}
lacking_libraries() {
    printf '#include <cstdio>\n # include <thrust/mr/pool.h>\n#include "helper_cuda.h"\nint main() {}\n' >a.cu
    expect_status 1 "$UMCC" a.cu -o a
    expect_in "$work/err" "umcc: thrust/mr/pool.h belongs to Thrust: "
    expect_in "$work/err" "umcc: helper_cuda.h belongs to NVIDIA's samples: "
    mkdir -p own/thrust/mr && : >own/thrust/mr/pool.h && echo '#error mine' >helper_cuda.h
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
what_is_not_defined() {
    cat >x.cu <<'END'
#include <cstdio>
struct number { int value; __host__ __device__ operator int() const { return value; } };
__host__ __device__ int taken(int x) { return x; }
__global__ void argument(int *o, float f) { *o = taken(f); }
__global__ void result(int *o, double f) { auto whole = [](double v) -> signed char { return v; }; *o = whole(f); }
__global__ void shift(int *o, number n) { *o = n << 33; }
int main(int, char **words)
{
    const char which = *words[1];
    const float value = which < 'a' ? 7.5f : 3e9f;
    int *o;
    cudaMallocManaged(&o, 4);
    if (taken(value) == 1) // on the host: the processor's answer, without a word
        return 1;
    if ((which | 32) == 'a')
        argument<<<1, 1>>>(o, value);
    else if ((which | 32) == 'r')
        result<<<1, 1>>>(o, value);
    else
        shift<<<1, 1>>>(o, number{1});
    const cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        printf("%d\n", *o);
    return error;
}
END
    expect_status 0 "$UMCC" -o prog x.cu
    expect_status 0 ./prog A
    expect_in "$work/out" 7
    expect_status 0 ./prog R
    expect_in "$work/out" 7
    expect_status 207 ./prog a # cudaErrorLaunchFailure, 719, as a status
    expect_in "$work/err" "kernel argument made a 'int' of 3e+09, a 'float' that it cannot hold (x.cu:4)"
    expect_status 207 ./prog r
    expect_in "$work/err" "made a 'signed char' of 3e+09, a 'double' that it cannot hold (x.cu:5)"
    expect_status 207 ./prog s
    expect_in "$work/err" "kernel shift shifted a 'int', 1, by 33 bits"
}
# A program's own checks of undefined behaviour on the host are the host's compiler's.
checked_by_the_host() {
    cat >x.cu <<'END'
#include <cstdio>
__global__ void k() {}
int main(int argc, char **)
{
    k<<<1, 1>>>();
    const volatile float large = 3e9f * argc;
    return (1 << (31 + argc)) + (int)large == 0 && cudaDeviceSynchronize();
}
END
    expect_status 0 "$UMCC" -Xcompiler -fsanitize=shift -Xcompiler -fsanitize=float-cast-overflow -o prog x.cu
    ./prog >/dev/null 2>"$work/err"
    expect_in "$work/err" "shift exponent 32 is too large"
    expect_in "$work/err" "3e+09 is outside the range of representable values"
}
text_that_cannot_be_rewritten() {
    cat >x.cu <<'END'
__global__ void k(int *o, int n) { int i = threadIdx.x; if (i < n) o[i] = unknown << n; }
int main() {}
END
    expect_status 1 "$UMCC" -o prog x.cu
    expect_in "$work/err" "o[i] = unknown << n"
    ! grep -q defined "$work/err" || fail "the message is about umcc's own text"
}
# Whole numbers are the same to the bit. Of floating-point ones the bits of a NaN and exp()'s last ones are the
# processor's.
as_an_h200_answered() {
    expect_status 0 "$UMCC" -o prog "$here/asked.cu"
    expect_status 0 ./prog
    grep -v '^fast' "$here/measured/asked-h200.txt" >wanted
    [ "$(wc -l <wanted)" = 94 ] || fail "$(wc -l <wanted) answers are kept"
    grep -v '^fast' "$work/out" | diff wanted - >differs || fail "$(cat differs)"
    sed -n 's/ sqrt .*//; /^fast.*7fffffff/d; /^fast/p' "$here/measured/asked-h200.txt" >wanted
    sed 's/ sqrt .*//' "$work/out" | grep -cxFf wanted | grep -qx "$(wc -l <wanted)" ||
        fail "quotients or products differ"
}
