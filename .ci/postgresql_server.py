"""A server of PostgreSQL for a script, its own, in a temporary folder and on a Unix socket; and a small disk for it."""

import glob
import os
import shutil
import signal
import subprocess
import sys
import time

PROGRAMS = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))[-1]
# A server refuses to be root.
AS_NOBODY = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.getuid() == 0 else []


class Server:
    def __init__(self, folder, *settings):
        """Makes a cluster in a new folder, and a database `lego`; settings are as `fsync=off`."""
        self.folder, self.settings, self.through = folder, settings, AS_NOBODY
        os.mkdir(folder)
        if AS_NOBODY:
            os.chmod(os.path.dirname(folder), 0o755)
            shutil.chown(folder, "nobody")
        subprocess.run(
            AS_NOBODY + [f"{PROGRAMS}/initdb", "--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8",
                         "--locale=C.UTF-8", "-D", f"{folder}/data"],
            check=True, stdout=subprocess.DEVNULL, cwd=folder)
        with open(f"{folder}/data/pg_hba.conf", "w") as file:
            file.write("local all locked scram-sha-256\nlocal all all trust\n")
        self.start()
        self.psql("CREATE DATABASE lego", "postgres")

    def start(self):
        settings = [word for setting in self.settings for word in ("-c", setting)]
        self.process = subprocess.Popen(
            self.through + [f"{PROGRAMS}/postgres", "-D", f"{self.folder}/data", "-c", "listen_addresses=", "-c",
                         f"unix_socket_directories={self.folder}", *settings],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)
        for _ in range(600):
            if subprocess.run([f"{PROGRAMS}/pg_isready", "-q", "-h", self.folder]).returncode == 0:
                return
            time.sleep(0.1)
        sys.exit("postgresql: the server does not start")

    def stop(self, how=signal.SIGINT):
        self.process.send_signal(how)
        self.process.wait()

    def uri(self, user="postgres", password=None):
        secret = f":{password}" if password else ""
        return f"postgresql://{user}{secret}@/lego?host={self.folder}"

    def psql(self, sql, database="lego"):
        command = ["psql", "-AtX", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", "postgres", "-c", sql, database]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.rstrip("\n")


class SmallDisk:
    """A disk of memory that only the server sees."""

    def __init__(self, folder):
        os.mkdir(folder)
        mount = f"mount -t tmpfs -o size=64m,mode=777 none '{folder}' && echo mounted && exec sleep infinity"
        self.folder = folder
        self.holder = subprocess.Popen(
            ["unshare", "-m", "sh", "-c", mount], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.is_there = self.holder.stdout.readline() == b"mounted\n"
        self.through = ["nsenter", f"--mount=/proc/{self.holder.pid}/ns/mnt", *AS_NOBODY]
        self.ballast = f"/proc/{self.holder.pid}/root{folder}/ballast"

    def leave(self, free=None):
        """Leaves so many bytes free; all that are, if nothing is said."""
        if os.path.exists(self.ballast):
            os.remove(self.ballast)
        if free is not None:
            space = os.statvfs(os.path.dirname(self.ballast))
            with open(self.ballast, "wb") as file:
                os.posix_fallocate(file.fileno(), 0, max(1, space.f_bavail * space.f_frsize - free))

    def remove(self):
        self.holder.kill()
        self.holder.wait()
