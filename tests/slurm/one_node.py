"""A real Slurm of one node on 127.0.0.1: munged, slurmctld, slurmd, with ports and folders of their own.

    with one_node.Cluster(folder, cpus=2) as cluster:
        subprocess.run(["sbatch", ...], env=os.environ | cluster.env)

Nothing of an installed Slurm's configuration is read or changed. why_not() says what is missing; daemons end with the
block, and with this process.
"""
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

PROGRAMS = ("munged", "mungekey", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo")
STARTS_WITHIN_S = 60
CONF = """\
ClusterName=umlab
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmctldPort={controller_port}
SlurmdPort={node_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,batch_sched_delay=0
ReturnToService=2
NodeName=node1 NodeAddr=127.0.0.1 NodeHostname={host} CPUs={cpus} State=UNKNOWN
PartitionName=main Nodes=node1 Default=YES MaxTime=INFINITE State=UP
"""


def _program(name):
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


def why_not():
    """What is missing for a cluster here, or ""."""
    missing = [name for name in PROGRAMS if not _program(name)]
    if missing:
        return f"no {', '.join(missing)} here (setup.sh --dev installs Slurm and munge)"
    return "" if os.geteuid() == 0 else "Slurm's daemons need root"


def _free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    def __init__(self, folder, cpus):
        self.folder, self.daemons = Path(folder), []
        self.env = {"SLURM_CONF": str(self.folder / "slurm.conf")}
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True, mode=0o700)
        self.folder.chmod(0o700)
        controller, node = _free_ports(2)
        (self.folder / "slurm.conf").write_text(CONF.format(
            host=socket.gethostname().split(".")[0], folder=self.folder, controller_port=controller, node_port=node,
            cpus=cpus))

    def _start(self, name, *arguments):
        # setpriv: it ends with us, whatever becomes of us.
        log = open(self.folder / f"{name}.out", "wb")
        self.daemons.append(subprocess.Popen(["setpriv", "--pdeathsig", "TERM", _program(name), *arguments],
                                             env=os.environ | self.env, stdin=subprocess.DEVNULL, stdout=log,
                                             stderr=log, start_new_session=True))
        log.close()

    def _until(self, what, ready):
        deadline = time.monotonic() + STARTS_WITHIN_S
        while not ready():
            ended = [daemon.args[3] for daemon in self.daemons if daemon.poll() is not None]
            if ended or time.monotonic() > deadline:
                raise RuntimeError(f"{what} did not come up: {ended or 'too slow'}\n{self.logs()}")
            time.sleep(0.1)

    def logs(self):
        return "\n".join(f"{path.name}: {path.read_text(errors='replace')[-1500:]}"
                         for pattern in ("*.log", "*.out") for path in sorted(self.folder.glob(pattern)))

    def _idle(self):
        done = subprocess.run([_program("sinfo"), "--noheader", "--format=%t"], env=os.environ | self.env,
                              capture_output=True, text=True, check=False)
        return done.stdout.strip() == "idle"

    def __enter__(self):
        at = str(self.folder)
        try:
            subprocess.run([_program("mungekey"), "--create", f"--keyfile={at}/munge.key"], check=True)
            self._start("munged", "--foreground", "--force", f"--key-file={at}/munge.key",
                        f"--socket={at}/munge.socket", f"--pid-file={at}/munge.pid", f"--seed-file={at}/munge.seed",
                        f"--log-file={at}/munge.log")
            self._until("munged", (self.folder / "munge.socket").exists)
            self._start("slurmctld", "-D", "-i")
            self._start("slurmd", "-D", "-N", "node1")
            self._until("Slurm", self._idle)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        # A job's parent process (slurmstepd) is nobody's child: cancel first.
        subprocess.run([_program("scancel"), "--user=root", "--full"], env=os.environ | self.env, capture_output=True,
                       timeout=60, check=False)
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
