"""Files that are easily mistaken for something else, and input that never ends, as the program's user meets them.

12-15 sparse entries             Repeated; test_fit_input.Shapes for indices and sizes
20 broken headers                Repeated.test_headers_of_npy_files; tests/io for every reader and its places
21 endless input                 Endless; Pipes for what ends well
41 no header, names twice, ';'   Header, Repeated, Separators, Hints
"""
import bz2
import gzip
import json
import os
import subprocess
import unittest

from program import PROGRAM, ProgramTest, csv_text, npy_bytes, regression, sanitized

ARGUMENTS = ["--lambda0", 0.5, "--lambda2", 0.01]


def headless(rows, separator=","):
    return csv_text(map(str, rows[0]), rows[1:], separator)


class Header(ProgramTest):
    def setUp(self):
        super().setUp()
        self.rows = regression()
        self.path = self.write("d.csv", headless(self.rows))
        self.expected, _ = self.fit(self.write_rows(self.rows), *ARGUMENTS)

    def run_ok(self, *arguments):
        code, out, err = self.run_program(*arguments)
        self.assertEqual(code, 0, err)
        return out

    def test_a_first_line_of_numbers_is_refused_by_every_command(self):
        self.run_ok("fit", "data.csv", *ARGUMENTS, "-o", "m.json")
        for command in (["fit", "d.csv", *ARGUMENTS], ["prove", "d.csv", *ARGUMENTS], ["path", "d.csv"], ["cv", "d.csv"],
                        ["convert", "d.csv", "out.svm"], ["predict", "m.json", "d.csv"], ["verify", "m.json", "d.csv"],
                        ["report", "m.json", "d.csv"]):
            code, out, err = self.run_program(*command)
            self.assertEqual((code, out), (3, ""), (command, err))
            self.assertIn("d.csv:1:1: the first line holds only numbers", err)
            self.assertIn("--no-header reads it as data", err)
            self.assertIn("put a line in front of it: x0,x1,x2,x3,x4,x5,target)", err)
        self.write("d.tsv", headless(self.rows, "\t"))
        self.assert_refused(3, "d.tsv:1:1: the first line holds only numbers", ["d.tsv", *ARGUMENTS])
        self.write("counts.csv", "0,1,2\n" + "1,2,3\n" * 9)
        self.assert_refused(3, "counts.csv:1:1: the first line holds only numbers", ["counts.csv", *ARGUMENTS])
        self.write("one.csv", "1,2,3\n")
        for flags, part in (([], "only numbers"), (["--header"], "has 0 rows")):
            self.assert_refused(3, part, ["one.csv", *flags, *ARGUMENTS])

    def test_without_a_header(self):
        found, err = self.fit("d.csv", "--no-header", *ARGUMENTS)
        self.assert_same_model(found, self.expected, 15)
        self.assertEqual([c["feature"] for c in found["coefficients"]], ["x1", "x4"])
        self.assertIn("target: column 'x6', the last", err)
        turned = self.write("turned.csv", headless([row[-1:] + row[:-1] for row in self.rows]))
        for target in ("x0", "0"):
            found, _ = self.fit(turned, "--no-header", "--target", target, *ARGUMENTS)
            self.assert_same_model(found, self.expected, 15)
            self.assertEqual([c["feature"] for c in found["coefficients"]], ["x2", "x5"])
        self.assert_refused(2, "target: turned.csv has no column 'x7'", ["turned.csv", "--no-header", "--target", 7, *ARGUMENTS])
        text = headless(self.rows).encode()
        self.assert_same_model(self.fit("-", "--no-header", *ARGUMENTS, stdin=text)[0], self.expected, 15)
        self.assert_refused(3, "data.csv:1:1: column 'x0' holds 'f0'", "--header takes the first line as column names",
                            ["data.csv", "--no-header", *ARGUMENTS])

    def test_a_header_of_numbers(self):
        years = [str(1990 + j) for j in range(7)]
        self.write("years.csv", csv_text(years, self.rows))
        found, _ = self.fit("years.csv", "--header", *ARGUMENTS, "-o", "m.json")
        self.assert_same_model(found, self.expected, 15)
        self.assertEqual([c["feature"] for c in found["coefficients"]], ["1991", "1994"])
        self.run_ok("verify", "m.json", "years.csv")
        self.assertEqual(len(self.run_ok("predict", "m.json", "years.csv").splitlines()), 40)

    def test_a_model_remembers(self):
        self.run_ok("prove", "d.csv", "--no-header", *ARGUMENTS, "-o", "m.json", "--proof", "p")
        self.assertEqual(json.loads((self.folder / "m.json").read_text())["data"]["header"], "no")
        self.assertIn("header no", self.run_ok("inspect", "m.json"))
        self.run_ok("verify", "m.json", "d.csv", "--proof", "p")
        self.run_ok("report", "m.json", "d.csv")
        predicted = self.run_ok("predict", "m.json", "d.csv")
        self.assertEqual(len(predicted.splitlines()), 40)
        self.write("new.csv", headless([row[:-1] for row in self.rows]))
        self.assertEqual(self.run_ok("predict", "m.json", "new.csv"), predicted)  # the target is the last: none moves
        self.write("named.csv", csv_text([f"x{j}" for j in range(6)], [row[:-1] for row in self.rows]))
        self.assertEqual(self.run_ok("predict", "m.json", "named.csv", "--header"), predicted)
        for rows in ([row[1:-1] for row in self.rows], [row + [1] for row in self.rows]):
            self.write("new.csv", headless(rows))
            code, out, err = self.run_program("predict", "m.json", "new.csv")
            self.assertEqual((code, out), (3, ""), err)
            self.assertIn(f"new.csv: has {len(rows[0])} columns and no header; the model was fitted to 7", err)

    def test_a_first_column_that_is_the_target_cannot_be_left_out(self):
        self.write("turned.csv", headless([row[-1:] + row[:-1] for row in self.rows]))
        self.run_ok("fit", "turned.csv", "--no-header", "--target", 0, *ARGUMENTS, "-o", "m.json")
        self.assertEqual(len(self.run_ok("predict", "m.json", "turned.csv").splitlines()), 40)
        self.write("new.csv", headless([row[:-1] for row in self.rows]))
        code, _, err = self.run_program("predict", "m.json", "new.csv")
        self.assertEqual(code, 3)
        self.assertIn("has 6 columns and no header; the model was fitted to 7", err)

    def test_only_where_it_means_something(self):
        self.write("d.svm", "1 1:2\n2 1:3\n")
        self.assert_refused(2, "no-header: is set; expected it only with csv and tsv, and not with libsvm",
                            ["d.svm", "--no-header", *ARGUMENTS])
        self.assert_refused(2, "header: is set", ["d.svm", "--header", *ARGUMENTS])
        self.assert_refused(2, "--header", ["d.csv", "--header", "--no-header", *ARGUMENTS])


class Repeated(ProgramTest):
    def test_names(self):
        for header, part in (("a,b,a,y", "d.csv:1:1: columns 1 and 3 are both called 'a'; expected different names"),
                             ("a,y,b,y", "columns 2 and 4 are both called 'y'"),
                             ("target,a,b,target", "columns 1 and 4 are both called 'target'"),
                             ('a,b," a ",y', "columns 1 and 3 are called 'a' and ' a '")):
            self.assert_refused(3, part, [self.write("d.csv", header + "\n1,2,3,4\n5,6,7,8\n"), *ARGUMENTS])

    def test_entries_of_matrices(self):
        self.write("y.txt", "1\n2\n3\n")
        head = "%%MatrixMarket matrix coordinate real "
        for text, part in (("symmetric\n3 3 2\n2 1 1\n1 2 1\n", "d.mtx:4:3: found '2'; expected a column on or below the diagonal"),
                           ("skew-symmetric\n3 3 1\n2 2 1\n", "d.mtx:3:3: found '2'; expected a column below the diagonal")):
            self.assert_refused(3, part, [self.write("d.mtx", head + text), "--target", "y.txt", *ARGUMENTS])
        self.write("d.mtx", head + "general\n3 2 4\n1 1 1\n1 1 2\n2 1 5\n3 2 1\n")
        _, err = self.fit("d.mtx", "--target", "y.txt", *ARGUMENTS)
        self.assertIn("d.mtx: several entries at row 1, column 1; they are added up", err)

    def test_headers_of_npy_files(self):
        self.write("y.npy", npy_bytes([1.0, 2.0]))
        good = npy_bytes([[1.0, 2.0], [3.0, 5.0]])
        self.fit(self.write("X.npy", good), "--target", "y.npy", *ARGUMENTS)
        for old, new, part in ((b"False", b"0    ", "expected True or False as fortran_order"),
                               (b"False", b"'No' ", "expected True or False as fortran_order"),
                               (b"(2, 2)", b"(2.,2)", "expected a shape, a tuple of whole numbers"),
                               (b", }     ", b", } junk", "has 'junk"),
                               (b"<f8", b">f8", "holds '>f8'")):
            self.assertIn(old, good)
            self.write("X.npy", good.replace(old, new, 1))
            self.assert_refused(3, "X.npy: ", part, ["X.npy", "--target", "y.npy", *ARGUMENTS])
        self.write("X.npy", good + b"more")
        self.assert_refused(3, "X.npy: has 4 bytes behind the 2 x 2 numbers", ["X.npy", "--target", "y.npy", *ARGUMENTS])


class Separators(ProgramTest):
    def test_semicolons(self):
        rows = regression()
        expected, _ = self.fit(self.write_rows(rows), *ARGUMENTS)
        text = csv_text(self.names, rows, ";")
        found, err = self.fit(self.write("d.csv", text), *ARGUMENTS)
        self.assert_same_model(found, expected, 15)
        self.assertIn("separator: ';', as the first line has no ','", err)
        self.assert_same_model(self.fit("-", *ARGUMENTS, stdin=text.encode())[0], expected, 15)
        self.write("d.csv", text.replace(".", ","))
        self.assert_refused(3, "d.csv:2:1: column 'f0' holds", "with a decimal point, not a comma", ["d.csv", *ARGUMENTS])
        self.write("d.csv", text.replace(";", "|"))
        self.assert_refused(3, "d.csv:1:1: the first line has one column", "separated by ',', not '|'", ["d.csv", *ARGUMENTS])


class Hints(ProgramTest):
    def test_a_target_of_two_words(self):
        rows = [row[:-1] + ["yes" if row[-1] > 0 else "no"] for row in regression()]
        path = self.write_rows(rows)
        self.assert_refused(3, "column 'target' holds", "--loss logistic takes two words as classes", [path, *ARGUMENTS])
        found, _ = self.fit(path, "--loss", "logistic", *ARGUMENTS)
        self.assertEqual(found["loss"], "logistic")

    def test_a_target_of_0_and_1(self):
        hint = "--loss logistic takes them as two classes"
        for low in (0, -1):
            rows = [row[:-1] + [1 if row[-1] > 0 else low] for row in regression()]
            path = self.write_rows(rows)
            self.assertIn(f"target: holds only {low} and 1, taken as numbers; {hint}", self.fit(path, *ARGUMENTS)[1])
            self.assertNotIn(hint, self.fit(path, "--loss", "squared", *ARGUMENTS)[1])
        self.assertNotIn(hint, self.fit(self.write_rows(regression()), *ARGUMENTS)[1])


class Pipes(ProgramTest):
    def test_packed_in_pieces_of_any_size(self):
        """More than a first look at it, from a file and from a pipe; the first piece of gzip is shorter than any mark."""
        rows = regression(n=4000)
        text = csv_text(self.names, rows).encode()
        expected, _ = self.fit(self.write("d.csv", text), *ARGUMENTS)
        for pack in (gzip.compress, bz2.compress):
            data = b"".join(pack(text[start:stop]) for start, stop in ((0, 1), (1, 1), (1, 70000), (70000, None)))
            self.assert_same_model(self.fit(self.write("d.csv.packed", data), "--data-format", "csv", *ARGUMENTS)[0], expected, 15)
            self.assert_same_model(self.fit("-", *ARGUMENTS, stdin=data)[0], expected, 15)
            self.assert_same_model(self.fit("-", *ARGUMENTS, stdin=data + bytes(500))[0], expected, 15)  # as tapes pad
            self.assert_refused(3, "<stdin>: ends in the middle of its", ["-", *ARGUMENTS], stdin=data[:-5])
            self.assert_refused(3, "<stdin>: holds broken", ["-", *ARGUMENTS], stdin=data + bytes(500) + b"x")

    def test_quotes_over_the_end_of_the_first_look(self):
        text = 'a,"two\nlines",target\n' + "".join(f'"{i}","{i * 7 % 13}",{i % 5}\n' for i in range(9000))
        expected, _ = self.fit(self.write("d.csv", text), *ARGUMENTS)
        self.assert_same_model(self.fit("-", *ARGUMENTS, stdin=text.encode())[0], expected, 15)
        self.assert_refused(3, "<stdin>:9002:", ["-", *ARGUMENTS], stdin=text.replace('"8999"', '"x"').encode())


class Endless(ProgramTest):
    """A refusal, with little memory and less disk: what is written to a file of more than 64 MB ends the program."""

    megabytes = 300

    def refused(self, part, *arguments, source=None):
        limit = ["sh", "-c", "ulimit -f 131072; exec \"$@\"", "-", str(PROGRAM)]  # in blocks of 512 bytes
        feeder = source and subprocess.Popen(["sh", "-c", source], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        process = subprocess.Popen([*limit, "fit", *map(str, arguments), *map(str, ARGUMENTS)], cwd=self.folder,
                                   stdin=feeder.stdout if feeder else subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if feeder:
            feeder.stdout.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        err = process.stderr.read().decode()
        process.stdout.close(), process.stderr.close()
        if feeder:
            feeder.wait()
        self.assertEqual(process.returncode, 3, err)
        self.assertIn(part, err)
        if not sanitized():
            self.assertLess(usage.ru_maxrss, 1024 * self.megabytes)

    def test_zeros(self):
        parts = {"csv": "found a zero byte", "tsv": "found a zero byte", "libsvm": "found a zero byte",
                 "npy": "no magic", "mtx": "expected a first line that starts with %%MatrixMarket"}
        self.refused("/dev/zero:1:1: found a zero byte; expected text", "/dev/zero")
        self.refused("<stdin>:1:1: found a zero byte; expected text", "-", source="cat /dev/zero")
        for form, part in parts.items():
            self.refused(part, "/dev/zero", "--data-format", form, "--target", "/dev/zero")
            self.refused(part, "-", "--data-format", form, source="cat /dev/zero")

    def test_noise(self):
        self.refused("found a zero byte", "-", source="cat /dev/urandom")

    def test_targets(self):
        self.write("X.npy", npy_bytes([[1.0], [2.0]]))
        self.refused("/dev/zero:1:1: found a zero byte", "X.npy", "--target", "/dev/zero")

    def test_text_without_end(self):
        for source, part in (("yes", "cannot tell its format"), ("yes ''", "nothing but blanks"),
                             ("yes 1,2", "only numbers"), ("yes a,b", "<stdin>:2:1: column 'a' holds 'a'"),
                             ("yes '1 1:2 1:3'", "<stdin>:1:7: feature 1 is on this line already"),
                             ("yes 1 | tr -d '\\n'", "a word of more than 1000000 bytes")):
            self.refused(part, "-", source=source)

    def test_bombs(self):
        """A few megabytes of gzip that are gigabytes of zeros; members that repeat make them quickly."""
        member = gzip.compress(bytes(10**8), 9)
        for ending, part in (("csv", "found a zero byte"), ("svm", "found a zero byte"), ("npy", "no magic"),
                             ("mtx", "expected a first line")):
            path = self.folder / f"d.{ending}.gz"
            path.write_bytes(member * 40)
            self.refused(part, path.name, *(["--target", path.name] if ending in ("npy", "mtx") else []))
        self.refused("found a zero byte", "-", source="cat /dev/zero | gzip -1")
        header = npy_bytes([[1.0, 2.0]])
        self.write("X.npy.gz", gzip.compress(header) + member * 40)
        self.refused("has more than the", "X.npy.gz", "--target", "y.npy")

    def test_a_gigabyte_in_one_line(self):
        member = gzip.compress(b"1" * 10**8, 9)
        self.write("d.csv.gz", gzip.compress(b"a,b\n1,") + member * 10)
        self.refused("d.csv.gz:2:", "d.csv.gz")
        plain = self.write("d.csv", b"a,b\n1," + b"2" * 5000000)
        self.refused("d.csv:2:", plain)


if __name__ == "__main__":
    unittest.main()
