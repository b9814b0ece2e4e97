"""A server of PostgreSQL for a script: its own, in a temporary folder and on a Unix socket."""

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
        self.folder, self.settings = folder, settings
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
            AS_NOBODY + [f"{PROGRAMS}/postgres", "-D", f"{self.folder}/data", "-c", "listen_addresses=", "-c",
                         f"unix_socket_directories={self.folder}", *settings],
            stderr=subprocess.DEVNULL, cwd=self.folder)
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
