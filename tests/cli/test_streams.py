"""stdin, stdout and stderr that are full, closed or left by their reader, and signals at any time."""
import fcntl
import json
import os
import random
import signal
import struct
import termios
import time
import unittest

from program import ProgramTest, csv_text, npy_bytes, regression

PRICE = ["--lambda0", 0.5, "--lambda2", 0.01]
INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def full(*descriptors):
    """For preexec_fn, as the next two: descriptors that take nothing."""
    return lambda: [os.dup2(os.open("/dev/full", os.O_WRONLY), number) for number in descriptors]


def closed(*descriptors):
    return lambda: [os.close(number) for number in descriptors]


def left(*descriptors):
    """Pipes whose reader has gone."""
    def prepare():
        for number in descriptors:
            reader, writer = os.pipe()
            os.close(reader)
            os.dup2(writer, number)
    return prepare


class StreamTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.data = self.write_rows(regression())
        code, _, err = self.run_program("fit", self.data, *PRICE, "-o", "m.json")
        self.assertEqual(code, 0, err)
        self.model = self.folder / "m.json"

    def commands(self):
        """All that write results to stdout."""
        yield from (["--help"], ["--version"], ["fit", "--help"], ["path", "--version"], ["fit", "--list-options"])
        for form in ("text", "json", "csv"):
            yield ["fit", self.data, *PRICE, "--format", form]
        yield ["prove", self.data, *PRICE]
        yield ["fit", self.data, "--k", 2, "--every-k"]
        yield ["fit", self.data, *PRICE, "--pool", 0.1]
        yield ["path", self.data, "--lambda0-grid", "2,1"]
        yield ["cv", self.data, "--lambda0-grid", "2,1"]
        yield ["verify", self.model, self.data]
        yield ["predict", self.model, self.data]
        yield ["inspect", self.model]
        yield ["report", self.model, self.data]


class Results(StreamTest):
    def test_results_that_are_lost_are_6_and_one_line_says_so(self):
        for command in self.commands():
            for dead, reason in ((full(1), "No space left on device"), (closed(1), "Bad file descriptor"),
                                 (left(1), "Broken pipe")):
                code, _, err = self.run_program(*command, preexec_fn=dead)
                self.assertEqual((code, err.splitlines()[-1]), (6, f"ellzero: cannot write to stdout: {reason}"), command)

    def test_the_model_is_saved_all_the_same(self):
        for dead in (full(1), closed(1), left(1), closed(0, 1, 2), full(1, 2), left(1, 2)):
            (self.folder / "new.json").unlink(missing_ok=True)
            before = self.data.read_bytes()
            code, _, _ = self.run_program("fit", self.data, *PRICE, "-o", "new.json", preexec_fn=dead)
            self.assertEqual(code, 6)
            self.assertEqual(json.loads((self.folder / "new.json").read_text())["coefficients"],
                             json.loads(self.model.read_text())["coefficients"])
            self.assertEqual(self.data.read_bytes(), before)

    def test_a_pipe_that_must_not_block_gets_everything(self):
        """More than it holds, so that it is full now and then."""
        rows = regression(n=9000)
        path = self.write_rows(rows, "long.csv")
        expected = self.run_program("predict", self.model, path)[1]
        self.assertGreater(len(expected), 1 << 17)
        code, out, err = self.run_program("predict", self.model, path, preexec_fn=lambda: os.set_blocking(1, False))
        self.assertEqual((code, out), (0, expected), err)

    def test_a_reader_of_a_file_that_goes_away_is_6(self):
        os.mkfifo(self.folder / "pipe")
        path = self.write_rows(regression(n=9000), "long.csv")
        process = self.start("predict", self.model, path, "-o", "pipe")
        with (self.folder / "pipe").open("rb") as pipe:
            pipe.read(1)
        _, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err.decode()), (6, "ellzero: pipe: cannot write: Broken pipe\n"))


class Messages(StreamTest):
    def test_nothing_changes_without_a_stderr(self):
        for command in (["fit", self.data, *PRICE, "--progress", "json", "-v", "--format", "csv"],
                        ["prove", self.data, *PRICE, "--progress", "json", "--format", "csv"],
                        ["prove", self.data, *PRICE, "-v", "--format", "csv"],
                        ["fit", self.data, *PRICE, "--missing", "mean", "--loss", "logistic", "--target", "target"],
                        ["fit", self.data, "--lamda0", 1], ["fit", "nowhere.csv", *PRICE], ["fti"], []):
            code, out, _ = self.run_program(*command)
            for dead in (full(2), closed(2), left(2)):
                found, text, _ = self.run_program(*command, preexec_fn=dead)
                self.assertEqual((found, text), (code, out), command)

    def test_notes_of_every_command_are_dropped(self):
        rows = regression()
        rows[0][1] = "NA"
        path = self.write_rows(rows, "missing.csv")
        for command in (["fit", path, *PRICE, "--format", "csv"], ["path", path, "--lambda0-grid", 2, "--format", "csv"],
                        ["predict", self.model, path], ["convert", path, "b.csv"]):
            code, out, err = self.run_program(*command, "--missing", "drop")
            self.assertEqual((code, err[:6]), (0, "note: "), (command, err))
            for dead in (full(2), closed(2), left(2)):
                self.assertEqual(self.run_program(*command, "--missing", "drop", preexec_fn=dead)[:2], (0, out), command)


class Closed(StreamTest):
    def test_no_file_takes_the_place_of_a_closed_stream(self):
        """A file that is opened for writing would be the next stdout or stderr, one for reading the next stdin."""
        for streams in ((0,), (2,), (0, 2)):
            for name in ("new.json", "new.proof"):
                (self.folder / name).unlink(missing_ok=True)
            code, _, _ = self.run_program("prove", self.data, *PRICE, "-o", "new.json", "--proof", "new.proof", "-v",
                                          "--progress", "json", preexec_fn=closed(*streams))
            self.assertEqual(code, 0, streams)
            code, _, err = self.run_program("verify", "new.json", self.data, "--proof", "new.proof")
            self.assertEqual(code, 0, (streams, err))

    def test_data_from_a_closed_stdin_are_6(self):
        code, out, err = self.run_program("fit", "-", *PRICE, preexec_fn=closed(0))
        self.assertEqual((code, out, err), (6, "", "ellzero: <stdin>: cannot read: Bad file descriptor\n"))


class ReadInPlace(StreamTest):
    """Matrices in .npy files, to which somebody writes while the program has them and waits for the weights."""

    def setUp(self):
        super().setUp()
        rows = regression()
        self.write("X.npy", npy_bytes([row[:-1] for row in rows]))
        self.write("y.npy", npy_bytes([row[-1] for row in rows]))
        os.mkfifo(self.folder / "weights")

    def run_meanwhile(self, change, *command):
        process = self.start(*command, "--weights", "weights")
        with (self.folder / "weights").open("w") as weights:
            change(self.folder / "X.npy")
            weights.write("1\n" * 40)
        out, err = process.communicate(timeout=60)
        return process.returncode, out.decode(), err.decode()

    def test_a_file_that_is_gone_is_6(self):
        self.write("new.json", "the old one")
        code, out, err = self.run_meanwhile(lambda path: os.truncate(path, 0), "fit", "X.npy", "--target", "y.npy", *PRICE,
                                            "-o", "new.json")
        self.assertEqual((code, out), (6, ""))
        self.assertEqual(err, "ellzero: cannot read on: a file became shorter while it was read, or its disk failed\n")
        self.assertEqual((self.folder / "new.json").read_text(), "the old one")
        self.assertEqual([path.name for path in self.folder.iterdir() if path.name.startswith(("new", "."))], ["new.json"])

    def test_a_file_that_is_written_to_is_6_in_the_end(self):
        """Cut within a page it reads as zeros, which no signal tells."""
        whole = (self.folder / "X.npy").read_bytes()

        def write_in_place(path):
            with path.open("r+b") as file:
                file.seek(1000)
                file.write(bytes(8))

        for change in (lambda path: os.truncate(path, 500), write_in_place):
            for command in (["fit", *PRICE], ["prove", "--k", 2], ["path"], ["cv"], ["fit", "--k", 2, "--every-k"]):
                os.utime(self.write("X.npy", whole), (0, 0))  # clocks of file systems may tick too seldom to tell
                code, _, err = self.run_meanwhile(change, command[0], "X.npy", "--target", "y.npy", *command[1:])
                self.assertEqual(code, 6, (command, err))
                self.assertIn("ellzero: X.npy: was written to while it was read; what came out may be of other numbers\n", err)

    def test_a_file_that_is_replaced_is_seen_as_it_was(self):
        def replace(path):
            self.write("other", b"another file").rename(path)

        code, out, err = self.run_meanwhile(replace, "fit", "X.npy", "--target", "y.npy", *PRICE, "--format", "csv")
        self.assertEqual((code, err), (0, ""))
        expected = self.run_program("fit", self.data, *PRICE, "--format", "csv")[1]
        self.assertEqual([line.split(",")[1] for line in out.splitlines()], [line.split(",")[1] for line in expected.splitlines()])


class Signals(StreamTest):
    def start_reading(self, *arguments, **keywords):
        """The program once it has taken the beginning of stdin; more never comes."""
        process = self.start(*arguments, **keywords)
        process.stdin.write(b"f0,f1,f2,f3,f4,f5,target\n")
        process.stdin.flush()
        self.wait_for(lambda: fcntl.ioctl(process.stdin, termios.FIONREAD, b"\0" * 4) == struct.pack("i", 0))
        return process

    def wait_for(self, condition):
        end = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), end, "it did not come so far")
            time.sleep(0.001)

    def end_of(self, process):
        """Without an end of stdin, which would end the reading."""
        code = process.wait(timeout=60)
        out, err = process.stdout.read().decode(), process.stderr.read().decode()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()
        return code, out, err

    def test_reading_a_pipe_that_never_ends(self):
        files = sorted(path.name for path in self.folder.iterdir())
        for command in (["fit", "-", *PRICE, "-o", "new.json"], ["prove", "-", *PRICE, "--proof", "p"], ["path", "-"],
                        ["verify", self.model, "-"], ["predict", self.model, "-", "-o", "new"], ["convert", "-", "new.npy"],
                        ["report", self.model, "-"]):
            for number in INTERRUPTS:
                process = self.start_reading(*command)
                process.send_signal(number)
                self.assertEqual(self.end_of(process), (130, "", "ellzero: interrupted\n"), (command, number))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), files)

    def test_waiting_for_the_writer_of_a_pipe(self):
        os.mkfifo(self.folder / "pipe")
        process = self.start("fit", "pipe", *PRICE)
        self.wait_for(lambda: self.waits(process))
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.end_of(process), (130, "", "ellzero: interrupted\n"))

    def waits(self, process):
        """Whether it sleeps for longer than a disk takes: in the call that opens the pipe."""
        def sleeps():
            time.sleep(0.01)
            with open(f"/proc/{process.pid}/stat") as file:
                return file.read().rpartition(")")[2].split()[0] == "S"
        return all(sleeps() for _ in range(10))

    def test_without_a_stderr(self):
        for dead in (full(2), closed(2), left(2)):
            process = self.start_reading("fit", "-", *PRICE, preexec_fn=dead)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(self.end_of(process)[0], 130)

    def test_under_nohup_a_hangup_is_ignored(self):
        process = self.start_reading("fit", "-", *PRICE, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        _, err = process.communicate(csv_text(self.names, regression()).encode().partition(b"\n")[2], timeout=60)
        self.assertEqual(process.returncode, 0, err)

    def test_in_the_background_of_a_script_an_interrupt_is_heard(self):
        process = self.start_reading("fit", "-", *PRICE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.end_of(process)[0], 130)

    def start_hard_proof(self, *arguments, **keywords):
        """The program once it searches for a proof that takes hours."""
        numbers = random.Random(5)
        rows = [[numbers.gauss(0, 1) for _ in range(81)] for _ in range(60)]
        path = self.write_rows(rows, "hard.csv", [f"x{j}" for j in range(80)] + ["target"])
        process = self.start("prove", path, "--k", 20, "--lambda2", 0.01, "--gap", 0, "--progress", "json", *arguments, **keywords)
        process.stderr.readline()
        return process

    def test_every_signal_saves_the_incumbent(self):
        for number in INTERRUPTS:
            process = self.start_hard_proof("-o", "new.json", "--proof", "new.proof", "--format", "json")
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
            result = json.loads(out)
            self.assertEqual((process.returncode, result["status"]), (130, "interrupted"), err)
            self.assertLess(result["lower_bound"], result["objective"])
            saved = json.loads((self.folder / "new.json").read_text())["certificate"]
            for key in ("objective", "lower_bound", "status"):
                self.assertEqual(saved[key], result[key])
            code, _, err = self.run_program("verify", "new.json", "hard.csv", "--proof", "new.proof")
            self.assertEqual(code, 0, err)

    def test_a_second_signal_kills(self):
        """The results wait for a pipe that is full; the model is saved before."""
        for first, second in ((signal.SIGINT, signal.SIGINT), (signal.SIGTERM, signal.SIGINT), (signal.SIGHUP, signal.SIGTERM)):
            (self.folder / "new.json").unlink(missing_ok=True)
            process = self.start_hard_proof("-o", "new.json", preexec_fn=self.fill_stdout)
            process.send_signal(first)
            self.wait_for((self.folder / "new.json").exists)
            process.send_signal(second)
            self.assertEqual(process.wait(timeout=60), -second)
            for stream in (process.stdin, process.stdout, process.stderr):
                stream.close()

    def fill_stdout(self):
        os.set_blocking(1, False)
        try:
            while True:
                os.write(1, bytes(1 << 12))
        except BlockingIOError:
            os.set_blocking(1, True)


if __name__ == "__main__":
    unittest.main()
