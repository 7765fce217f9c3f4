# Cases of run.sh: the warnings that nvcc gives without being asked.
# shellcheck shell=bash disable=SC2034,SC2154 # $UMCC, $work, $here and $skip are run.sh's

# Each line: the place (nothing: no warning), the message, the statement of a kernel `k(int *o, double d, long n)`.
given_warnings() {
    local place message source
    while IFS='|' read -r place message source; do
        [ -z "$why" ] || return
        printf '#include <cstdio>\n[[nodiscard]] __device__ int kept(int x) { return x; }\n' >x.cu
        printf '__global__ void k(int *o, double d, long n)\n{\n%s\n}\n' "$source" >>x.cu
        expect_status 0 "$UMCC" -c x.cu
        if [ -n "$place" ]; then
            expect_in "$work/err" "x.cu:$place: warning: $message"
            [ "$(grep -c warning: "$work/err")" = 1 ] || fail "more than one warning: $source"
        else
            [ ! -s "$work/err" ] || fail "a warning: $source"
        fi
        expect_status 0 "$UMCC" -c -w x.cu
        [ ! -s "$work/err" ] || fail "-w does not silence: $source"
    done <<'END'
5:8|format ‘%d’ expects argument of type ‘int’, but argument 2 has type ‘double’|printf("%d\n", d);
5:8|format ‘%d’ expects a matching ‘int’ argument|printf("%f %d\n", d);
5:8|too many arguments for format|printf("%f\n", d, d);
5:8|format ‘%d’ expects argument of type ‘int’, but argument 2 has type ‘long int’|printf("%d\n", n);
||printf("%u %x %p %ld %zu %c\n", -1, 1, o, n, sizeof n, 'c'); printf("");
5:5|ignoring return value of ‘int kept(int)’|kept(*o);
||atomicAdd(o, 1); __shfl_sync(~0u, *o, 1); o[0] == 3;
5:9|statement is unreachable|return; o[0] = 3;
5:9|statement is unreachable|return; for (;;) o[0]++;
||if (*o) return; o[0] = 3; switch (*o) { case 1: return; default: return; } out: return; goto out;
||{ return; case_of: o[0] = 3; } goto case_of;
END
}
missing_return() {
    cat >x.cu <<'END'
__device__ int f(int x) { if (x > 1) return 1; }
__device__ int g(int) { }
__device__ int h(int x) { if (x > 1) return 1; else return 2; }
__device__ int l(int x) { for (;;) if (x++ > 1) return 1; }
END
    expect_status 0 "$UMCC" -c x.cu
    expect_in "$work/err" "x.cu:1:48: warning: control reaches end of non-void function"
    expect_in "$work/err" "x.cu:2:25: warning: no return statement in function returning non-void"
    [ "$(grep -c warning: "$work/err")" = 2 ] || fail "not two warnings"
}
# g++ refuses them everywhere, nvcc takes them in device code.
casts_of_addresses() {
    printf '__global__ void k(int *o) { o[0] = (int)o; }\n' >x.cu
    expect_status 0 "$UMCC" -c x.cu
    expect_in "$work/err" "x.cu:1:"
    expect_in "$work/err" "conversion from pointer to smaller integer"
    for source in 'int h(int *p) { return (int)p; }' '__host__ __device__ int h(int *p) { return (int)p; }' \
        '__device__ int h(int *p) { int x = p; return x; }' \
        '__device__ int h(int *p) { return static_cast<int>(p); }'; do
        printf '%s\n' "$source" >x.cu
        expect_status 1 "$UMCC" -c x.cu
        expect_in "$work/err" "x.cu:1:"
    done
}
