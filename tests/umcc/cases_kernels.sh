# Cases of run.sh: what nvcc refuses about kernels and launches, umcc refuses, too, in a line of its own.
# shellcheck shell=bash disable=SC2034,SC2154 # $UMCC, $work, $here and $skip are run.sh's

# Each line: the place, the message, the source.
refused_kernels() {
    local place message source
    while IFS='|' read -r place message source; do
        [ -z "$why" ] || return
        rejects_text "$place" "$message" "$source"
    done <<'END'
1:26|this __global__ belongs to no function's declaration|int main() { auto f = [] __global__ (int *) {}; f(nullptr); }
1:17|a __global__ function must have a void return type|__global__ int *k(int *p) { return p; }
1:17|a __global__ function must not have a deduced return type|__global__ auto k(int *p) { *p = 1; }
1:33|a __global__ function cannot have a parameter with rvalue reference type|__global__ void k(int *p, int &&r) { }
1:27|a __global__ function cannot have ellipsis|__global__ void k(int *p, ...) { *p = 1; }
1:27|an exception specification is not allowed for a __global__ function|__global__ void k(int *p) noexcept { *p = 1; }
1:30|an operator function cannot be a __global__ function|struct A {}; __global__ void operator+(A, int *p) { *p = 1; }
1:26|a __global__ function can be neither __host__ nor __device__|__host__ __global__ void k(int *p) { *p = 1; }
1:27|a __global__ function cannot be constexpr|constexpr __global__ void k(int *p) { *p = 1; }
1:33|a __global__ function("k") redeclared without __global__|__global__ void k(int *p); void k(int *o) { *o = 1; }
1:33|a __host__ function("k") redeclared with __global__|void k(int *p); __global__ void k(int *o) { *o = 1; }
1:32|a host function call cannot be configured: "h" is no kernel|void h(int *) { } int main() { h<<<1, 1>>>(nullptr); }
END
}
# What only the compiler can tell is on its first line.
refused_by_the_compiler() {
    local message source
    while IFS='|' read -r message source; do
        [ -z "$why" ] || return
        printf '%s\n' "$source" >x.cu
        expect_status 1 "$UMCC" -c x.cu
        grep -qE "x.cu:1:[0-9]+: error: static assertion failed: $message" "$work/err" || fail "no message: $message"
        expect_no_file x.o
    done <<'END'
a __global__ function must have a void return type|typedef int number; __global__ number k(int *p) { *p = 1; }
a host function call cannot be configured: "f"|int main() { auto f = [](int *) {}; f<<<1, 1>>>(nullptr); }
a host function call cannot be configured: "time"|int main() { time<<<1, 1>>>(nullptr); }
a kernel's parameter is a reference by the name of its type|typedef int &r; __global__ void k(r p) { p = 1; }
kernel "k" uses too much shared memory .49152 bytes max.|__global__ void k(int *) { __shared__ int a[12289]; *a = 1; }
kernel "k" uses too|__global__ void k(int *) { __shared__ int a[9000]; *a = 1; { __shared__ int b[9000]; *b = 1; } }
kernel "k" uses too|template <int N> __global__ void k() { __shared__ int a[N]; *a = 1; } template void k<12289>();
the kernel's parameters take more bytes than a launch can pass|struct S { char c[32765]; }; __global__ void k(S) { }
END
}
# What fits, is not used, or is a template that nobody has made is no mistake.
shared_memory_that_fits() {
    cat >x.cu <<'END'
__global__ void fits(int *p) { __shared__ int a[12288]; a[*p] = 1; }
template <int N> __global__ void never(int *p) { __shared__ int a[20000]; __shared__ int b[N]; b[*p] = 1; a[N] = 2; }
template <int N> __global__ void small(int *p) { __shared__ int b[N]; b[*p] = 1; }
template __global__ void small<12288>(int *p);
END
    expect_status 0 "$UMCC" -c x.cu
    expect_status 1 "$UMCC" -c -o y.o -x cu - <<<'__global__ void k(int *p) { __shared__ int a[20000]; a[*p] = 1; }'
    expect_in "$work/err" "80000 <= 49152"
}
# A pointer may lead to a function of the host: no stub takes such a launch.
launch_of_a_host_function() {
    cat >x.cu <<'END'
#include <cstdio>
__global__ void add(int *p, int n) { *p += n; }
void add(int *p) { *p = 100; }
int main()
{
    int value = 0;
    void (*f)(int *) = add;
    f<<<1, 1>>>(&value);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    add<<<1, 1>>>(&value);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
END
    expect_status 0 "$UMCC" -run x.cu
    expect_in "$work/err" "x.cu:8: the function that was launched with <<<...>>> is no kernel: it has run on the host"
    expect_in "$work/err" "x.cu:10: the function that was launched"
    [ "$(grep -c cudaErrorInvalidDeviceFunction "$work/out")" = 2 ] || fail "not two errors: $(cat "$work/out")"
}

# What functions of these headers do with threadIdx is no matter of a kernel that calls none of them: it keeps no
# indices for others to look at, which costs it its vectors.
alone_among_headers() {
    local header
    for header in cub/cub.cuh thrust/device_vector.h thrust/sort.h cooperative_groups/reduce.h curand_kernel.h mma.h; do
        printf '#include <%s>\n__global__ void twice(float *x) { x[blockDim.x * blockIdx.x + threadIdx.x] *= 2; }\n' \
            "$header" >x.cu
        expect_status 0 "$UMCC" -w --no-count -c x.cu
        if nm x.o | grep -q umsim_builtins; then
            fail "<$header>: a kernel keeps its indices for functions that it does not call"
        fi
    done
    printf '__device__ int f() { return threadIdx.x; }\n__global__ void own(int *x) { x[f()] = 1; }\n' >x.cu
    expect_status 0 "$UMCC" -w --no-count -c x.cu
    nm x.o | grep -q umsim_builtins || fail "a kernel that calls one does not"
}
# A method that waits is found however it is called; a variable of its name is no call.
methods_that_wait() {
    expect_status 0 "$UMCC" -w --report-transformations -o x "$here/methods.cu"
    expect_in "$work/err" ": alone: guard, numbered"
    expect_status 0 ./x
}
