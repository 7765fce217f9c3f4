# Cases of run.sh: what umcc says of its command line, and which files it reads, writes and leaves.
# shellcheck shell=bash disable=SC2034,SC2154 # $UMCC, $work, $here and $skip are run.sh's

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
# What the linker or the program would refuse in words that say nothing.
not_with_the_simulator() {
    write_program
    for option in -static "-Xcompiler -static" "-Xlinker -static" "-Xcompiler -static-pie"; do
        # shellcheck disable=SC2086 # two words
        expect_status 2 "$UMCC" $option -o prog x.cu
        expect_in "$work/err" "umcc: -static: the simulator is a shared library only"
    done
    expect_status 2 "$UMCC" -Xcompiler -g,-fsanitize=thread -o prog x.cu
    expect_in "$work/err" "-fsanitize=thread does not go with the simulated GPU"
    [ "$(ls)" = x.cu ] || fail "left: $(ls)"
    expect_status 0 "$UMCC" -Xcompiler -fsanitize=thread -c x.cu
    expect_status 0 "$UMCC" -Xcompiler -static-libstdc++,-static-libgcc -cudart static -o prog x.cu
    expect_status 0 ./prog
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
    export NVCC_PREPEND_FLAGS='-DADD=5' NVCC_APPEND_FLAGS='"-DOTHER=1 + 1" -O2'
    expect_status 0 "$UMCC" -o prog x.cu
    expect_status 0 ./prog
    expect_in "$work/out" 45
    unset NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS
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
    expect_status 0 "$UMCC" -MM -MP -MF only -MT target x.cu
    expect_in only "own.h:"
    expect_in only "target: x.cu own.h"
    [ ! -s "$work/out" ] || fail "-MM -MF prints"
    expect_status 0 "$UMCC" -M -MF unused -o named x.cu
    expect_in named "cuda_runtime.h"
    expect_no_file unused
}
through_ccache() {
    command -v ccache >/dev/null || { skip="no ccache"; return; }
    write_program
    export CCACHE_DIR=$work/tmp/ccache
    for object in first.o second.o; do
        expect_status 0 ccache "$UMCC" -O2 -c -o "$object" x.cu
    done
    cmp -s first.o second.o || fail "the two objects differ"
    ccache --print-stats >stats
    grep -qE '^(direct|preprocessed)_cache_hit.1$' stats || fail "no hit: $(tr '\n' ' ' <stats)"
    unset CCACHE_DIR
    rm -rf "$work/tmp/ccache"
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
# One kernel for each transformation; as written they run as `plain_blocks`, or as `threads` on fibers.
write_transformed() {
    cat >x.cu <<'END'
#include <cstdio>
__global__ void guarded(int *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] += i; }
__global__ void row(int *p) { p[blockIdx.y * gridDim.x * blockDim.x + blockIdx.x * blockDim.x + threadIdx.x] += 2; }
__global__ void strides(int *p, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i] *= 3;
}
__global__ void cut(int *p) {
    __shared__ int s[64];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
    int *p, sum = 0;
    if (cudaMallocManaged(&p, 512 * sizeof *p) != cudaSuccess)
        return 2;
    for (int i = 0; i < 512; i++)
        p[i] = i;
    guarded<<<8, 64>>>(p, 500);
    row<<<dim3(2, 4), 64>>>(p);
    strides<<<2, 64>>>(p, 511);
    cut<<<1, 64>>>(p);
    cudaDeviceSynchronize();
    for (int i = 0; i < 512; i++)
        sum = sum * 31 + p[i];
    printf("%d\n", sum);
    return 0;
}
END
}
forms_of() {
    tr '\n' ' ' <"$1" | grep -o 'umsim::launch<::umsim::[a-z_]*' | sed 's/.*:://' | tr '\n' ' '
}
plain_leaves_loops_and_barriers() {
    local how
    write_transformed
    expect_status 0 "$UMCC" --keep -o prog x.cu
    [ "$(forms_of x.cu.cpp.ii)" = "guarded_numbered_blocks blocks anonymous_strides fission " ] ||
        fail "umcc transforms otherwise: $(forms_of x.cu.cpp.ii)"
    expect_status 0 ./prog
    mv "$work/out" expected
    for how in --plain -plain -O0 -G "-G -O3" "--plain -O3"; do
        # shellcheck disable=SC2086 # several options
        expect_status 0 "$UMCC" $how --keep -o prog x.cu
        [ "$(forms_of x.cu.cpp.ii)" = "plain_blocks plain_blocks plain_blocks threads " ] ||
            fail "$how: $(forms_of x.cu.cpp.ii)"
        expect_status 0 ./prog
        cmp -s expected "$work/out" || fail "$how: another result"
    done
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
# What may be transformed is: a lost proof is no wrong result, but a slow kernel.
transforms_what_it_can_prove() {
    cat >x.cu <<'END'
__global__ void row(float *a, const float *b, int n)
{
    constexpr int once = 1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += b[i] * once;
}
__global__ void wide(float *a, const float *b, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    a[i] += b[i];
}
__global__ void plane(float *a, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        a[y * w + x] = 1;
}
__global__ void moved(float *a, int w, int h, int dx)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + dx, y = blockIdx.y;
    if ((unsigned)x < (unsigned)w && (unsigned)y < (unsigned)h)
        a[y * w + x] = 1;
}
__global__ void stride(float *a, const float *b, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] += b[i];
}
__global__ void sum(float *a, const float *b, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? b[i] : 0;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        a[blockIdx.x] = s[0];
}
struct bump {
    __device__ void operator()(int &x) const
    {
        ++x;
    }
};
__global__ void carried(int *a, int n)
{
    int k = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        bump()(k);
        a[i] = k;
    }
}
__global__ void product(int *c, const int *a, const int *b, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
END
    for level in -O1 -O2 -O3 "-std=c++11 -O3"; do
        # shellcheck disable=SC2086 # several options
        expect_status 0 "$UMCC" $level --report-transformations -c x.cu
        sed 's/: it is not proved that nothing passes from one turn .*/: not proved/' "$work/err" >report
        cat >expected <<'END'
umcc: x.cu:2: row: guard, numbered
umcc: x.cu:9: wide: guard, numbered
umcc: x.cu:16: plane: guard
umcc: x.cu:22: moved: guard
umcc: x.cu:28: stride: loop
umcc: x.cu:33: sum: fission, steady
umcc: x.cu:53: carried: none: not proved
umcc: x.cu:61: product: guard, fission, turned
END
        cmp -s report expected || fail "$level: $(diff report expected)"
    done
}
