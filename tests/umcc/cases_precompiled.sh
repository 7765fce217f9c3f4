# Cases of run.sh: headers that were compiled beforehand change nothing but the time.
# shellcheck shell=bash disable=SC2034,SC2154 # $UMCC, $work, $here and $skip are run.sh's

# An umcc with a folder of its own, in which no header is compiled beforehand, and the sources.
begin_precompiled() {
    own=$work/case/own
    mkdir -p "$own/bin"
    cp "$(readlink -f "$UMCC")" "$own/bin/umcc"
    ln -s "$(readlink -f "$(dirname "$UMCC")/../include")" "$own/include"
    ln -s "$(readlink -f "$(dirname "$UMCC")/../lib/libumsim.so")" "$own/libumsim.so"
    write_program
    cat >seldom.cu <<'END'
__global__ void seldom(unsigned *p) { p[0] = __vadd2(p[0], p[1]); }
int main() { return 0; }
END
    cat >warned.cu <<'END'
#include <cstdio>
__global__ void warned(int *p) { *p = 1; }
int main() { printf("%d\n", "no number"); return 0; }
END
    cat >wrong.cu <<'END'
__global__ void wrong(int *p) { *p = missing; }
int main() { return 0; }
END
    cp "$here/accept_rows.cu" "$here/accept_warp.cu" "$here/accept_proved.cu" .
}
# all_of FOLDER OPTIONS...: what umcc makes of each source, and says of it.
all_of() {
    local folder=$1 source
    shift
    mkdir "$folder"
    for source in x seldom warned wrong accept_rows accept_warp accept_proved; do
        "$own/bin/umcc" --extended-lambda "$@" -c -o "$folder/$source.o" "$source.cu" 2>"$folder/$source.err"
        echo $? >"$folder/$source.status"
    done
}
# compilers SOURCE: how often g++ compiles something for it.
compilers() {
    "$own/bin/umcc" -v -c -o /dev/null "$1" 2>&1 | grep -c -- ' -S '
}
precompiled_headers() {
    local one
    begin_precompiled
    all_of without
    expect_status 0 "$own/bin/umcc" --precompile
    all_of with
    diff -r without with >"$work/err" || fail "what umcc makes depends on headers compiled beforehand"
    [ "$(cat with/wrong.status with/warned.status with/x.status)" = "1
0
0" ] || fail "the sources are not what they are to be"
    [ "$(compilers x.cu)" = 2 ] || fail "the headers were not used, or to no avail"
    expect_status 0 "$own/bin/umcc" --precompile
    [ "$(find "$own/lib/umlab/headers" -type f | wc -l)" = 4 ] || fail "made twice they are there twice"
    for one in "$own"/lib/umlab/headers/*.gch; do
        truncate -s 100000 "$one"
    done
    all_of cut
    diff -r without cut >"$work/err" || fail "what umcc makes depends on headers that are damaged"
    [ "$(compilers x.cu)" = 4 ] || fail "g++ takes damaged headers, so the test tests nothing"
    rm "$own"/lib/umlab/headers/*.gch
    all_of removed
    diff -r without removed >"$work/err" || fail "what umcc makes depends on headers that are gone"
}
precompiled_for_these_options_only() {
    begin_precompiled
    expect_status 0 "$own/bin/umcc" --precompile -std=c++14
    [ "$(compilers x.cu)" = 2 ] || fail "other options"
    rm -f "$own"/lib/umlab/headers/*.gch
    [ "$(compilers x.cu)" = 2 ] || fail "headers for -std=c++14 are taken for another language"
    expect_status 2 "$own/bin/umcc" --precompile x.cu
    expect_in "$work/err" "--precompile takes no inputs"
}
# A module of NVRTC's has the same headers, and one more behind them.
precompiled_for_modules() {
    begin_precompiled
    mkdir "$own/lib"
    mv "$own/libumsim.so" "$own/lib/"
    printf '__global__ void k(int *p) { assert(*p == 1); }\n' >rtc.cu
    expect_status 0 "$own/bin/umcc" --precompile --cubin
    expect_status 0 "$own/bin/umcc" -v --cubin -D__CUDACC_RTC__ -o rtc.module rtc.cu
    [ "$(grep -c -- ' -S ' "$work/err")" = 2 ] || fail "2 compilations expected"
    rm "$own"/lib/umlab/headers/*.gch
    expect_status 0 "$own/bin/umcc" -v --cubin -D__CUDACC_RTC__ -o rtc.module rtc.cu
    [ "$(grep -c -- ' -S ' "$work/err")" = 4 ] || fail "its headers are not those compiled beforehand"
}
