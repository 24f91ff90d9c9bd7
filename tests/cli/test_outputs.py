"""Files that are written: never over an input, never two into one, and an old one keeps its links and its mode."""
import json
import os
import stat
import unittest

from program import PROGRAM, ProgramTest, npy_bytes, regression

PRICE = ["--lambda0", 0.5, "--lambda2", 0.01]
BROKEN = "a,b,target\n1,2,3\n4,five,6\n"  # whoever reads it ends with 3


def onto(descriptor, path, flags):
    """For preexec_fn: the file as stdin or stdout."""
    return lambda: os.dup2(os.open(path, flags), descriptor)


class OutputTest(ProgramTest):
    def assert_ends(self, code, parts, *arguments, **keywords):
        """Refused with one line that has all parts; no file is changed, made or removed by it."""
        before = self.contents()
        found, out, err = self.run_program(*arguments, **keywords)
        self.assertEqual((found, out), (code, ""), (arguments, err))
        self.assertTrue(err.startswith("ellzero: ") and err.count("\n") == 1, err)
        for part in parts:
            self.assertIn(part, err)
        self.assertEqual(self.contents(), before)

    def contents(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}

    def assert_runs(self, *arguments, **keywords):
        code, out, err = self.run_program(*arguments, **keywords)
        self.assertEqual(code, 0, err)
        return out

    def names_of(self, name):
        """Other names of the same file."""
        os.mkdir(self.folder / "sub")
        os.symlink(self.folder, self.folder / "here")
        os.symlink(name, self.folder / "soft")
        os.symlink("soft", self.folder / "softer")
        os.link(self.folder / name, self.folder / "hard")
        return [name, f"./{name}", self.folder / name, f"sub/../{name}", f"here/{name}", "soft", "softer", "hard"]


class Inputs(OutputTest):
    def test_data_by_any_name(self):
        self.write("d.csv", BROKEN)
        for name in self.names_of("d.csv"):
            parts = (f"'{name}'", "DATA")
            for flag in ("--output", "--trace"):
                self.assert_ends(2, (flag, *parts), "fit", "d.csv", *PRICE, "--method", "cdss", flag, name)
            for flag in ("--output", "--proof"):
                self.assert_ends(2, (flag, *parts), "prove", "d.csv", *PRICE, flag, name)
            self.assert_ends(2, ("--output", *parts), "predict", "m.json", "d.csv", "-o", name)
            self.assert_ends(2, ("--output", *parts), "report", "m.json", "d.csv", "-o", name)
            self.assert_ends(2, ("OUT", "IN", f"'{name}'"), "convert", "d.csv", name)
        self.assert_ends(2, ("--output, DATA", "'d.csv'"), "fit", "softer", *PRICE, "-o", "d.csv")

    def test_models_and_configurations(self):
        self.write("d.csv", BROKEN)
        self.write("m.json", "not read")
        for command in ("predict", "report"):
            self.assert_ends(2, ("--output, MODEL", "'./m.json'"), command, "m.json", "d.csv", "-o", "./m.json")
        self.write("c.toml", "lambda0 = 1\n")
        self.assert_ends(2, ("--output, --config", "'c.toml'"), "fit", "d.csv", "--config", "./c.toml", "-o", "c.toml")
        self.write("c.toml", "lambda0 = 1\noutput = 'd.csv'\n")
        self.assert_ends(2, ("--output, DATA", "'d.csv'"), "fit", "d.csv", "--config", "c.toml")

    def test_targets_weights_and_offset(self):
        rows = regression()
        self.write("X.npy", npy_bytes([row[:-1] for row in rows]))
        self.write("X", npy_bytes([row[:-1] for row in rows]))
        for name in ("y", "w", "o"):
            self.write(name + ".npy", npy_bytes([abs(row[-1]) for row in rows]))
        vectors = ["--target", "y.npy", "--weights", "w.npy", "--offset", "o.npy"]
        for data in ("X.npy", "X"):
            for flag, name in (("--target", "y.npy"), ("--weights", "w.npy"), ("--offset", "o.npy")):
                parts = (f"--output, {flag}", f"'{name}'")
                self.assert_ends(2, parts, "fit", data, *vectors, *PRICE, "-o", name)
                self.assert_ends(2, (f"OUT, {flag}", f"'{name}'"), "convert", data, name, *vectors)
        self.assert_runs("fit", "X.npy", *vectors, *PRICE, "-o", "m.json")
        self.assert_ends(2, ("--output, --target", "'y.npy'"), "report", "m.json", "X.npy", "-o", "y.npy")
        for flag, name in (("--target", "y.npy"), ("--weights", "w.npy"), ("--offset", "o.npy")):
            self.assert_ends(2, (f"--output, {flag}", f"'{name}'"), "predict", "m.json", "X.npy", "-o", name)
            self.assert_ends(2, (f"stdout, {flag}", f"'{name}'"), "verify", "m.json", "X.npy",
                             preexec_fn=onto(1, self.folder / name, os.O_WRONLY))

    def test_the_targets_of_a_model_are_not_what_predict_writes(self):
        rows = regression()
        self.write("X.npy", npy_bytes([row[:-1] for row in rows]))
        targets = self.write("y.npy", npy_bytes([row[-1] for row in rows]))
        before = targets.read_bytes()
        self.assert_runs("fit", "X.npy", "--target", "y.npy", *PRICE, "-o", "m.json")
        self.assert_ends(2, ("--output, --target", "'./y.npy'"), "predict", "m.json", "X.npy", "-o", "./y.npy")
        self.assertEqual(targets.read_bytes(), before)
        self.assert_runs("predict", "m.json", "X.npy", "-o", "new.npy")

    def test_a_column_is_no_file_that_predict_reads(self):
        rows = regression()
        self.assert_runs("fit", self.write_rows(rows), *PRICE, "-o", "m.json")
        self.write("X.npy", npy_bytes([row[:-1] for row in rows]))
        for _ in range(2):
            self.assert_runs("predict", "m.json", "X.npy", "-o", "target")

    def test_files_that_convert_writes_beside_its_output(self):
        rows = regression()
        self.write("A.npy", npy_bytes([row[:-1] for row in rows]))
        for name in ("B.target.npy", "y.npy"):
            self.write(name, npy_bytes([row[-1] for row in rows]))
        parts = ("the target of OUT, --target", "'B.target.npy'")
        self.assert_ends(2, parts, "convert", "A.npy", "B.npy", "--target", "B.target.npy")
        self.assert_ends(2, ("the weights of OUT, --weights",), "convert", "A.npy", "y.npy", "--target", "B.target.npy",
                         "--weights", self.write("y.weights.npy", npy_bytes([1.0] * len(rows))))
        self.assert_runs("convert", "A.npy", "B.npy", "--target", "y.npy")

    def test_stdin_and_stdout(self):
        self.write("d.csv", BROKEN)
        path = self.folder / "d.csv"
        self.assert_ends(2, ("--output, DATA", "'d.csv'"), "fit", "-", *PRICE, "-o", "d.csv",
                         preexec_fn=onto(0, path, os.O_RDONLY))
        for command in (["fit", "d.csv", *PRICE], ["path", "d.csv"], ["cv", "d.csv"], ["predict", "m.json", "d.csv"],
                        ["inspect", "d.csv"], ["verify", "m.json", "d.csv"], ["verify", "d.csv", "X.npy"],
                        ["verify", "m.json", "X.npy", "--proof", "d.csv"]):
            self.assert_ends(2, ("stdout, ", "'d.csv'"), *command, preexec_fn=onto(1, path, os.O_WRONLY | os.O_APPEND))
            before = self.contents()
            code, out, err = self.run_program(*command, preexec_fn=onto(2, path, os.O_WRONLY | os.O_APPEND))
            self.assertEqual((code, err), (2, ""), command)
            self.assertTrue(out.startswith("ellzero: stderr, ") and "'d.csv'" in out, out)
            both = lambda: [onto(number, path, os.O_WRONLY | os.O_APPEND)() for number in (1, 2)]
            self.assertEqual(self.run_program(*command, preexec_fn=both), (2, "", ""), command)
            self.assertEqual(self.contents(), before)

    def test_a_column_is_no_file(self):
        path = self.write_rows(regression())
        for _ in range(2):  # the second time there is a file of that name
            self.assert_runs("fit", path, "--target", "target", *PRICE, "-o", "target")
        self.assertEqual(json.loads((self.folder / "target").read_text())["schema"], "ellzero.model/1")


class Pairs(OutputTest):
    def test_two_outputs_in_one_file(self):
        self.write("d.csv", BROKEN)
        os.mkdir(self.folder / "sub")
        os.symlink(self.folder, self.folder / "here")
        os.symlink("new", self.folder / "dangling")
        self.write("old", "old")
        os.link(self.folder / "old", self.folder / "hard")
        for one, other in (("new", "new"), ("new", "./new"), ("new", "sub/../new"), ("here/new", "new"), ("dangling", "new"),
                           ("new", self.folder / "new"), ("old", "hard")):
            self.assert_ends(2, ("--output, --proof", f"'{other}'"), "prove", "d.csv", *PRICE, "-o", one, "--proof", other)
            self.assert_ends(2, ("--output, --trace", f"'{other}'"), "fit", "d.csv", *PRICE, "--method", "cdss", "-o", one,
                             "--trace", other)
        self.write("out", "")
        self.assert_ends(2, ("--output, stdout", "'./out'"), "fit", "d.csv", *PRICE, "-o", "./out",
                         preexec_fn=onto(1, self.folder / "out", os.O_WRONLY))
        code, out, err = self.run_program("fit", "d.csv", *PRICE, "-o", "./out",
                                          preexec_fn=onto(2, self.folder / "out", os.O_WRONLY))
        self.assertEqual((code, out), (2, ""), err)
        self.assertIn("--output, stderr", (self.folder / "out").read_text())

    def test_what_may_be_shared(self):
        path = self.write_rows(regression())
        self.assert_runs("prove", path, *PRICE, "-o", "/dev/null", "--proof", "/dev/null")
        os.mkdir(self.folder / "sub")
        self.assert_runs("prove", path, *PRICE, "-o", "same", "--proof", "sub/same")


class Replacing(OutputTest):
    def setUp(self):
        super().setUp()
        self.data = self.write_rows(regression())

    def save(self, output, **keywords):
        self.assert_runs("fit", self.data, *PRICE, "-o", output, **keywords)

    def assert_model(self, name):
        self.assertEqual(json.loads((self.folder / name).read_text())["schema"], "ellzero.model/1")

    def mode(self, name):
        return stat.S_IMODE((self.folder / name).stat().st_mode)

    def test_a_link_stays_and_its_target_is_replaced(self):
        os.mkdir(self.folder / "sub")
        os.symlink("../m.json", self.folder / "sub" / "link")
        os.symlink("sub/link", self.folder / "chain")
        for old in (None, "the old one"):  # first the links dangle
            if old:
                self.write("m.json", old)
            self.save("chain")
            self.assert_model("m.json")
            self.assertEqual(os.readlink(self.folder / "chain"), "sub/link")
            self.assertEqual(os.readlink(self.folder / "sub" / "link"), "../m.json")
        os.symlink("round", self.folder / "round")
        self.assert_ends(6, ("round: cannot write",), "fit", self.data, *PRICE, "-o", "round")

    def test_the_mode_is_kept_and_a_new_file_has_that_of_the_mask(self):
        for mask, mode in ((0o027, 0o640), (0o077, 0o600), (0, 0o666)):
            self.save(f"{mode}.json", preexec_fn=lambda: os.umask(mask))
            self.assertEqual(self.mode(f"{mode}.json"), mode)
        for mode in (0o600, 0o664, 0o755):
            self.write("m.json", "old").chmod(mode)
            self.save("m.json", preexec_fn=lambda: os.umask(0o022))
            self.assertEqual(self.mode("m.json"), mode)
            self.assert_model("m.json")

    @unittest.skipIf(os.geteuid() != 0, "only root gives files away")
    def test_owner_and_group_are_kept(self):
        os.chown(self.write("m.json", "old"), 1234, 4321)
        self.save("m.json")
        found = (self.folder / "m.json").stat()
        self.assertEqual((found.st_uid, found.st_gid), (1234, 4321))
        self.assert_model("m.json")

    def as_somebody(self):
        """For preexec_fn: somebody who is not root."""
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)

    def somebody(self):
        if os.geteuid() == 0 and not all(os.stat(folder).st_mode & 0o001 for folder in (PROGRAM, *PROGRAM.parents)):
            self.skipTest(f"only root can reach {PROGRAM}")
        return {"preexec_fn": self.as_somebody}

    def test_what_may_not_be_written_is_refused_before_anything_is_read(self):
        somebody = self.somebody()
        self.write("d.csv", BROKEN)
        self.write("m.json", "old").chmod(0o444)
        open_to_all, closed = self.folder / "open", self.folder / "closed"
        for folder, mode in ((open_to_all, 0o777), (closed, 0o755)):
            folder.mkdir()
            (folder / "old").write_text("old")
            (folder / "old").chmod(0o444 if mode == 0o777 else 0o666)
            folder.chmod(mode if os.geteuid() == 0 or mode == 0o777 else 0o555)
        self.folder.chmod(0o755)
        for output in ("open/old", "closed/old", "closed/new"):
            for command in (["fit", "d.csv", *PRICE, "-o"], ["prove", "d.csv", *PRICE, "--proof"],
                            ["predict", "m.json", "d.csv", "-o"], ["convert", "d.csv"]):
                name = output + ".csv" if command[0] == "convert" and output == "closed/new" else output
                self.assert_ends(6, (f"{name}: cannot write: Permission denied",), *command, name, **somebody)
        closed.chmod(0o755)
        self.assertEqual([path.read_text() for path in (open_to_all / "old", closed / "old")], ["old", "old"])
        self.assertEqual([path.name for path in closed.iterdir()], ["old"])

    def test_no_other_group_gets_what_was_for_one(self):
        if os.geteuid() != 0:
            self.skipTest("only root can make a file of a group that the user is not in")
        somebody = self.somebody()
        self.folder.chmod(0o777)
        self.data.chmod(0o644)
        os.chown(self.write("m.json", "old"), 65534, 4321)
        (self.folder / "m.json").chmod(0o664)
        self.save("m.json", **somebody)
        found = (self.folder / "m.json").stat()
        self.assertEqual((found.st_uid, found.st_gid, self.mode("m.json")), (65534, 65534, 0o644))

    def test_folders_are_refused_before_anything_is_read(self):
        self.write("d.csv", BROKEN)
        (self.folder / "sub").mkdir()
        for name, part in (("sub", "sub: is a directory"), ("nowhere/m", "nowhere/m: cannot write: No such file"),
                           ("d.csv/m", "d.csv/m: cannot write: Not a directory")):
            self.assert_ends(6, (part,), "fit", "d.csv", *PRICE, "-o", name)
            self.assert_ends(6, (part,), "fit", "d.csv", *PRICE, "--method", "cdss", "--trace", name)
            self.assert_ends(6, (part,), "prove", "d.csv", *PRICE, "--proof", name)
            self.assert_ends(6, (part,), "predict", "m.json", "d.csv", "-o", name)
            self.assert_ends(6, (part,), "report", "m.json", "d.csv", "-o", name)
        self.assert_ends(6, ("nowhere/b.npy: cannot write",), "convert", "d.csv", "nowhere/b.npy")
        (self.folder / "b.target.npy").mkdir()
        self.assert_ends(6, ("b.target.npy: is a directory",), "convert", "d.csv", "b.npy")

    def test_pipes_and_devices_are_written_to(self):
        os.mkfifo(self.folder / "pipe")
        process = self.start("fit", self.data, *PRICE, "-o", "pipe")
        model = json.loads((self.folder / "pipe").read_text())
        process.communicate(timeout=60)
        self.assertEqual((process.returncode, model["schema"]), (0, "ellzero.model/1"))
        self.assertTrue((self.folder / "pipe").is_fifo())
        self.save("/dev/null")
        self.assertTrue(os.path.exists("/dev/null") and not os.path.isfile("/dev/null"))
        code, _, err = self.run_program("fit", self.data, *PRICE, "-o", "/dev/full")
        self.assertEqual(code, 6)
        self.assertIn("/dev/full: cannot write: No space left", err)

    def test_stdout_by_its_name_is_written_on_not_replaced(self):
        self.save("m.json")
        expected = self.assert_runs("predict", "m.json", self.data)
        os.symlink("/dev/stdout", self.folder / "link")
        for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"):
            self.assertEqual(self.assert_runs("predict", "m.json", self.data, "-o", name), expected)
            out = self.write("out", "before\n")
            inode = out.stat().st_ino
            self.assert_runs("predict", "m.json", self.data, "-o", name, preexec_fn=onto(1, out, os.O_WRONLY | os.O_APPEND))
            self.assertEqual((out.read_text(), out.stat().st_ino), ("before\n" + expected, inode))
        model, _, text = self.assert_runs("fit", self.data, *PRICE, "-o", "/dev/stdout").partition("\nsquared loss")
        self.assertEqual(json.loads(model)["schema"], "ellzero.model/1")
        self.assertIn("objective", text)


if __name__ == "__main__":
    unittest.main()
