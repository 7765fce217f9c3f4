#!/usr/bin/env bash
# Installs what a fresh machine lacks, so that `make lab3` works. Run it again at any time: what is there stays.
#
#   ./setup.sh           what students need: compilers, CUnit, cJSON, KissFFT, Doxygen, Python with numpy and matplotlib
#   ./setup.sh --dev     also what .ci/run and instructors use: linters, valgrind, cross compiler, Slurm, ...
#   ./setup.sh --check   installs nothing; lists what is missing, exit 1 when something is
#
# System packages come by apt-get (Debian, Ubuntu) or dnf (Fedora), with sudo when you are not root; Python packages go
# into .venv here. The CUDA toolkit is not installed: where there is one, make finds it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

usage="usage: ./setup.sh [--dev] [--check] [--help]"
dev=no check=no
for argument in "$@"; do
    case $argument in
    --dev) dev=yes ;;
    --check) check=yes ;;
    --help | -h)
        sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
        exit 0
        ;;
    *)
        echo "setup.sh: unknown option '$argument'; $usage" >&2
        exit 2
        ;;
    esac
done

say() { echo "setup: $*"; }
die() {
    echo "setup: $1" >&2
    exit "${2:-1}"
}

# ---- which packages, by package manager ----
if command -v apt-get >/dev/null; then
    manager=apt
    packages=(gcc g++ make libc6-dev libcunit1-dev libcjson-dev libkissfft-dev doxygen graphviz python3 python3-venv)
    dev_packages=(git clang-format clang-tidy cppcheck shellcheck gdb valgrind bubblewrap debootstrap
        gcc-aarch64-linux-gnu libc6-dev-arm64-cross slurm-wlm munge chromium chromium-driver firefox-esr
        pocl-opencl-icd ocl-icd-opencl-dev clang lld wasi-libc libclang-rt-dev-wasm32)
    # Ubuntu has Chromium and Firefox as snaps only, which containers cannot run.
    if grep -q '^ID=ubuntu' /etc/os-release; then
        dev_packages=("${dev_packages[@]/#chromium*/}")
        dev_packages=("${dev_packages[@]/#firefox*/}")
    fi
elif command -v dnf >/dev/null; then
    manager=dnf
    packages=(gcc gcc-c++ make glibc-devel CUnit-devel cjson-devel kissfft-devel doxygen graphviz python3 python3-pip)
    dev_packages=(git clang-tools-extra cppcheck ShellCheck gdb valgrind bubblewrap debootstrap gcc-aarch64-linux-gnu
        slurm slurm-slurmd slurm-slurmctld munge chromium chromedriver pocl opencl-headers
        ocl-icd)
else
    die "neither apt-get nor dnf is here. Install by hand: gcc, g++, make, CUnit, cJSON, KissFFT, Doxygen, Graphviz,\
 Python 3.11 or newer; on macOS and Windows use the Dockerfile" 2
fi
requirements=(requirements.txt)
if [ $dev = yes ]; then
    packages+=("${dev_packages[@]}")
    requirements+=(requirements-dev.txt)
fi

plugin_package() { # g++'s own headers, for sim/umcc/rows/
    if [ $manager = apt ]; then
        g++ -dumpversion | sed 's/\..*//; s/.*/gcc-&-plugin-dev/'
    else
        echo gcc-plugin-devel
    fi
}

installed() {
    if [ $manager = apt ]; then
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
    else
        rpm -q --whatprovides "$1" >/dev/null 2>&1
    fi
}

missing_of() {
    local package
    for package in "$@"; do
        [ -z "$package" ] || installed "$package" || echo "$package"
    done
}

install_packages() {
    local root=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || die "needs root to install $*; sudo is not here"
        root=(sudo)
    fi
    say "installing by $manager: $*"
    if [ $manager = apt ]; then
        "${root[@]}" apt-get update -q </dev/null >/dev/null
        "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@" \
            </dev/null >/dev/null
    else
        "${root[@]}" dnf install -q -y --setopt=install_weak_deps=False "$@" </dev/null
    fi
}

# ---- Python: 3.11 or newer, with venv ----
python_ok() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
venv_ok() { "$1" -c 'import venv, ensurepip' 2>/dev/null; }

find_python() { # the first that is new enough, preferring one that can make a venv
    local candidate first=
    for candidate in python3 /usr/bin/python3 python3.14 python3.13 python3.12 python3.11; do
        if ! command -v "$candidate" >/dev/null || ! python_ok "$candidate"; then
            continue
        elif venv_ok "$candidate"; then
            command -v "$candidate"
            return
        fi
        first=${first:-$(command -v "$candidate")}
    done
    echo "$first"
}

python_packages() { # what find_python's answer lacks
    local python=$1
    if [ -z "$python" ]; then
        [ $manager = apt ] && echo "python3.11 python3.11-venv" || echo python3.11
    elif ! venv_ok "$python"; then
        [ $manager = apt ] && echo "python3-venv"
    fi
}

requirements_met() { # whether .venv holds what the files name, in the versions they ask for
    .venv/bin/python3 - "$@" <<'PYTHON' 2>/dev/null
import importlib.metadata as metadata, operator, re, sys
signs = {">=": operator.ge, "<": operator.lt, "==": operator.eq}
numbers = lambda text: tuple(int(n) for n in re.findall(r"\d+", text))
for line in (line for name in sys.argv[1:] for line in open(name)):
    name = re.match(r"[A-Za-z0-9_.-]*", line).group()
    for sign, wanted in re.findall(r"(>=|<|==)([0-9.]+)", line) if name else ():
        if not signs[sign](numbers(metadata.version(name)), numbers(wanted)):
            sys.exit(1)
PYTHON
}

# ---- do it ----
mapfile -t missing < <(missing_of "${packages[@]}")
if [ $check = yes ]; then
    [ ${#missing[@]} = 0 ] || say "missing packages: ${missing[*]}"
    python=$(find_python)
    lacks=$(python_packages "$python")
    [ -z "$lacks" ] || say "missing for Python: $lacks"
    pips=no
    if requirements_met "${requirements[@]}"; then
        pips=yes
    else
        say "missing: .venv with $(cat "${requirements[@]}" | grep -o '^[a-z][a-z0-9-]*' | paste -sd' ')"
    fi
    if [ ${#missing[@]} = 0 ] && [ -z "$lacks" ] && [ $pips = yes ]; then
        say "everything is here"
        exit 0
    fi
    exit 1
fi

if [ ${#missing[@]} -gt 0 ]; then
    install_packages "${missing[@]}" || die "the package manager failed (above); nothing else was done"
else
    say "all ${#packages[@]} system packages are here"
fi
# Its name has g++'s version in it. umcc --check does without it, in more time.
plugin=$(plugin_package)
mapfile -t missing < <(missing_of "$plugin")
[ ${#missing[@]} = 0 ] || install_packages "${missing[@]}" ||
    say "$plugin could not be installed: umcc --check will take longer"

python=$(find_python)
lacks=$(python_packages "$python")
if [ -n "$lacks" ]; then
    # shellcheck disable=SC2086 # a list of packages
    install_packages $lacks || die "no Python 3.11 or newer with venv could be installed"
    python=$(find_python)
fi
[ -n "$python" ] || die "no Python 3.11 or newer is here, and the package manager has none"
if requirements_met "${requirements[@]}"; then
    say ".venv holds what ${requirements[*]} asks for"
else
    say "making .venv with $python; installing ${requirements[*]} into it"
    .venv/bin/python3 -c '' 2>/dev/null || "$python" -m venv --clear .venv
    pip=(.venv/bin/python3 -m pip install --quiet --disable-pip-version-check)
    "${pip[@]}" -r requirements.txt ||
        die "pip failed (above). The labs run without it; make report and the Python tests do not"
    if [ $dev = yes ] && ! "${pip[@]}" -r requirements-dev.txt; then
        say "without requirements-dev.txt: the tests that need it are skipped"
    fi
fi
# Students' copies have no tests of their own.
[ -d tests ] && next="make test" || next="make progress"
say "done. Next: make hello, make lab1, $next"
