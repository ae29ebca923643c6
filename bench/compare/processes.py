"""Runs an engine in a process of its own on one core, sends it cases line by line, and watches its time and memory.

A process that uses too much processor time for a case, or too much memory, is killed and restarted for the next case.
"""

import json
import os
import pathlib
import select
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


class Engine:
    def __init__(self, name, command, greets, options):
        self.name, self.command, self.greets, self.options = name, command, greets, options
        self.process = None
        self.ready = []  # the first line of each process, which it writes when it is ready
        self.peak_kb = 0
        self.summary = None

    def run(self, case_id, line):
        """Returns the result of the case with the line `line`."""
        if self.process is None:
            self._begin()
        self.process.stdin.write(line.encode("utf-8") + b"\n")
        self.process.stdin.flush()
        answer, why = self._answer(self.options.timeout)
        return answer if answer is not None else {"id": case_id, "failed": why}

    def finish(self):
        """Ends the process and stores its last line as `summary`."""
        if self.process is None:
            return
        self._look_at_memory()
        self.process.stdin.close()
        rest = self.buffer + self.process.stdout.read()
        self.process.wait()
        if rest.strip():
            self.summary = json.loads(rest.splitlines()[-1])
        self.process = None

    def _begin(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.options.log, bufsize=0, cwd=HERE,
                                        preexec_fn=lambda: os.sched_setaffinity(0, {self.options.core}))
        self.buffer = b""
        if self.greets:
            greeting, why = self._answer(self.options.start_timeout)
            if greeting is None:
                sys.exit(f"{self.name} does not start ({why}); see {self.options.log.name}")
            self.ready.append(greeting)

    def _answer(self, timeout):
        """Returns (the next line, ""), or (None, the reason) if there is none; then the process has ended."""
        end = self._processor_seconds() + timeout
        while b"\n" not in self.buffer:
            if not select.select([self.process.stdout], [], [], 0.25)[0]:
                why = "memory" if self._look_at_memory() > self.options.memory << 20 else "timeout"
                if why == "memory" or self._processor_seconds() > end:
                    self._kill()
                    return None, why
                continue
            read = os.read(self.process.stdout.fileno(), 1 << 20)
            if not read:
                self._kill()
                return None, "crash"
            self.buffer += read
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line), ""

    def _processor_seconds(self):
        """Returns the processor time of the process so far."""
        try:
            stat = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8")
        except OSError:
            return 0
        user, system = stat.rsplit(")", 1)[1].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def _look_at_memory(self):
        """Reads the peak resident memory of the process so far, in kilobytes."""
        try:
            status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        except OSError:
            return 0
        now = next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")), 0)
        self.peak_kb = max(self.peak_kb, now)
        return now

    def _kill(self):
        self.process.kill()
        self.process.wait()
        self.process = None
