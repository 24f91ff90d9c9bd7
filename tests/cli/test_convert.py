"""`ellzero convert`: from every format to every other, and back to the same bytes."""
import gzip
import unittest

from program import ProgramTest, csv_text, regression


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

    def test_words_missing_cells_and_categories(self):
        self.write("a.csv", "c,f,y\nu,1,no\nv,?,yes\nu,3,no\n")
        self.convert("a.csv", "b.csv", "--categorical", "onehot", "--missing", "mean")
        self.assertEqual((self.folder / "b.csv").read_text(), "c=u,c=v,f,y\n1,0,1,no\n0,1,2,yes\n1,0,3,no\n")
        err = self.convert("b.csv", "b.svm")
        self.assertIn("'no' is written as 0, 'yes' as 1", err)
        self.assertEqual((self.folder / "b.svm").read_text(), "0 1:1 3:1\n1 2:1 3:2\n0 1:1 3:3\n")

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
