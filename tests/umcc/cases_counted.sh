# Cases of run.sh: kernels have a second form that counts accesses.
# shellcheck shell=bash disable=SC2034,SC2154 # $UMCC, $work, $here and $skip are run.sh's

# Both forms are one program, and a file without the second one is what it was.
counted_forms() {
    local option
    for option in --no-count -O3; do
        expect_status 0 "$UMCC" $option -o prog "$here/counted/forms.cu"
        expect_status 0 ./prog
        expect_in "$work/out" right
    done
}
# Threads that wait find what they had on their stacks, in either form: where they are cut, and where they are not.
counted_stacks() {
    expect_status 0 "$UMCC" -O3 --report-transformations -o prog "$here/counted/stacks.cu"
    expect_in "$work/err" 'remember: fission'
    expect_status 0 ./prog
    expect_in "$work/out" right
    expect_status 0 "$UMCC" --plain -o prog "$here/counted/stacks.cu"
    expect_status 0 ./prog
    expect_in "$work/out" right
}
# A block that is cut at its barriers is counted like one whose threads each run by themselves: accesses and barriers
# are the same; of whole numbers g++ may reckon more anew at each barrier, of others up to 6%, and a few.
counted_cut() {
    local option mark
    # Of one of its kernels g++ proves it only where it optimizes the proof as it does in the fast form.
    expect_status 0 "$UMCC" -O3 -w --report-transformations -c -o scan.o "$here/../programs/course/scan.cu"
    expect_in "$work/err" 'blelloch: fission'
    expect_not_in "$work/err" 'thread by thread where it is counted'
    for option in -O3 --plain; do
        expect_status 0 "$UMCC" $option --keep --report-transformations -o prog "$here/counted/cut.cu"
        expect_not_in "$work/err" 'thread by thread where it is counted'
        for mark in 'umsim_asks_own = 0' 'umsim_keeps_apart = 1' '__optimize__("O3", "tree-sra")' \
            '((__noinline__                 '; do # what compile.c makes of the headers' marks: none is lost
            expect_in cut.cu.counted.cpp.ii "$mark"
        done
        expect_in cut.cu.counted.cpp.ii "launch<::umsim::$([ $option = -O3 ] && echo fission || echo threads), "
        expect_status 0 env UMSIM_EXPLAIN=launch ./prog
        expect_in "$work/out" 'done'
        sed -n 's/ takes.*//; /<<</p; /sectors/p; /passes over/p; /barriers/p' "$work/err" >"same$option"
        sed -n 's/.*warps: \([^ ]*\) whole/\1 whole,/p' "$work/err" | sed 's/, [0-9.e+]* special//' >"near$option"
    done
    [ "$(grep -c barriers same-O3)" = 11 ] || fail 'not all kernels tell their barriers'
    cmp -s same-O3 same--plain || fail "counted otherwise: $(diff same-O3 same--plain | head -4 | tr '\n' ' ')"
    paste near-O3 near--plain | tr -d ',;%' | awk '{ n = NF / 2; if (NF % 2) bad = 1
        for (i = 1; i <= n; i++) if ($i ~ /^[0-9]/ && $(i + n) > 0) { most = $(i + 1) == "whole" ? 1.6 : 1.06
            if ($i > most * $(i + n) + 5 || $i * 1.06 + 5 < $(i + n)) bad = 1 } } END { exit bad || !NR }' ||
        fail "other instructions: $(paste near-O3 near--plain | tr '\n' '|')"
}
# Twice the same bytes, however many workers there are.
counted_times() {
    expect_status 0 "$UMCC" -o prog "$here/counted/times.cu"
    expect_status 0 ./prog
    cp "$work/out" first
    expect_status 0 env UMSIM_THREADS=1 ./prog
    cmp -s "$work/out" first || fail "a second run prints other times"
}
# What bounds each launch is told in words, the same in each run, and once for launches that are alike.
explained() {
    expect_status 0 "$UMCC" -o prog "$here/counted/times.cu"
    expect_status 0 env UMSIM_EXPLAIN=launch ./prog
    expect_in "$work/err" 'of it for this: the sectors that pass between the caches'
    expect_in "$work/err" '18.0 sectors of 32 bytes a request of a warp, of which 22% are asked for'
    expect_in "$work/err" '16.5 passes over shared memory a request'
    expect_in "$work/err" 'the bytes that cross the link'
    expect_in "$work/err" 'atomic operations on the same addresses'
    expect_in "$work/err" 'warps wait for what they read'
    expect_status 2 env UMSIM_EXPLAIN=launches ./prog
    # kernels enough that some share a place in the table of those that are told, wherever the program lies
    expect_status 0 "$UMCC" -std=c++17 -o prog "$here/../programs/course/reduction.cu"
    expect_status 0 env UMSIM_EXPLAIN=launch ./prog
    cp "$work/err" first
    for _ in 1 2 3; do
        expect_status 0 env UMSIM_EXPLAIN=launch ./prog
        cmp -s "$work/err" first || fail "a second run tells other launches"
    done
}
# Instructions are counted by class, once for all lanes of a warp that are together; barriers, too.
worked() {
    local line=0 told
    expect_status 0 "$UMCC" -o prog "$here/counted/work.cu"
    expect_status 0 env UMSIM_EXPLAIN=launch ./prog
    grep 'instructions of warps' "$work/err" >lines
    for told in '8.19e+04 float.*; 100% of' '2.62e+06 float.*; 4% of' '1.59e+05 float.*; 50% of' ' 8.2e+04 double' \
        '1.6e+04 special.* 8e+03 divisions'; do
        line=$((line + 1))
        sed -n "${line}p" lines | grep -q "$told" || fail "the kernel number $line was not told with $told"
    done
    expect_in "$work/err" '1e+03 barriers of blocks'
}
# Functions of other files, blocks that wait for the grid, kernels that kernels launch: each time follows its accesses.
counted_parts() {
    expect_status 0 "$UMCC" -rdc=true -std=c++17 -o prog "$here/counted/parts.cu" "$here/counted/far.cu"
    expect_status 0 ./prog
    cp "$work/out" first
    expect_status 0 env UMSIM_THREADS=1 ./prog
    cmp -s "$work/out" first || fail "a second run prints other times"
}
# Of long loops not each pass is looked at, but what they move, and what comes behind them, is told all the same.
counted_rest() {
    expect_status 0 "$UMCC" -o prog "$here/counted/rest.cu"
    expect_status 0 env UMSIM_EXPLAIN=launch ./prog
    expect_in "$work/out" right
    expect_in "$work/out" 'as long as many steps'
    grep -A4 'steps<<<' "$work/err" | grep -q '4.0 sectors' || fail "what comes behind many steps is not seen"
    expect_in "$work/err" 'device memory moves 0.51 MB'
    expect_in "$work/err" 'device memory moves 33.13 MB' # of 33.55: the cache has what was read before
    # The next two are what comes out when all is counted whole (UMSIM_COUNT_THREAD_LINES of 2^22).
    grep -A6 'again<<<' "$work/err" | grep -q 'waits *275.80 us' || fail "what is read again waits differently"
    grep -A6 'table<<<' "$work/err" | grep -q 'waits *762.14 us' || fail "a small table is waited for, not what is new"
    [ "$(grep -c 'atomics *11.96 us' "$work/err")" = 2 ] || fail "additions behind a long loop come to something else"
}
# Parts of sectors that another instruction has fetched: none of the launches of a sorting network takes days.
counted_exchange() {
    expect_status 0 "$UMCC" -o prog "$here/counted/exchange.cu"
    expect_status 0 ./prog
    expect_in "$work/out" ok
}
# Device variables lie in a section of their own, and g++ may define others in the midst of it.
counted_variables() {
    expect_status 0 "$UMCC" --report-transformations -o prog "$here/counted/variables.cu"
    expect_not_in "$work/err" 'no form that counts'
    expect_status 0 env UMSIM_EXPLAIN=launch ./prog
    expect_in "$work/out" right
    expect_not_in "$work/err" 'no form that counts'
    expect_status 0 "$UMCC" --no-count -o prog "$here/counted/variables.cu"
    expect_status 0 env UMSIM_EXPLAIN=launch ./prog
    expect_in "$work/err" 'this kernel has no form that counts, so it is priced by the pages'
}
# Divisions by zero give the same in both forms: what they give, accept_divided.cu checks itself.
counted_divisions() {
    local option
    for option in -O3 --no-count; do
        expect_status 0 "$UMCC" -std=c++17 $option -o prog "$here/accept_divided.cu"
        expect_status 0 env UMSIM_EXPLAIN=launch ./prog
        expect_in "$work/out" 'long long: 7 by 0 is 4294967295 and 4294967295, in a function 4294967295 and 4294967295'
        cp "$work/out" "out$option"
        [ $option = --no-count ] || expect_in "$work/err" ' divisions, '
    done
    cmp -s out-O3 out--no-count || fail "the forms differ: $(diff out-O3 out--no-count | head -4 | tr '\n' ' ')"
}
# Functions may be called like registers and instructions: what they do is counted all the same.
counted_names() {
    local told
    cat >x.cu <<'END'
#define NAMED(name)                                                                                                    \
    extern "C" __device__ __noinline__ float name(float v)                                                             \
    {                                                                                                                  \
        for (int i = 0; i < 1024; i++)                                                                                 \
            v = v * 1.0001f + 0.5f;                                                                                    \
        return v;                                                                                                      \
    }                                                                                                                  \
    __global__ void by_##name(float *out)                                                                              \
    {                                                                                                                  \
        out[threadIdx.x] = name((float)threadIdx.x) + 1.0f;                                                            \
    }
#define ALL(_) _(plain) _(x1) _(s8) _(sp) _(lsl) _(eq) _(a) _(lo12) _(b) _(bl) _(rax) _(call)
#define RUN(name) by_##name<<<1, 32>>>(out);
ALL(NAMED)
int main()
{
    float *out;
    cudaMalloc(&out, 128);
    ALL(RUN)
    return cudaDeviceSynchronize() != cudaSuccess;
}
END
    expect_status 0 "$UMCC" -o prog x.cu
    expect_status 0 env UMSIM_EXPLAIN=launch ./prog
    told=$(grep 'instructions of warps' "$work/err" | sort | uniq -c)
    case $told in *' 12 umsim: '*' 1.02e+03 float, '*) ;; *) fail "counted are $told" ;; esac
}
# What cannot have a second form compiles as ever.
not_counted() {
    cat >x.cu <<'END'
#include <cstdio>
__global__ void k(int *a)
{
    static __device__ int calls;
    a[threadIdx.x] = atomicAdd(&calls, 1) >= 0;
}
__int128 wide;
int main()
{
    int *a, sum = 0;
    cudaMallocManaged(&a, 32 * sizeof *a);
    k<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++)
        sum += a[i];
    asm volatile(".pushsection .rodata\numsim_asked: .long 1\n.popsection" ::);
    cudaFree(a);
    printf("%d\n", sum + (int)__atomic_load_n(&wide, __ATOMIC_SEQ_CST));
}
END
    expect_status 0 "$UMCC" -o prog x.cu -latomic
    expect_status 0 ./prog
    expect_in "$work/out" 32
    sed -i '/__atomic/s/ + (int).*)/)/' x.cu
    for option in -Xcompiler=-flto -g -O0 -G -fPIC "-Xcompiler -fsanitize=undefined" --check; do
        # shellcheck disable=SC2086 # some are two words
        expect_status 0 "$UMCC" $option -o prog x.cu
        expect_status 0 ./prog
        expect_in "$work/out" 32
    done
    # Where functions are called by addresses in registers, it cannot be seen which form is called.
    expect_status 0 "$UMCC" -Xcompiler -mcmodel=large -o prog x.cu
    expect_status 0 env UMSIM_EXPLAIN=launch ./prog
    expect_in "$work/out" 32
    expect_in "$work/err" 'this kernel has no form that counts'
}
