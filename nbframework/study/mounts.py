"""Network file systems, on which SQLite cannot keep its promises."""

import os
import re
from pathlib import Path

NETWORK = ("nfs", "nfs3", "nfs4", "cifs", "smbfs", "smb3", "ncpfs", "afs", "9p", "ceph", "lustre", "gpfs", "beegfs")
"""Types of file systems that other machines may change at the same time; and all that run over ``fuse`` below."""
_FUSE = ("fuse.sshfs", "fuse.glusterfs", "fuse.ceph-fuse", "fuse.s3fs", "fuse.rclone", "fuse.juicefs")
MOUNTS = Path("/proc/self/mountinfo")


def network_file_system(path: str | os.PathLike[str], mounts: str | None = None) -> str:
    """Return the type of the network file system that a path is on, or an empty string.

    Parameters
    ----------
    path
        A file or folder, there or not.
    mounts
        What is mounted, in the format of Linux's /proc/self/mountinfo; None asks the system. Where the system does not
        say, nothing is known and the answer is empty.
    """
    if mounts is None:
        mounts = MOUNTS.read_text(encoding="utf-8", errors="replace") if MOUNTS.exists() else ""
    real = os.path.realpath(path)
    best, kind = "", ""
    for line in mounts.splitlines():
        fields, _, rest = line.partition(" - ")
        words = fields.split(" ")
        if len(words) < 5 or not rest:
            continue
        point = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), words[4])
        inside = real == point or real.startswith(point.rstrip("/") + "/")
        # the last one of those mounted at one place hides the others
        if inside and len(point) >= len(best):
            best, kind = point, rest.split(" ")[0]
    return kind if kind in NETWORK or kind in _FUSE else ""
