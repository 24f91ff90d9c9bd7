"""`ellzero convert`: from every format to every other, and back to the same bytes."""
import gzip
import math
import os
import resource
import signal
import time
import unittest
from pathlib import Path

from program import ProgramTest, csv_text, npy_bytes, regression


class Convert(ProgramTest):
    def convert(self, *arguments):
        code, out, err = self.run_program("convert", *arguments)
        self.assertEqual((code, out), (0, ""), err)
        return err

    def test_round_trips_give_the_same_file(self):
        names = [f"x{j}" for j in range(6)] + ["target"]
        text = csv_text(names, regression())
        self.write("a.csv", text)
        self.convert("a.csv", "first.csv", "-q")
        first = (self.folder / "first.csv").read_bytes()
        for ending in ("tsv", "svm", "npy", "mtx", "csv.gz", "npy.bz2", "mtx.gz", "svm.bz2"):
            err = self.convert("a.csv", "b." + ending)
            beside = ("npy" in ending or "mtx" in ending)
            self.assertEqual("b.target." + ending in err, beside, err)
            back = ["--target", "b.target." + ending] if beside else []
            self.convert("b." + ending, "c.csv", "-q", *back)
            self.assertEqual((self.folder / "c.csv").read_bytes(), first, ending)
        self.assertEqual(gzip.decompress((self.folder / "b.csv.gz").read_bytes()), first)

    def test_files_beside_an_output_lie_in_its_folder(self):
        self.write("a.csv", csv_text(["x", "y"], [[1, 2], [3, 4]]))
        os.mkdir(self.folder / "a.npy.d")
        for name, beside in (("b.NPY.gz", "b.target.NPY.gz"), ("b.npy.npy", "b.npy.target.npy"), ("B.MTX", "B.target.MTX")):
            self.convert("a.csv", f"a.npy.d/{name}", "-q")
            self.assertEqual(sorted(path.name for path in (self.folder / "a.npy.d").iterdir()), sorted([name, beside]))
            self.convert(f"a.npy.d/{name}", "back.csv", "-q", "--target", f"a.npy.d/{beside}")
            self.assertEqual((self.folder / "back.csv").read_text(), "x0,target\n1,2\n3,4\n")
            for path in (self.folder / "a.npy.d").iterdir():
                path.unlink()

    def test_all_files_of_a_conversion_or_none(self):
        """The matrix has room and the target has not: the old matrix stays, as it belongs to the old target."""
        self.write("a.csv", csv_text(["x", "y"], [[1, 1 / (i + 3)] for i in range(200)]))
        self.write("b.mtx", "old")
        self.write("b.target.mtx", "old")
        most = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        code, out, err = self.run_program("convert", "a.csv", "b.mtx", preexec_fn=most)
        self.assertEqual((code, out), (6, ""), err)
        self.assertIn("b.target.mtx: cannot write: File too large", err)
        self.assertEqual({path.name: path.read_text() for path in self.folder.glob("*.mtx")},
                         {"b.mtx": "old", "b.target.mtx": "old"})

    def test_words_missing_cells_and_categories(self):
        self.write("a.csv", "c,f,y\nu,1,no\nv,?,yes\nu,3,no\n")
        self.convert("a.csv", "b.csv", "--categorical", "onehot", "--missing", "mean")
        self.assertEqual((self.folder / "b.csv").read_text(), "c=u,c=v,f,y\n1,0,1,no\n0,1,2,yes\n1,0,3,no\n")
        err = self.convert("b.csv", "b.svm")
        self.assertIn("'no' is written as 0, 'yes' as 1", err)
        self.assertEqual((self.folder / "b.svm").read_text(), "0 1:1 3:1\n1 2:1 3:2\n0 1:1 3:3\n")

    def test_numbers_that_no_reader_takes_are_refused_with_their_place(self):
        for value, word in ((math.nan, "nan"), (math.inf, "inf")):
            X = [[1.0, 2.0], [3.0, 4.0], [5.0, value]]
            self.write("X.npy", npy_bytes(X))
            self.write("y.txt", "1\n2\n3\n")
            code, out, err = self.run_program("convert", "X.npy", "b.csv", "--target", "y.txt")
            self.assertEqual((code, out), (3, ""), err)
            self.assertIn(f"X: row 2, column 1 is {word}; expected a finite number", err)
            self.assertFalse((self.folder / "b.csv").exists())

    def test_names_of_columns_stay_different(self):
        self.write("a.csv", "weights,w,offset,o,y\n1,2,3,4,5\n6,7,8,9,10\n")
        self.convert("a.csv", "b.csv", "--weights", "w", "--offset", "o")
        self.assertEqual((self.folder / "b.csv").read_text(), "weights,offset,w,o,y\n1,3,2,4,5\n6,8,7,9,10\n")

    def test_killed_it_leaves_nothing_behind(self):
        rows = [[float(i * j % 97) for j in range(50)] for i in range(8000)]
        self.write("a.csv", csv_text([f"x{j}" for j in range(49)] + ["target"], rows))
        for signal_number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            process = self.start("convert", "a.csv", "b.csv.bz2")
            end = time.monotonic() + 30
            while process.poll() is None and not self.writes(process) and time.monotonic() < end:
                pass
            process.send_signal(signal_number)
            process.communicate(timeout=30)
            self.assertNotEqual(process.returncode, 0, "it was over before it could be killed")
            self.assertEqual([path.name for path in self.folder.iterdir()], ["a.csv"])

    def writes(self, process):
        """Whether it has begun its file, which has no name of its own yet where the file system allows for that."""
        try:
            files = [os.readlink(link) for link in Path(f"/proc/{process.pid}/fd").iterdir()]
        except OSError:  # one was closed meanwhile
            return False
        return any(file.startswith(str(self.folder)) and not file.endswith("a.csv") for file in files)

    def test_refusals_leave_nothing_behind(self):
        self.write("a.csv", "w,f,y\n1,2,3\n4,x,6\n")
        self.write("good.csv", "w,f,y\n1,2,3\n4,5,6\n")
        for arguments, code, part in ((("a.csv", "b.csv"), 3, "a.csv:3:3"), (("good.csv", "b.txt"), 2, "OUT: value is 'b.txt'"),
                                      (("good.csv", "b.svm", "--weights", "w"), 2, "no place for weights"),
                                      (("good.csv",), 2, "OUT: is not set"), ((), 2, "IN: is not set"),
                                      (("good.csv", "nowhere/b.csv"), 6, "nowhere/b.csv: cannot write")):
            found, out, err = self.run_program("convert", *arguments)
            self.assertEqual((found, out), (code, ""), err)
            self.assertIn(part, err)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.csv", "good.csv"])


if __name__ == "__main__":
    unittest.main()
