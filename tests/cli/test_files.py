"""Files and the machine at their worst, as the program's user meets them. What must not break it, case by case:

19 labels of any kind            test_fit_cases.Labels, test_predict.Classes
20 cut, ragged, mutated files    Broken here; tests/io for every reader and its places; fuzz/ for what nobody thought of
21 sizes that lie                Sizes here; test_fit_input.Shapes for .npy and LIBSVM
22 models of another version     Broken.test_models_of_another_major_version; tests/io/model/model_test.cpp
23 disk full, killed at writing  Writes; test_outputs.Replacing; test_convert.Convert.test_killed_it_leaves_nothing_behind
24 Ctrl-C and SIGTERM            test_fit.Endings, test_prove.Endings, test_streams.Signals
25 limits                        test_fit.Endings, test_prove.Endings
26 no memory                     Memory
33 outputs that are inputs       test_outputs.Inputs, test_outputs.Pairs
34 dead stdout or stderr         test_streams.Results, test_streams.Messages, test_streams.Closed
"""
import os
import random
import resource
import signal
import unittest

from program import ProgramTest, csv_text, libsvm_text, npy_bytes, packed, regression, sanitized

ARGUMENTS = ["--lambda0", 0.5, "--lambda2", 0.01]


def mtx_text(rows):
    return f"%%MatrixMarket matrix array real general\n{len(rows)} {len(rows[0])}\n" + "".join(
        f"{row[j]}\n" for j in range(len(rows[0])) for row in rows
    )


def coordinate_text(rows):
    entries = [f"{i} {j} {cell}\n" for i, row in enumerate(rows, 1) for j, cell in enumerate(row, 1) if cell]
    return f"%%MatrixMarket matrix coordinate real general\n{len(rows)} {len(rows[0])} {len(entries)}\n" + "".join(entries)


class Formats(ProgramTest):
    def test_mtx_is_the_same_data_with_targets_of_any_format(self):
        rows = regression()
        expected, _ = self.fit(self.write_rows(rows), *ARGUMENTS)
        X, y = [row[:-1] for row in rows], [row[-1] for row in rows]
        self.write("y.npy", npy_bytes(y))
        self.write("y.mtx", mtx_text([[value] for value in y]))
        self.write("y.txt", "".join(f"{value}\n" for value in y))
        for text in (mtx_text(X), coordinate_text(X)):
            for ending in ("", ".gz", ".bz2"):
                self.write("X.mtx" + ending, packed(text.encode(), ending))
            for target in ("y.npy", "y.mtx", "y.txt"):
                self.assert_same_model(self.fit("X.mtx", "--target", target, *ARGUMENTS)[0], expected)
            for ending in (".gz", ".bz2"):
                self.assert_same_model(self.fit("X.mtx" + ending, "--target", "y.txt", *ARGUMENTS)[0], expected)
            self.assert_same_model(self.fit("-", "--target", "y.txt", *ARGUMENTS, stdin=text.encode())[0], expected)
            self.write("X", text)
            self.assert_same_model(self.fit("X", "--data-format", "mtx", "--target", "y.txt", *ARGUMENTS)[0], expected)
        self.assert_refused(2, "target: is not set; X.mtx needs the file of its targets", ["X.mtx", *ARGUMENTS])

    def test_missing_cells(self):
        rows = regression()
        rows[3][2] = "NA"
        rows[7][-1] = ""
        path = self.write_rows(rows)
        self.assert_refused(3, "data.csv:5:", "column 'f2' holds 'NA'", "--missing drop", [path, *ARGUMENTS])
        self.assert_refused(3, "data.csv:9:", "column 'target' is empty", "--missing drop",
                            [path, *ARGUMENTS, "--missing", "mean"])
        dropped, err = self.fit(path, *ARGUMENTS, "--missing", "drop")
        self.assertEqual(dropped["n"], 38)
        self.assertIn("2 of 40 rows have missing values", err)
        rest = self.write_rows([row for i, row in enumerate(rows) if i not in (3, 7)], "rest.csv")
        self.assert_same_model(dropped, self.fit(rest, *ARGUMENTS)[0], 15)
        X = [[float("nan") if cell == "NA" else cell for cell in row[:-1]] for row in rows]
        y = [float("nan") if row[-1] == "" else row[-1] for row in rows]
        self.write("X.npy", npy_bytes(X))
        self.write("y.npy", npy_bytes(y))
        found, _ = self.fit("X.npy", "--target", "y.npy", *ARGUMENTS, "--missing", "drop")
        self.assert_same_model(found, dropped)

    def test_means(self):
        rows = regression()
        known = [row[1] for i, row in enumerate(rows) if i != 3]
        filled = [list(row) for row in rows]
        filled[3][1] = sum(known) / len(known)
        rows[3][1] = "?"
        found, err = self.fit(self.write_rows(rows), *ARGUMENTS, "--missing", "mean")
        self.assertIn("1 cells are filled in", err)
        self.assert_same_model(found, self.fit(self.write_rows(filled, "filled.csv"), *ARGUMENTS)[0], 12)

    def test_words(self):
        rows = [[("a", "b")[i % 2]] + row for i, row in enumerate(regression())]
        names = ["kind"] + self.names
        path = self.write_rows(rows, names=names)
        self.assert_refused(3, "data.csv:2:1: column 'kind' holds 'a'", "--categorical onehot", [path, *ARGUMENTS])
        found, _ = self.fit(path, *ARGUMENTS, "--categorical", "onehot")
        self.assertEqual(found["p"], 8)


class Broken(ProgramTest):
    def test_cut_and_mutated_files_end_in_an_exit_code(self):
        rows = regression(n=8)
        self.write("y.txt", "".join(f"{row[-1]}\n" for row in rows))
        X = [row[:-1] for row in rows]
        files = {"d.csv": csv_text(self.names, rows).encode(), "d.svm": libsvm_text(rows).encode(),
                 "d.npy": npy_bytes(X), "d.mtx": coordinate_text(X).encode(), "d.csv.gz": packed(csv_text(self.names, rows).encode(), ".gz")}
        numbers = random.Random(3)
        for name, content in files.items():
            target = ["--target", "y.txt"] if name in ("d.npy", "d.mtx") else []
            for round in range(12):
                at = numbers.randrange(len(content))
                damaged = content[:at] if round % 2 else content[:at] + bytes([numbers.randrange(256)]) + content[at + 1:]
                code, out, err = self.run_program("fit", self.write(name, damaged), *target, *ARGUMENTS)
                self.assertIn(code, (0, 2, 3), err)
                self.assertEqual(out == "", code != 0)
                if code == 3:
                    self.assertEqual(err.count("\n"), 1, err)

    def test_places(self):
        self.write("y.txt", "1\n2\n")
        for name, text, part in (("d.csv", "a,b,y\n1,2,3\n4,5\n", "d.csv:3:4: the line has 2 cells"),
                                 ("d.svm", "1 1:2\n2 1:\n", "d.svm:2:5: found ''"),
                                 ("d.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\nx\n", "d.mtx:4:1: found 'x'")):
            target = ["--target", "y.txt"] if name == "d.mtx" else []
            self.assert_refused(3, part, [self.write(name, text), *target, *ARGUMENTS])

    def test_models_of_another_major_version(self):
        path = self.write_rows(regression())
        self.run_program("fit", path, *ARGUMENTS, "-o", "m.json")
        model = (self.folder / "m.json").read_text()
        self.write("m.json", model.replace("ellzero.model/1", "ellzero.model/2"))
        for command in (["verify", "m.json", path], ["predict", "m.json", path], ["inspect", "m.json"]):
            code, out, err = self.run_program(*command)
            self.assertEqual((code, out), (3, ""), err)
            self.assertIn("m.json: schema: value is", err)
        self.write("m.json", model[: len(model) // 2])
        code, _, err = self.run_program("inspect", "m.json")
        self.assertEqual(code, 3)
        self.assertRegex(err, r"m\.json:\d+:\d+: no JSON from here on")


class Sizes(ProgramTest):
    def test_lying_headers_and_bombs(self):
        self.write("y.txt", "1\n")
        banner = "%%MatrixMarket matrix "
        for name, text, part in (("d.mtx", banner + "array real general\n4000000000 4000000000\n1\n", "d.mtx:2:22: promises"),
                                 ("d.mtx", banner + "coordinate real general\n9 9 4000000000000\n1 1 1\n", "promises 9 x 9"),
                                 ("d.mtx", banner + "coordinate real general\n9 4000000000000000 1\n1 1 1\n", "GB of memory"),
                                 ("d.csv", "a" * 20000 + ",y\n1,2\n", "a name of 20000 bytes"),
                                 ("d.csv", 'a,y\n1,2\n3,"' + "4," * 600000, "d.csv:3:3: the quote that opens here is not")):
            target = ["--target", "y.txt"] if name == "d.mtx" else []
            self.assert_refused(3, part, [self.write(name, text), *target, *ARGUMENTS])
        self.write("m.json", "[" * 1000000)
        code, _, err = self.run_program("inspect", "m.json")
        self.assertEqual(code, 3)
        self.assertIn("nests deeper", err)

    def test_a_gigabyte_in_one_line(self):
        """The file is a hole, so that it takes no room on the disk."""
        path = self.write("d.csv", "a,b,y\n1,")
        with path.open("r+b") as file:
            file.truncate(10**9)
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (5 * 10**9, 5 * 10**9))
        keywords = {} if sanitized() else {"preexec_fn": limit}
        self.assert_refused(3, "d.csv:2:3: found a zero byte; expected text", [path, *ARGUMENTS], **keywords)


class Writes(ProgramTest):
    """The old model is there, whole, whatever happens to the new one."""

    def setUp(self):
        super().setUp()
        names = [f"a name that is long enough to fill the file {j}" for j in range(300)]
        numbers = random.Random(1)
        rows = [[numbers.random() for _ in range(301)] for _ in range(20)]
        self.path = self.write_rows(rows, names=names + ["target"])
        self.write("m.json", "the old one")

    @staticmethod
    def limit_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    def test_no_room_left_is_6(self):
        for target, part in (("m.json", "m.json: cannot write"), ("/dev/full", "/dev/full: cannot write")):
            keywords = {"preexec_fn": self.limit_files} if target == "m.json" else {}
            code, _, err = self.run_program("fit", self.path, *ARGUMENTS, "-o", target, **keywords)
            self.assertEqual(code, 6, err)
            self.assertIn(part, err)
        self.assertEqual((self.folder / "m.json").read_text(), "the old one")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["data.csv", "m.json"])

    def test_killed_while_writing(self):
        """The proof is written from the first node on, and the file of the model is open."""
        numbers = random.Random(2)
        self.write_rows([[numbers.gauss(0, 1) for _ in range(201)] for _ in range(60)], "hard.csv",
                        [f"f{j}" for j in range(200)] + ["target"])
        self.write("p", "the old proof")
        process = self.start("prove", "hard.csv", "--k", 20, "--lambda2", 0.01, "--gap", 0, "--progress", "json",
                             "-o", "m.json", "--proof", "p")
        self.assertIn(b"{", process.stderr.readline())
        process.kill()
        process.communicate()
        self.assertEqual(process.returncode, -signal.SIGKILL)
        self.assertEqual([(self.folder / name).read_text() for name in ("m.json", "p")], ["the old one", "the old proof"])
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["data.csv", "hard.csv", "m.json", "p"])

    def test_all_commands_that_write(self):
        code, _, err = self.run_program("fit", self.path, *ARGUMENTS, "-o", "good.json")
        self.assertEqual(code, 0, err)
        self.write("old.csv", "the old one")
        for command in (["convert", self.path, "old.csv"], ["predict", "good.json", self.path, "-o", "old.csv"]):
            limit = 16 if command[0] == "predict" else 4096
            prepare = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            code, _, err = self.run_program(*command, preexec_fn=prepare)
            self.assertEqual(code, 6, err)
            self.assertEqual((self.folder / "old.csv").read_text(), "the old one")


@unittest.skipIf(sanitized(), "sanitizers need an address space without limits")
class Memory(ProgramTest):
    def out_of_memory(self, megabytes, *arguments):
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        code, out, err = self.run_program(*arguments, preexec_fn=limit)
        self.assertEqual((code, out, err), (6, "", "ellzero: out of memory\n"))

    def test_the_reader_runs_out(self):
        self.write("d.svm", "1 1:2\n2 99999999:1\n3 5:1\n")
        self.out_of_memory(500, "fit", "d.svm", *ARGUMENTS)
        self.write("m.json", "old")
        self.out_of_memory(500, "fit", "d.svm", *ARGUMENTS, "-o", "m.json")
        self.assertEqual((self.folder / "m.json").read_text(), "old")

    def most_held(self, data, out, *arguments, stdin=b""):
        """The most memory that `convert` held at once, which reads all and writes piece by piece."""
        process = self.start("convert", data, out, *arguments, "-q")
        if stdin:
            process.stdin.write(stdin)
        process.stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors = process.stderr.read().decode()
        process.stdout.close(), process.stderr.close()
        self.assertEqual(process.returncode, 0, errors)
        return 1024 * usage.ru_maxrss

    def test_reading_takes_at_most_half_as_much_again_as_the_matrix(self):
        numbers = random.Random(1)
        rows = [[numbers.gauss(0, 1) for _ in range(51)] for _ in range(1000)]
        repeats, places = 40, range(1, 50, 2)
        csv = (",".join([f"x{j}" for j in range(50)] + ["target"]) + "\n").encode()
        csv += repeats * "".join(",".join(map(repr, row)) + "\n" for row in rows).encode()
        svm = repeats * "".join(f"{row[-1]}" + "".join(f" {j}:{row[j]}" for j in places) + "\n" for row in rows).encode()
        size = {"csv": 8 * 50 * 1000 * repeats, "svm": 12 * len(places) * 1000 * repeats}
        for kind, text, out in (("csv", csv, "out.npy"), ("svm", svm, "out.mtx")):
            self.write("small." + kind, text[:text.index(b"\n", 20000) + 1])
            before = self.most_held("small." + kind, out)
            for ending in ("", ".gz"):
                name = self.write(f"d.{kind}{ending}", packed(text, ending) if ending else text)
                held = self.most_held(name, out) - before
                self.assertLess(held / size[kind], 1.5, (kind, ending))
            held = self.most_held("-", out, "--data-format", {"csv": "csv", "svm": "libsvm"}[kind], stdin=text) - before
            self.assertLess(held / size[kind], 1.5, (kind, "stdin"))

    def test_the_solver_runs_out(self):
        self.write("d.svm", "1 1:2\n2 20000000:1\n3 5:1\n")
        for command in ("fit", "prove"):
            self.out_of_memory(500, command, "d.svm", *ARGUMENTS, "--threads", 2)


if __name__ == "__main__":
    unittest.main()
