"""Options that have no effect beside others: refused by name before anything is read, and accepted where they have one."""
import unittest

from program import ProgramTest, regression

PRICE = ["--lambda0", 0.5]
CHOSEN = "where a model is chosen: without --lambda0, --k, --every-k and --pool"
METHOD = "with another --method than engine"
CASES = [  # command, options that make the next one idle, the idle one, where it has an effect
    *((command, form, option, CHOSEN)
      for command, form in (("fit", PRICE), ("fit", ["--k", 2]), ("prove", PRICE), ("fit", ["--every-k"]),
                            ("prove", [*PRICE, "--pool", 0.1]))
      for option in (["--select", "bic"], ["--rule", "min"], ["--metric", "mae"], ["--folds", 3], ["--repeats", 2],
                     ["--lambda0-grid", "2,1"], ["--lambda2-grid", "2,1"], ["--grid-size", 5], ["--max-nonzeros", 2])),
    *((command, ["--select", "bic"], option, "with --select cv")
      for command in ("fit", "prove")
      for option in (["--rule", "min"], ["--metric", "mae"], ["--folds", 3], ["--repeats", 2])),
    *((command, [], ["--hinge-width", 2], "with --loss smoothed-hinge") for command in ("fit", "prove", "path", "cv")),
    *(("fit", PRICE, option, METHOD)
      for option in (["--step", 0.1], ["--add-factor", 2], ["--tolerance", 0.1], ["--max-iterations", 9],
                     ["--screening", "none"], ["--no-adding"])),
    ("fit", [*PRICE, "--method", "dual-ascent"], ["--no-adding"], "with --method primal-dual"),
    ("fit", [*PRICE, "--method", "cdss"], ["--step", 0.1], "with a dual method, which cdss is not"),
    *(("fit", PRICE, option, "where something is proved: with `ellzero prove`, or without --lambda0 and --k")
      for option in (["--node-limit", 5], ["--memory-limit", 5])),
    *((command, ["--lambda0-grid", "2,1"], ["--grid-size", 5], "without --lambda0-grid") for command in ("fit", "path", "cv")),
    *(("path", ["--k", 3], option, "without --k") for option in (["--grid-size", 5], ["--max-nonzeros", 2])),
    ("path", ["--lambda1-grid", "2,1"], ["--lambda1", 1], "without --lambda1-grid"),
    ("path", ["--lambda2-grid", "2,1"], ["--lambda2", 1], "without --lambda2-grid"),
]
WITH_EFFECT = [
    ["fit", "--rule", "min", "--metric", "mae", "--folds", 3, "--repeats", 2, "--grid-size", 5, "--max-nonzeros", 4],
    ["fit", "--node-limit", 50, "--memory-limit", 50], ["fit", "--select", "bic", "--lambda0-grid", "5,1"],
    ["fit", *PRICE, "--loss", "smoothed-hinge", "--hinge-width", 2, "--target", "side"],
    ["fit", *PRICE, "--lambda2", 1, "--method", "primal-dual", "--step", 0.01, "--add-factor", 2, "--tolerance", 0.1,
     "--max-iterations", 9000, "--screening", "safe", "--no-adding"],
    ["prove", *PRICE, "--node-limit", 50], ["prove", *PRICE, "--pool", 0.1, "--node-limit", 50],
    ["path", "--grid-size", 5, "--max-nonzeros", 3], ["path", "--lambda0-grid", "5,1", "--lambda2", 1],
    ["cv", "--k", 3, "--rule", "min", "--folds", 3],
]


class Idle(ProgramTest):
    def test_are_refused_by_name(self):
        for command, form, option, expected in CASES:
            with self.subTest(command=command, form=form, option=option):
                code, out, err = self.run_program(command, "nowhere.csv", *form, *option)
                self.assertEqual((code, out, err), (2, "", f"ellzero: {option[0][2:]}: is set; expected it only {expected}\n"))

    def test_also_from_a_file(self):
        self.write("c.toml", "folds = 3\n")
        code, _, err = self.run_program("fit", "nowhere.csv", *PRICE, "--config", "c.toml")
        self.assertEqual((code, err), (2, f"ellzero: folds: is set; expected it only {CHOSEN}\n"))

    def test_are_accepted_where_they_have_an_effect(self):
        data = self.write_rows([row + [int(row[-1] > 0)] for row in regression()], names=[*self.names, "side"])
        for command, *options in WITH_EFFECT:
            with self.subTest(command=command, options=options):
                code, _, err = self.run_program(command, data, *options)
                self.assertIn(code, (0, 4), err)


if __name__ == "__main__":
    unittest.main()
