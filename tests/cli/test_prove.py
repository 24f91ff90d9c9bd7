"""`ellzero prove`: what it prints while it runs and at its end, how it ends, and the model and proof it leaves."""
import fcntl
import json
import os
import random
import re
import signal
import struct
import termios
import unittest
from fractions import Fraction

from program import ROOT, ProgramTest, libsvm_text, npy_bytes, regression, sanitized
from test_fit import KEYS

DEMO = ROOT / "examples" / "diabetes.csv"
HARD = ("--lambda0", 60, "--lambda2", 0.005, "--gap", 0)
PROGRESS_KEYS = "stage seconds nodes open objective lower_bound relative_gap nonzeros point points".split()

MODEL_KEYS = "schema version settings data classes intercept coefficients certificate verdicts course".split()


def hard_rows(n=80, p=300, seed=5):
    """Many features that look alike: no proof within seconds."""
    numbers = random.Random(seed)
    rows = []
    for _ in range(n):
        common = numbers.gauss(0, 1)
        x = [round(0.5 * common + numbers.gauss(0, 1), 3) for _ in range(p)]
        rows.append(x + [round(sum(x[:20]) + 5 * numbers.gauss(0, 1), 4)])
    return rows


class ProveTest(ProgramTest):
    def prove(self, *arguments, code=0, **keywords):
        found, out, err = self.run_program("prove", *arguments, "--format", "json", **keywords)
        self.assertEqual(found, code, err)
        return json.loads(out), err

    def write_hard(self):
        rows = hard_rows()
        return self.write_rows(rows, names=[f"f{j}" for j in range(len(rows[0]) - 1)] + ["target"])


class Endings(ProveTest):
    def test_the_gap_is_met_and_the_keys_are_those_of_the_contract(self):
        result, err = self.prove(DEMO, "--lambda0", 1000, "--gap", 1e-6)
        self.assertEqual((list(result), err), (KEYS, ""))
        self.assertEqual(result["status"], "optimal")
        self.assertLessEqual(result["relative_gap"], 1e-6)
        self.assertGreater(result["nodes"], 0)
        self.assertLessEqual(result["objective"], self.fit(DEMO, "--lambda0", 1000)[0]["objective"] * (1 + 1e-12))

    def test_a_gap_that_rounding_holds_open_is_explained(self):
        rows = [row[:-1] + [100 * row[0] + row[-1]] for row in regression()]
        arguments = (self.write_rows(rows), "--k", 4, "--gap", 0)
        result, err = self.prove(*arguments, code=4)
        self.assertEqual(result["status"], "coordinate_optimal")
        self.assertTrue(1e-9 < result["relative_gap"] < 1e-3, result["relative_gap"])
        self.assertIn("note: gap: value is 0; nothing is left to look at, and rounding leaves a relative gap of", err)
        self.assertNotIn("gap", self.prove(*arguments, "--node-limit", 1, code=4)[1])  # a limit needs no excuse
        result, err = self.prove(self.write_rows(regression()), "--lambda0", 0.5, "--gap", 0)
        self.assertEqual(result["status"], "optimal")
        self.assertIn("note: gap: value is 0, below rounding; stopped at the floor, a relative gap of", err)

    def test_limits_are_4_and_the_gap_is_valid(self):
        hard = self.write_hard()
        best = self.prove(hard, *HARD, "--time-limit", 1, code=4)[0]
        self.assertEqual(best["status"], "time_limit")
        few = self.prove(hard, *HARD, "--node-limit", 50, code=4)[0]
        self.assertEqual(few["status"], "node_limit")
        self.assertLess(few["nodes"], 1000)
        for result in (best, few):
            self.assertGreater(result["relative_gap"], 0)
            self.assertLessEqual(result["lower_bound"], min(best["objective"], few["objective"]))

    def test_interrupts_print_and_save_the_incumbent(self):
        hard = self.write_hard()
        for number in (signal.SIGINT, signal.SIGTERM):
            model = self.folder / f"{number}.json"
            process = self.start("prove", hard, *HARD, "--format", "json", "-o", model, "--progress", "json")
            process.stderr.readline()  # it runs, and listens
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
            result = json.loads(out)
            self.assertEqual((process.returncode, result["status"]), (130, "interrupted"), err)
            self.assertLessEqual(result["lower_bound"], result["objective"])
            saved = json.loads(model.read_text())
            self.assertEqual(saved["certificate"]["objective"], result["objective"])
            self.assertEqual(os.listdir(self.folder).count(model.name), 1)

    def test_data_far_from_0_are_proved_and_the_objective_is_that_of_the_printed_numbers(self):
        lambda0, lambda2 = 2, 0.5
        for x_mean, y_mean in ((0, 1e8), (1e9, 0), (-1e9, 1e8), (1e10, -1e6)):
            numbers = random.Random(3)
            rows = []
            for _ in range(40):
                x = [numbers.gauss(0, 1) for _ in range(4)]
                rows.append([x_mean + v for v in x] + [y_mean + x[0] - x[2] + numbers.gauss(0, 1)])
            data = self.write_rows(rows, names=["a", "b", "c", "d", "target"])
            result = self.prove(data, "--lambda0", lambda0, "--lambda2", lambda2, "--no-standardize")[0]
            self.assertEqual((result["status"], [b["index"] for b in result["coefficients"]]), ("optimal", [0, 2]))
            exact = lambda0 * len(result["coefficients"])
            for b in result["coefficients"]:
                exact += Fraction(lambda2) * Fraction(b["value"]) ** 2
            for row in rows:
                u = Fraction(result["intercept"]) - Fraction(row[-1])
                u += sum(Fraction(b["value"]) * Fraction(row[b["index"]]) for b in result["coefficients"])
                exact += u * u / 2
            self.assertAlmostEqual(result["objective"] / float(exact), 1, delta=1e-13)

    def test_usage(self):
        code, out, err = self.run_program("prove", DEMO, "--lambda0", 1, "--nodelimit", 3)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("did you mean '--node-limit'?", err)
        self.assertIn("node-limit: value is 'x'",
                      self.run_program("prove", DEMO, "--lambda0", 1, "--node-limit", "x")[2])
        self.assertEqual(self.run_program("fit", DEMO, "--lambda0", 1, "--proof", "p")[0], 2)
        code, out, err = self.run_program("prove", DEMO, "--lambda0", 1, "-o", "/nowhere/m.json")
        self.assertEqual((code, out), (6, ""))
        self.assertIn("/nowhere/m.json: cannot write", err)
        self.assertEqual(self.run_program("prove", DEMO, "--lambda0", 1, "--proof", self.folder)[0], 6)


class Progress(ProveTest):
    def test_json_lines_on_stderr(self):
        hard = self.write_hard()
        for command in ("fit", "prove"):
            code, out, err = self.run_program(command, hard, "--lambda0", 10, "--lambda2", 0.5, "--progress", "json")
            self.assertEqual(code, 0, err)
            events = [json.loads(line) for line in err.splitlines()]
            self.assertTrue(events)
            for event in events:
                self.assertEqual(list(event), PROGRESS_KEYS)
            self.assertEqual([e["seconds"] for e in events], sorted(e["seconds"] for e in events))
        self.assertEqual(events[-1]["stage"], "proof")
        self.assertGreater(events[-1]["nodes"], 0)

    def test_the_last_event_is_the_result_even_where_nothing_takes_time(self):
        for command, how in (("fit", ["--k", 3]), ("fit", ["--lambda0", 1000]), ("prove", ["--k", 3]), ("prove", ["--lambda0", 1000])):
            code, out, err = self.run_program(command, DEMO, *how, "--progress", "json", "--format", "json", "--target", "target")
            self.assertEqual(code, 0, err)
            result, last = json.loads(out), json.loads(err.splitlines()[-1])
            self.assertEqual(list(last), PROGRESS_KEYS)
            for key in ("objective", "lower_bound", "nodes"):
                self.assertEqual(last[key], result[key], (command, how, key))
        code, out, err = self.run_program("prove", DEMO, "--every-k", "--k", 3, "--progress", "json", "--format", "json")
        self.assertEqual(json.loads(err.splitlines()[-1])["objective"], json.loads(out)["models"][-1]["objective"])

    def test_nothing_off_a_terminal_with_never_or_with_q(self):
        for extra in ([], ["--progress", "never"], ["-q"], ["-q", "--progress", "json"]):
            self.assertEqual(self.run_program("prove", DEMO, "--lambda0", 1000, *extra)[2], "")

    def on_terminal(self, *arguments, columns=80):
        """What a terminal of that width was sent on stderr."""
        master, terminal = os.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = self.start(*arguments, stderr=terminal)
        os.close(terminal)
        text = b""
        try:
            while piece := os.read(master, 1 << 16):
                text += piece
        except OSError:  # the other end is closed
            pass
        os.close(master)
        process.communicate(timeout=60)
        return text.decode()

    def test_a_table_on_a_terminal(self):
        text = self.on_terminal("prove", self.write_hard(), "--lambda0", 10, "--lambda2", 0.5)
        lines = [line.split("\x1b[K")[-1] for line in text.splitlines()]
        self.assertEqual(lines[0].split(), "time nodes open incumbent bound gap support".split())
        self.assertGreater(len(lines), 2)
        self.assertGreater(int(lines[-1].split()[2]), 0)

    def test_a_line_fits_the_terminal_is_calm_and_is_cleared_at_the_end(self):
        hard, seconds = self.write_hard(), 10 if sanitized() else 1.5  # time enough for a first line
        for columns in (40, 80, 200):
            text = self.on_terminal("prove", hard, *HARD, "--time-limit", seconds, columns=columns)
            for line in re.split(r"[\r\n]", text):
                self.assertLess(len(line.replace("\x1b[K", "")), columns)
            drawn = re.findall(r"\r(\[=* *\] +\d+ %[^\r\n]*)\x1b\[K", text)
            self.assertTrue(drawn, text)
            self.assertLessEqual(len(drawn), 10 * float(re.search(r"([\d.]+) s", drawn[-1]).group(1)))  # ten a second
            shares = [int(re.search(r"(\d+) %", line).group(1)) for line in drawn]
            self.assertEqual(shares, sorted(shares))
            self.assertIn("gap", drawn[-1] if columns > 40 else "gap")
            self.assertRegex(text, r"\r\x1b\[K([^\r]*\r\n)*$")

    def test_without_a_limit_something_turns(self):
        text = self.on_terminal("fit", self.write_hard(), *HARD[:4], "--effort", "thorough")
        drawn = re.findall(r"\r([|/\\-]) +[\d.]+ s  ", text)
        self.assertTrue(len(set(drawn)) > 1 or text == "", text)  # nothing at all where it was over at once


class Models(ProveTest):
    def test_a_proof_that_is_too_coarse_claims_less_and_says_so(self):
        """Columns of 1e7 times their spread, no intercept, no ridge: the last digits of coefficients decide."""
        noted = 0
        for seed in range(5):
            numbers = random.Random(seed)
            rows = [[1e7 + numbers.gauss(0, 1) for _ in range(4)] for _ in range(25)]
            rows = [row + [int(row[0] - row[1] + numbers.gauss(0, 0.5) > 0)] for row in rows]
            self.write_rows(rows, names=["a", "b", "c", "d", "target"])
            code, out, err = self.run_program(
                "prove", "data.csv", "--lambda0", 1, "--lambda1", 0.1, "--lambda2", 0, "--no-intercept", "--no-standardize",
                "--loss", "logistic", "-o", "m.json", "--proof", "proof")
            self.assertIn(code, (0, 4), err)
            noted += "is what it proves in full, and claimed, where the search found" in out + err
            code, out, err = self.run_program("verify", "m.json", "data.csv", "--proof", "proof")
            self.assertEqual(code, 0, out + err)
        self.assertGreater(noted, 0)

    def test_a_model_says_what_was_fitted_to_what(self):
        rows = [row + [1 + i % 2] for i, row in enumerate(regression())]
        data = self.write_rows(rows, names=self.names + ["w"])
        arguments = (data, "--target", "target", "--weights", "w", "--lambda0", 0.5, "--upper", "1,inf,1,1,1,1",
                     "--always", "f0")
        for command in ("fit", "prove"):
            code, out, err = self.run_program(command, *arguments, "--format", "json", "-o", "m.json")
            self.assertEqual(code, 0, err)
            result, model = json.loads(out), json.loads((self.folder / "m.json").read_text())
            self.assertEqual(list(model), MODEL_KEYS)
            self.assertEqual(model["schema"], "ellzero.model/1")
            for key in ("intercept", "coefficients"):
                self.assertEqual(model[key], result[key])
            for key in ("status", "objective", "lower_bound", "gap", "relative_gap"):
                self.assertEqual(model["certificate"][key], result[key])
            for key in ("loss", "lambda0", "lambda1", "lambda2", "k"):
                self.assertEqual(model["settings"][key], result[key])
            self.assertEqual(model["settings"]["upper"], [1, None, 1, 1, 1, 1])
            self.assertEqual(model["settings"]["always"], [0])
            self.assertEqual((model["data"]["target"], model["data"]["weights"]), ("target", "w"))
            self.assertEqual((model["data"]["rows"], model["data"]["columns"]), (40, 6))
            self.assertEqual(model["data"]["names"], self.names[:6])
            self.assertEqual(sorted(os.listdir(self.folder)), ["data.csv", "m.json"])

    def test_the_hash_does_not_depend_on_the_file_format(self):
        rows = regression()
        target = self.write("y.npy", npy_bytes([row[-1] for row in rows]))
        files = {
            self.write_rows(rows): [],
            self.write("d.svm", libsvm_text(rows)): [],
            self.write("d.npy", npy_bytes([row[:-1] for row in rows])): ["--target", target],
        }
        hashes = set()
        for path, extra in files.items():
            self.fit(path, "--lambda0", 1, "-o", "m.json", *extra)
            hashes.add(json.loads((self.folder / "m.json").read_text())["data"]["hash"])
        self.assertEqual(len(hashes), 1)

    def test_classes_are_kept(self):
        rows = [row[:-1] + ["yes" if row[-1] > 0 else "no"] for row in regression()]
        self.fit(self.write_rows(rows), "--loss", "logistic", "--lambda0", 1, "-o", "m.json")
        self.assertEqual(json.loads((self.folder / "m.json").read_text())["classes"], ["no", "yes"])

    def test_an_old_model_survives_a_run_that_fails(self):
        model = self.write("m.json", "old")
        self.assertEqual(self.run_program("fit", DEMO, "--lambda0", 1, "--lower", "-1,-2", "-o", model)[0], 2)
        self.assertEqual(model.read_text(), "old")
        self.assertEqual(os.listdir(self.folder), ["m.json"])


if __name__ == "__main__":
    unittest.main()
