"""Limits of the system, names and words that are no text, and arguments that look like something else."""
import json
import os
import resource
import subprocess
import unicodedata
import unittest

from program import PROGRAM, ProgramTest, csv_text, npy_bytes, regression, sanitized

PRICE = ["--lambda0", 0.5, "--lambda2", 0.01]


class HostileTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write_rows(regression(), "d.csv")

    def assert_ends(self, code, parts, *arguments, **keywords):
        """One line on stderr that has all parts, and nothing else."""
        found, out, err = self.run_program(*arguments, **keywords)
        self.assertEqual((found, out), (code, ""), (arguments, err))
        self.assertTrue(err.startswith("ellzero: ") and err.count("\n") == 1, err)
        for part in parts:
            self.assertIn(part, err)

    def assert_runs(self, *arguments, **keywords):
        code, out, err = self.run_program(*arguments, **keywords)
        self.assertEqual(code, 0, err)
        return out


class Limits(HostileTest):
    def test_a_file_that_may_not_grow(self):
        most = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))
        self.assert_ends(6, ("u.json", "cannot write: File too large"), "fit", "d.csv", *PRICE, "-o", "u.json",
                         preexec_fn=most)
        self.assertFalse((self.folder / "u.json").exists())
        self.assertEqual([path.name for path in self.folder.iterdir()], ["d.csv"])

    def test_an_index_that_the_file_cannot_mean(self):
        self.write("far.svm", "1 1:1 2:1\n2 1:1 1000000000:1\n")
        self.assert_ends(3, ("far.svm:2:7: feature index is 1000000000; expected at most 100000000",), "fit", "far.svm", *PRICE)
        self.write("far.mtx", "%%MatrixMarket matrix coordinate real general\n2 2000000000000 1\n1 1 1\n")
        self.assert_ends(3, ("far.mtx", "needs 2e+05 GB of memory"), "fit", "far.mtx", "--target", "y", *PRICE)

    @unittest.skipIf(sanitized(), "a sanitizer needs more address space")
    def test_vectors_that_are_shorter_than_the_data(self):
        (self.folder / "X.npy").write_bytes(npy_bytes([[float(i * j % 7) for j in range(3)] for i in range(50)]))
        for name, length in (("y.txt", 50), ("short.txt", 2)):
            (self.folder / name).write_text("".join(f"{i % 5}\n" for i in range(length)))
        for flags, role in ((["--target", "short.txt"], "y"), (["--target", "y.txt", "--weights", "short.txt"], "weights"),
                            (["--target", "y.txt", "--offset", "short.txt"], "offset")):
            for missing in ("refuse", "drop"):
                self.assert_ends(3, (f"{role}: length is 2; expected 50, the number of rows of X",), "fit", "X.npy", *flags, "--k", 1,
                                 "--missing", missing, "-o", "m.json")

    def test_threads_that_cannot_be_started(self):
        one = self.fit("d.csv", *PRICE, "--threads", 1)[0]
        most = lambda: resource.setrlimit(resource.RLIMIT_AS, (200 << 20, 200 << 20))  # 256 stacks do not fit
        self.assert_same_model(self.fit("d.csv", *PRICE, "--threads", 256, preexec_fn=most)[0], one)

    def test_a_folder_that_has_gone(self):
        data = self.folder / "d.csv"
        gone = self.folder / "gone"
        os.mkdir(gone)

        def leave():
            os.chdir(gone)
            os.rmdir(gone)

        self.assert_ends(6, ("m.json: cannot write: No such file",), "fit", data, *PRICE, "-o", "m.json", preexec_fn=leave)

    def test_one_folder_by_two_paths(self):
        """A bind mount shows a folder in two places, and no link says so."""
        for name in ("real", "bound"):
            os.mkdir(self.folder / name)
        script = 'mount --bind real bound && exec "$0" prove d.csv --k 2 -o real/new --proof bound/new'
        process = subprocess.run(["unshare", "--mount", "--map-root-user", "sh", "-c", script, PROGRAM], cwd=self.folder,
                                 capture_output=True, text=True)
        if process.stderr.startswith(("unshare:", "mount:")):
            self.skipTest("mounting is not allowed here: " + process.stderr)
        self.assertEqual(process.returncode, 2, process.stderr)
        self.assertIn("--output, --proof: both are the file 'bound/new'", process.stderr)


class Words(HostileTest):
    ICONV = "is not UTF-8; expected text that is (iconv -f latin1 -t utf8"

    def test_names_and_words_that_are_not_utf8(self):
        rows = b"".join(b"%d,%d,%s\n" % (i, i * i % 7, (b"\xfe", b"\xff")[i % 3 == 0]) for i in range(12))
        self.write("classes.csv", b"a,b,target\n" + rows)
        logistic = ["--loss", "logistic", "--lambda0", 0.01]
        self.assert_ends(3, ("classes.csv:2:5: the word '\\xff' " + self.ICONV,), "fit", "classes.csv", *logistic)
        self.assert_ends(3, ("classes.csv:2:5: ", self.ICONV), "convert", "classes.csv", "new.csv")
        self.write("names.csv", b"a,gr\xf6\xdfe,target\n1,2,3\n2,2,4\n")
        self.assert_ends(3, ("names.csv:1:3: the name 'gr\\xf6\\xdfe' " + self.ICONV,), "fit", "names.csv", *PRICE)
        self.write("levels.csv", b"a,b,target\n1,u,3\n2,\xe9,4\n3,u,4\n")
        self.assert_ends(3, ("levels.csv:3:3: the word '\\xe9' " + self.ICONV,), "fit", "levels.csv", *PRICE,
                         "--categorical", "onehot")

    NAMES = ["\x1b[2J", "a\rb", "\x7f", "\x9b31m", "two\nlines", "bell\a", "target"]

    def assert_quiet(self, text):
        """What a terminal takes as a command is only the end of a line."""
        self.assertEqual([c for c in text if unicodedata.category(c) == "Cc" and c != "\n"], [])
        self.assertNotIn("\nlines", text)

    def test_names_are_no_commands_of_a_terminal(self):
        rows = regression()
        self.write("n.csv", csv_text([f'"{name}"' for name in self.NAMES], rows))
        always = ["--k", 6, "--lambda2", 0.01]
        for command in (["fit", "n.csv", *always, "-o", "m.json"], ["prove", "n.csv", *always, "--every-k"],
                        ["prove", "n.csv", *always, "--pool", 0.1], ["path", "n.csv", "--lambda2", 0.01],
                        ["cv", "n.csv", "--lambda2", 0.01], ["inspect", "m.json"], ["verify", "m.json", "n.csv"]):
            text = self.assert_runs(*command)
            self.assert_quiet(text)
            if command[0] not in ("cv", "verify"):
                self.assertIn(r"two\x0alines", text, command)
            if command[0] not in ("path", "cv", "verify"):
                self.assertIn(r"\x1b[2J", text, command)
                self.assertIn(r"\xc2\x9b31m", text, command)
        self.write("last.csv", csv_text(["a", "b", '"\x1b[1mc"'], [row[:3] for row in rows]))
        code, out, err = self.run_program("fit", "last.csv", *PRICE)
        self.assert_quiet(out + err)
        code, out, err = self.run_program("fit", "\x1b[2J.csv", *PRICE)
        self.assertEqual((code, out), (6, ""))
        self.assert_quiet(err)

    def test_what_a_model_says_is_no_command(self):
        self.assert_runs("fit", "d.csv", *PRICE, "-o", "m.json")
        model = json.loads((self.folder / "m.json").read_text())
        self.write("forged.json", json.dumps(model | {"version": "1\x1b]0;title\a\x9d", "data": model["data"] | {
            "target": "\x1b[2Jt", "weights": "\x9bw"}}))
        text = self.assert_runs("inspect", "forged.json")
        self.assert_quiet(text)
        self.assertIn(r"by ellzero 1\x1b]0;title\x07\xc2\x9d", text)
        self.write("classes.json", json.dumps(model | {"classes": ["a", "b\nc"]}))
        self.assert_ends(3, ("classes", "expected words without control characters"), "inspect", "classes.json")

    def test_a_class_is_one_line(self):
        for word, seen in (("a\nb", r"a\x0ab"), ("\x1b[2J", r"\x1b[2J"), ("\x85", r"\xc2\x85")):
            rows = [[i, i % 5, f'"{word}"' if i % 3 else "plain"] for i in range(12)]
            self.write("c.csv", csv_text(["a", "b", "target"], rows))
            self.assert_ends(3, (f"c.csv:3:5: column 'target' holds '{seen}'; expected a class without control",), "fit",
                             "c.csv", "--loss", "logistic", "--lambda0", 0.01)

    def test_letters_of_utf8_stay(self):
        self.write("names.csv", "a,größe,target\n" + "".join(f"{i % 3},{i},{2 * i}\n" for i in range(9)))
        self.assertEqual(self.fit("names.csv", "--k", 1)[0]["coefficients"][0]["feature"], "größe")
        self.assert_runs("fit", "names.csv", "--k", 1, "-o", "m.json")
        self.write("more.csv", "größe,\xfc\n5,1\n".encode("latin1"))
        self.assert_ends(3, ("has no column 'größe'",), "predict", "m.json", "more.csv")
        self.write("more.csv", "größe,".encode() + b"\xfc\n5,1\n")  # no other column matters
        self.assertAlmostEqual(float(self.assert_runs("predict", "m.json", "more.csv")), 10)


class ModelsOfOthers(HostileTest):
    """A model from elsewhere names files beside the data, which verify and report open."""
    def setUp(self):
        super().setUp()
        rows = regression()
        self.write("X.npy", npy_bytes([row[:-1] for row in rows]))
        self.write("y.npy", npy_bytes([row[-1] for row in rows]))
        self.assert_runs("fit", "X.npy", "--target", "y.npy", *PRICE, "-o", "m.json")
        self.model = json.loads((self.folder / "m.json").read_text())

    def commands(self, **names):
        self.write("forged.json", json.dumps(self.model | {"data": self.model["data"] | names}))
        return ["verify", "forged.json", "X.npy"], ["report", "forged.json", "X.npy", "-o", "r.html"]

    def test_what_a_file_holds_is_not_shown(self):
        self.write("secret", "password: 1234\n")
        for role in ("target", "weights", "offset"):
            for command in self.commands(**{role: "secret"}):
                code, out, err = self.run_program(*command)
                self.assertEqual((code, out), (3, ""), err)
                self.assertIn(f"secret: is no file of numbers, and only the model names it; expected one (--{role} FILE", err)
                self.assertNotIn("password", err)
        self.assert_ends(3, ("secret:1:1: found 'password: 1234'",), "verify", "m.json", "X.npy", "--target", "secret")

    def test_pipes_and_devices_are_not_opened(self):
        os.mkfifo(self.folder / "pipe")
        for role, name in (("target", "pipe"), ("weights", "/dev/zero"), ("offset", "pipe")):
            for command in self.commands(**{role: name}):
                self.assert_ends(3, (f"{name}: is no regular file, and only the model names it", f"--{role} FILE"), *command)
        command = self.commands(target="pipe")[0]
        self.assertIn("right", self.assert_runs(*command, "--target", "y.npy"))


class Arguments(HostileTest):
    def test_an_empty_name_is_not_none(self):
        for command, flags in (("fit", ("output", "trace", "config", "target", "weights", "offset")), ("prove", ("proof",))):
            for flag in flags:
                self.assert_ends(2, (f"{flag}: value is ''; expected a",), command, "d.csv", *PRICE, "--" + flag, "")
        self.assert_ends(2, ("output: value is ''",), "predict", "m.json", "d.csv", "-o", "")
        self.assert_ends(2, ("output: value is ''",), "report", "m.json", "d.csv", "-o", "")
        self.assert_ends(2, ("proof: value is ''",), "verify", "m.json", "d.csv", "--proof", "")
        self.write("c.toml", "output = ''\nlambda0 = 1\n")
        self.assert_ends(2, ("output: value is ''",), "fit", "d.csv", "--config", "c.toml")

    def test_a_configuration_is_a_short_text(self):
        for content, place in ((b"k = 2\n\0", "c:2:1: found a zero byte"), (b"\xff\xfek\0", "c:1:1: is UTF-16 text"),
                               (b"gap = 0\nk\n", "c:2:1: found 'k'; expected lines like k = 5"),
                               (b"x" * 2000000, "c:1:"), (b"k = 2\n" * 200000, "c: has more than 1000000 bytes")):
            self.write("c", content)
            self.assert_ends(3, ("config: " + place,), "fit", "d.csv", "--config", "c")
        self.assert_ends(3, ("config: /dev/zero:1:1: found a zero byte",), "fit", "d.csv", "--config", "/dev/zero")
        self.assert_ends(3, ("config: /dev/urandom:",), "fit", "d.csv", "--config", "/dev/urandom")
        os.mkdir(self.folder / "sub")
        self.assert_ends(6, ("config: sub: is a directory",), "fit", "d.csv", "--config", "sub")
        self.assert_ends(6, ("config: none: cannot open: No such file",), "fit", "d.csv", "--config", "none")

    def test_what_a_configuration_may_hold(self):
        self.write("c", b"\xef\xbb\xbf# two\n\nk = 2\nlower = [-9\n]\n#\n")
        by_file = self.fit("d.csv", "--config", "c")[0]
        self.assert_same_model(by_file, self.fit("d.csv", "--k", 2, "--lower", -9)[0])
        self.assertEqual(by_file["k"], 2)
        self.assertEqual(self.fit("d.csv", "--config", "/dev/stdin", stdin=b"k = 2")[0]["k"], 2)

    def test_two_dashes_end_the_options(self):
        self.write_rows(regression(), "-d.csv")
        plain = self.fit("d.csv", *PRICE)[0]["objective"]
        code, out, err = self.run_program("fit", *PRICE, "--format", "json", "--", "-d.csv")
        self.assertEqual((code, json.loads(out)["objective"]), (0, plain), err)
        self.assert_ends(2, ("unexpected argument '--k'",), "fit", *PRICE, "--", "d.csv", "--k")
        self.assert_ends(2, ("no option '--oputput'",), "fit", *PRICE, "--oputput", "--", "d.csv")
        self.assert_ends(2, ("unexpected argument '--'",), "fit", *PRICE, "--", "d.csv", "--")

    def test_a_dash_is_no_output(self):
        for command, flag in (("fit", "--output"), ("prove", "--proof")):
            self.assert_ends(2, (f"{flag}: value is '-'", "/dev/stdout"), command, "d.csv", *PRICE, flag, "-")
        self.assert_ends(2, ("OUT: value is '-'",), "convert", "d.csv", "-")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["d.csv"])


if __name__ == "__main__":
    unittest.main()
