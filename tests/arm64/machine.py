#!/usr/bin/env python3
"""A machine with an arm64 processor, emulated by QEMU: Debian's kernel, and Debian's programs unpacked.

    tests/arm64/machine.py make FOLDER                    what it needs, once (debootstrap, as root; 1.5 GB)
    tests/arm64/machine.py run FOLDER [--kernel 16k] [--memory MB] [--seconds N] -- COMMAND...

`run` starts the machine in the tree that this file is in, runs COMMAND there (by sh), prints what it prints, and ends
with its status; 124 where it took longer than N seconds. The machine sees the tree as the folder that it is here, and
writes there.

Nothing is installed in the machine: packages are unpacked, none of their scripts runs, and /init below is all that
there is of a system. So it is made in a minute on any processor. /tmp is on its disk; what a run writes there is
dropped when it ends. QEMU computes an arm64 processor's instructions by x86-64's: it is right about pages, signals and
system calls, but shows no weak order of memory.
"""
import argparse
import gzip
import io
import lzma
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
SUITE = "bookworm"
# Kernels, by the size of their pages: Debian's release, and the package.
KERNELS = {"4k": (SUITE, "linux-image-arm64"), "16k": ("trixie", "linux-image-arm64-16k")}
PACKAGES = ("gcc g++ make libc6-dev libcunit1-dev libcjson-dev libkissfft-dev python3 binutils procps kmod "
            "busybox-static file gdb-minimal bubblewrap strace").split()
# What stands between the kernel and its first file on a disk, or of ours.
MODULES = ("virtio_pci", "virtio_blk", "ext4", "9pnet_virtio", "9p", "virtio_rng")
INIT = """#!/bin/busybox sh
b=/bin/busybox
$b mkdir -p /proc /sys /dev /new
$b mount -t proc none /proc
$b mount -t sysfs none /sys
$b mount -t devtmpfs none /dev
for module in $($b cat /modules); do $b insmod $module; done
$b mount -t ext4 /dev/vda /new || $b poweroff -f
$b mount -t proc none /new/proc
$b mount -t sysfs none /new/sys
$b mount -t devtmpfs none /new/dev
$b mkdir -p /new/dev/shm /new/dev/pts /new@TREE@
$b mount -t tmpfs none /new/dev/shm
$b mount -t devpts none /new/dev/pts
$b chmod 1777 /new/tmp
$b mount -t tmpfs none /new/run
$b cp /command /new/run/command
$b mount -t 9p -o trans=virtio,version=9p2000.L,cache=loose,msize=1048576 tree /new@TREE@
$b ifconfig lo 127.0.0.1 up 2>/dev/null
exec $b switch_root /new /bin/bash -c '
    export PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/tmp LC_ALL=C.UTF-8
    cd @TREE@ && { setsid sh /run/command </dev/null; ended=$?; sync; echo; echo "@MARK@ $ended"; }
    echo o >/proc/sysrq-trigger; sleep 60'
"""
MARK = "the command ended with"


# ---- what it needs ----

def unpacked(folder):
    """Debian's programs, by debootstrap, which looks up what packages need and unpacks the most basic ones."""
    root = folder / "root"
    subprocess.run(["debootstrap", "--foreign", "--arch=arm64", "--variant=minbase", "--include=" + ",".join(PACKAGES),
                    SUITE, str(root)], check=True, stdout=subprocess.DEVNULL)
    for package in sorted((root / "var/cache/apt/archives").glob("*.deb")):
        subprocess.run(["dpkg-deb", "-x", str(package), str(root)], check=True)
        package.unlink()
    for name in ("proc", "sys", "dev", "tmp", "run"):
        (root / name).mkdir(exist_ok=True)
    (root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/:/bin/false\n")
    (root / "etc/group").write_text("root:x:0:\nnogroup:x:65534:\n")
    return root


def module_bytes(module):
    return lzma.decompress(module.read_bytes()) if module.suffix == ".xz" else module.read_bytes()


def needs(module):
    """The names of the modules that one needs: in its section .modinfo."""
    found = re.search(rb"\0depends=([^\0]*)\0", module_bytes(module))
    return [name for name in found[1].decode().split(",") if name] if found else []


def modules_in_order(folder):
    """Paths of MODULES and of what they need, each behind what it needs. What is built in has none."""
    by_name = {path.name.split(".")[0].replace("-", "_"): path for path in folder.rglob("*.ko*")}
    order = []

    def add(name):
        path = by_name.get(name.replace("-", "_"))
        if not path or path in order:
            return
        for other in needs(path):
            add(other)
        order.append(path)

    for name in MODULES + ("crc32c_generic", "libcrc32c"):
        add(name)
    return [path for path in order if path.name.startswith("crc32c")] + \
        [path for path in order if not path.name.startswith("crc32c")]


def archive(files):
    """An initial root file system (cpio, `newc`): {name: (mode, bytes)}."""
    out = io.BytesIO()
    for number, (name, (mode, data)) in enumerate([*files.items(), ("TRAILER!!!", (0, b""))], 1):
        head = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
        for part in (b"070701" + "".join(f"{x:08x}" for x in head).encode() + name.encode() + b"\0", data):
            out.write(part + b"\0" * (-len(part) % 4))
    return gzip.compress(out.getvalue(), 1)


def initial(root, kernel, tree, command):
    files = {name: (stat.S_IFDIR | 0o755, b"") for name in ("bin", "modules.d")}
    init = INIT.replace("@TREE@", shlex.quote(str(tree))).replace("@MARK@", MARK)
    files["init"] = (stat.S_IFREG | 0o755, init.encode())
    files["command"] = (stat.S_IFREG | 0o644, f"{command}\n".encode())
    files["bin/busybox"] = (stat.S_IFREG | 0o755, (root / "bin/busybox").read_bytes())
    names = []
    for path in modules_in_order(kernel):
        names.append(f"/modules.d/{path.name.removesuffix('.xz')}")
        files[names[-1][1:]] = (stat.S_IFREG | 0o644, module_bytes(path))
    files["modules"] = (stat.S_IFREG | 0o644, "\n".join(names).encode())
    return archive(files)


def kernel_unpacked(folder, pages):
    """A kernel and its modules, for which debootstrap fetches the smallest system that has it."""
    suite, package = KERNELS[pages]
    out = folder / f"kernel-{pages}"
    with tempfile.TemporaryDirectory(dir=folder) as fetched:
        subprocess.run(["debootstrap", "--download-only", "--arch=arm64", "--variant=minbase", "--include=" + package,
                        suite, fetched], check=True, stdout=subprocess.DEVNULL)
        images = [path for path in Path(fetched, "var/cache/apt/archives").glob("linux-image-[0-9]*.deb")]
        subprocess.run(["dpkg-deb", "-x", str(images[0]), str(folder / "new-kernel")], check=True)
    os.replace(folder / "new-kernel", out)


def make(folder, pages="4k"):
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / f"kernel-{pages}").exists():
        kernel_unpacked(folder, pages)
    if (folder / "root.ext4").exists():
        return
    shutil.rmtree(folder / "root", ignore_errors=True)
    root = unpacked(folder)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", str(root), str(folder / "new.ext4"), "2G"], check=True,
                   stdout=subprocess.DEVNULL)
    os.replace(folder / "new.ext4", folder / "root.ext4")


# ---- a run ----

def qemu(folder, first_files, options):
    return ["qemu-system-aarch64", "-machine", "virt", "-cpu", options.cpu, "-accel", "tcg,thread=multi",
            "-smp", str(options.processors), "-m", str(options.memory), "-nographic", "-no-reboot", "-nodefaults",
            "-serial", "stdio", "-kernel", str(next((folder / f"kernel-{options.kernel}/boot").glob("vmlinuz-*"))),
            "-initrd", first_files, "-append", "console=ttyAMA0 quiet panic=-1 loglevel=3 " +
            options.boot,
            "-drive", f"file={folder}/root.ext4,format=raw,if=none,id=root,snapshot=on",
            "-device", "virtio-blk-pci,drive=root", "-device", "virtio-rng-pci",
            "-virtfs", f"local,path={TREE},mount_tag=tree,security_model=none,multidevs=remap"]


def watched(command, seconds):
    """Prints what the machine prints. @return the status that it tells, None if it told none, and the seconds"""
    ended = None
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace") as machine:
        limit = threading.Timer(seconds, machine.kill)
        limit.start()
        began = time.monotonic()
        for line in machine.stdout:
            line = line.rstrip("\r\n")
            if line.startswith(MARK):
                ended = int(line.split()[-1])
                break
            print(line, flush=True)
        took = time.monotonic() - began
        limit.cancel()
        machine.kill()
    return ended, took


def run(folder, options):
    """@return the command's status"""
    kernel = folder / f"kernel-{options.kernel}"
    with tempfile.NamedTemporaryFile(dir=folder, prefix="initial-") as first_files:
        first_files.write(initial(folder / "root", kernel, TREE, " ".join(options.command)))
        first_files.flush()
        ended, took = watched(qemu(folder, first_files.name, options), options.seconds)
    if ended is None:
        print(f"machine.py: the machine was gone after {took:.0f} s (--seconds {options.seconds})", file=sys.stderr)
        return 124
    return ended


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("make", "run"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kernel", default="4k", choices=KERNELS, help="by the size of its pages")
    parser.add_argument("--cpu", default="max", help="QEMU's name of the processor")
    parser.add_argument("--processors", type=int, default=2)
    parser.add_argument("--memory", type=int, default=4096, help="MB")
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--boot", default="", help="more for the kernel's command line")
    arguments = sys.argv[1:]
    at = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:at])
    options.command = arguments[at + 1:]
    os.environ["PATH"] += ":/usr/sbin:/sbin"  # debootstrap, mke2fs
    if options.what == "run" and not options.command:
        parser.error("run: no command; it stands behind --")
    folder = options.folder.resolve()
    try:
        make(folder, options.kernel)
    except (OSError, subprocess.CalledProcessError) as error:
        parser.error(f"the machine cannot be made in {folder}: {error}")
    return run(folder, options) if options.what == "run" else 0


if __name__ == "__main__":
    sys.exit(main())
