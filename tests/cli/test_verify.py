"""`ellzero verify`: good models and proofs pass; changed, cut or foreign ones are refused with their own exit code."""
import contextlib
import json
import math
import os
import random
import re
import struct
import subprocess
import unittest

from program import PROGRAM, ROOT, ProgramTest, csv_text, libsvm_text, npy_bytes, regression

DEMO = ROOT / "examples" / "diabetes.csv"


class VerifyTest(ProgramTest):
    def make(self, data, *arguments, command="prove", code=0):
        proof = ["--proof", "proof"] if command == "prove" else []
        found, _, err = self.run_program(command, data, *arguments, "-q", "-o", "m.json", *proof)
        self.assertEqual(found, code, err)
        self.model = json.loads((self.folder / "m.json").read_text())

    def verify(self, data, *arguments, code=0, part=""):
        found, out, err = self.run_program("verify", "m.json", data, *arguments)
        self.assertEqual(found, code, out + err)
        self.assertIn(part, out + err)
        return out

    def change(self, *path_and_value):
        """Writes the model with one value replaced."""
        *path, value = path_and_value
        changed = json.loads(json.dumps(self.model))
        place = changed
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        self.write("m.json", json.dumps(changed))


class Models(VerifyTest):
    def test_what_fit_writes_is_right(self):
        self.make(DEMO, "--lambda0", 1000, command="fit")
        self.verify(DEMO, part="right")
        out = json.loads(self.verify(DEMO, "--format", "json"))
        self.assertEqual(out["schema"], "ellzero.verification/1")
        self.assert_close(out["objective"], out["claimed_objective"], 12)
        self.assertLessEqual(out["lower_bound"], out["objective"])
        self.assertGreaterEqual(out["lower_bound"], out["claimed_lower_bound"] * (1 - 1e-9))

    def test_without_a_record_the_bound_is_proved_anew(self):
        self.make(self.write_rows(regression()), "--lambda0", 1, "--lambda2", 0.1, command="prove")
        self.verify("data.csv", part="proved anew by")
        result = json.loads(self.verify("data.csv", "--format", "json"))
        self.assertGreater(result["points"], 0)
        self.assertGreaterEqual(result["lower_bound"], result["claimed_lower_bound"] - 1e-8)

    def test_a_new_proof_does_not_take_the_threads_of_the_model(self):
        self.make(self.write_rows(regression(n=60, p=40, seed=3), names=[f"f{j}" for j in range(40)] + ["target"]),
                  "--k", 8, "--lambda2", 1e-3, "--threads", 1, command="fit")
        objective = self.model["certificate"]["objective"]
        self.model["certificate"] |= {"lower_bound": objective * (1 - 1e-9), "gap": objective * 1e-9, "relative_gap": 1e-9}
        self.change("settings", "threads", 1000)
        process = subprocess.Popen([PROGRAM, "verify", "m.json", "data.csv"], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        most = 0
        while process.poll() is None and most < 1000:
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                most = max(most, len(os.listdir(f"/proc/{process.pid}/task")))
        process.kill()
        process.wait()
        self.assertLess(most, 1000)

    def test_a_bound_above_the_optimum_is_5_without_a_record_too(self):
        data = self.write_rows(regression())
        self.make(data, "--lambda0", 1, "--lambda2", 0.1, "--always", "f0,f1,f2,f3,f4,f5", command="prove")
        objective = self.model["certificate"]["objective"]
        self.model["certificate"].update(lower_bound=objective, gap=0.0, relative_gap=0.0)
        self.change("settings", "always", [])
        self.verify(data, code=5, part="certificate.lower_bound: value is")

    def test_options_of_every_kind_come_back_from_the_model(self):
        rows = [row[:-1] + ["yes" if row[-1] > 0 else "no", 1 + i % 2, i / 40] for i, row in enumerate(regression())]
        data = self.write_rows(rows, names=self.names + ["w", "o"])
        for loss, width in (("logistic", []), ("smoothed-hinge", ["--hinge-width", 0.7])):
            for more in ([], ["--no-intercept"], ["--no-standardize"], ["--upper", 0.5, "--lower", -0.5], ["--always", "f2"]):
                self.make(data, "--target", "target", "--weights", "w", "--offset", "o", "--loss", loss,
                          *width, "--lambda0", 0.5, "--lambda2", 0.1, *more, command="fit")
                self.verify(data)
        for more in (["--k", 2], ["--k", 2, "--lambda2", 0.5, "--lambda1", 0.1]):
            self.make(self.write_rows(regression(), name="r.csv"), *more, command="fit")
            self.verify("r.csv")

    def test_lies_are_5(self):
        self.make(DEMO, "--lambda0", 1000, command="fit")
        certificate = self.model["certificate"]
        self.change("certificate", "objective", certificate["objective"] * (1 - 1e-6))
        self.verify(DEMO, code=5)
        self.change("certificate", certificate | {"objective": certificate["objective"] - 1,
                                                  "gap": certificate["gap"] - 1,
                                                  "relative_gap": (certificate["gap"] - 1) / (certificate["objective"] - 1)})
        self.verify(DEMO, code=5, part="objective: ")
        self.change("coefficients", 0, "value", self.model["coefficients"][0]["value"] * 1.001)
        self.verify(DEMO, code=5, part="objective: ")
        self.change("certificate", "lower_bound", certificate["lower_bound"] + 1)
        self.verify(DEMO, code=5, part="certificate.gap")
        self.change("certificate", "status", "optimal")
        self.verify(DEMO, code=0 if certificate["relative_gap"] <= 1e-4 else 5)
        self.change("settings", "lambda0", 999.0)
        self.verify(DEMO, code=5, part="objective: ")

    def test_other_data_is_5(self):
        rows = regression()
        self.make(self.write_rows(rows), "--lambda0", 1, command="fit")
        for other in (rows[1:], [[rows[0][0] + 1e-9] + rows[0][1:]] + rows[1:], rows[::-1]):
            self.verify(self.write_rows(other, name="other.csv"), code=5, part="DATA: ")
        renamed = self.write_rows(rows, name="renamed.csv", names=["g"] + self.names[1:])
        self.verify(renamed, code=5, part="other names")
        self.verify(self.write("same.svm", libsvm_text(rows)))

    def test_npy_needs_its_target_and_the_command_line_goes_first(self):
        rows = regression()
        self.write("X.npy", npy_bytes([row[:-1] for row in rows]))
        target = self.write("y.npy", npy_bytes([row[-1] for row in rows]))
        self.make("X.npy", "--target", "y.npy", "--lambda0", 1, command="fit")
        self.verify("X.npy")
        target.rename(self.folder / "z.npy")
        self.verify("X.npy", code=6)
        self.verify("X.npy", "--target", "z.npy")

    def test_broken_models_are_3(self):
        self.make(DEMO, "--lambda0", 1000, command="fit")
        text = (self.folder / "m.json").read_text()
        numbers = random.Random(1)
        for length in [0, 1, len(text) // 2, len(text) - 3] + [numbers.randrange(len(text) - 3) for _ in range(20)]:
            self.write("m.json", text[:length])
            self.verify(DEMO, code=3, part="m.json:")
        self.change("schema", "ellzero.model/2")
        self.verify(DEMO, code=3, part="expected ellzero.model/1")
        self.write("m.json", "[" * 1000000)
        self.verify(DEMO, code=3, part="nests deeper")
        self.write("m.json", text.replace('"objective": ', '"objective": NaN, "x": '))
        self.verify(DEMO, code=3, part="m.json:")

    def test_mutated_models_end_in_an_exit_code_and_never_in_a_crash(self):
        self.make(DEMO, "--lambda0", 1000, command="fit")
        text = (self.folder / "m.json").read_bytes()
        numbers = random.Random(2)
        for _ in range(150):
            changed = bytearray(text)
            for _ in range(numbers.randint(1, 3)):
                changed[numbers.randrange(len(changed))] = numbers.choice(b'09-+eE.,:"{}[]xn \n\xff')
            self.write("m.json", bytes(changed))
            code, _, err = self.run_program("verify", "m.json", DEMO)
            self.assertIn(code, (0, 3, 5), err)

    def test_usage(self):
        self.assertEqual(self.run_program("verify")[0], 2)
        self.assertEqual(self.run_program("verify", "m.json")[0], 2)
        self.assertEqual(self.run_program("verify", "m.json", "a", "b")[0], 2)
        self.assertEqual(self.run_program("verify", "nowhere.json", DEMO)[0], 6)
        self.assertIn("did you mean '--proof'?", self.run_program("verify", "m", DEMO, "--prof", "p")[2])


class Proofs(VerifyTest):
    def write_random(self, loss, seed):
        numbers = random.Random(seed)
        rows = []
        for row in regression(n=25, p=9, seed=seed):
            y = row[-1] + 2 * numbers.gauss(0, 1)
            if loss != "squared":
                y = 1 if y > 0 else -1
            rows.append(row[:-1] + [numbers.choice([0, 0.5, 1, 2]), round(numbers.gauss(0, 0.3), 3), y])
        return self.write_rows(rows, names=[f"f{j}" for j in range(9)] + ["w", "o", "target"])

    def test_proofs_of_every_kind_pass(self):
        kinds = ([], ["--upper", 0.5, "--lower", "-0.2"], ["--no-intercept"], ["--no-standardize", "--lambda1", 0.2],
                 ["--always", "f3,f4"])
        nodes = 0
        for seed, loss in enumerate(("squared", "logistic", "smoothed-hinge")):
            data = self.write_random(loss, seed)
            for more in kinds:
                self.make(data, "--loss", loss, "--weights", "w", "--offset", "o", "--lambda0", 0.7, "--lambda2", 0.3,
                          "--gap", 1e-6, *more)
                result = json.loads(self.verify(data, "--proof", "proof", "--format", "json"))
                self.assertGreaterEqual(result["lower_bound"], result["claimed_lower_bound"] - 1e-8)
                nodes += result["nodes"]
        self.assertGreater(nodes, 30)  # there was something to check

    def test_sparse_data(self):
        rows = [[cell if (i + j) % 3 else 0 for j, cell in enumerate(row[:-1])] + [row[-1]]
                for i, row in enumerate(regression(p=12))]
        data = self.write("d.svm", libsvm_text(rows))
        self.make(data, "--lambda0", 2, "--lambda2", 0.1)
        self.verify(data, "--proof", "proof", part="right")

    def test_a_raised_bound_is_5(self):
        self.make(DEMO, "--lambda0", 1000, "--gap", 1e-3)
        self.verify(DEMO, "--proof", "proof", part="right")
        certificate = self.model["certificate"]
        raised = certificate["lower_bound"] + 0.5 * certificate["gap"]
        gap = certificate["objective"] - raised
        self.change("certificate", certificate | {"lower_bound": raised, "gap": gap,
                                                  "relative_gap": gap / certificate["objective"]})
        self.verify(DEMO, "--proof", "proof", code=5, part="is proved (node")

    def test_cut_damaged_and_missing_proofs(self):
        self.make(DEMO, "--lambda0", 1000, "--gap", 1e-6)
        proof = (self.folder / "proof").read_bytes()
        numbers = random.Random(3)
        for length in [0, 5, len(proof) - 1] + [numbers.randrange(len(proof)) for _ in range(10)]:
            self.write("proof", proof[:length])
            self.verify(DEMO, "--proof", "proof", code=3, part="proof: ")
        for _ in range(20):
            changed = bytearray(proof)
            changed[numbers.randrange(len(proof))] ^= 1 << numbers.randrange(8)
            self.write("proof", bytes(changed))
            self.verify(DEMO, "--proof", "proof", code=3)
        self.verify(DEMO, "--proof", "nowhere", code=6)
        self.verify(DEMO, "--proof", "m.json", code=3)

    def test_the_proof_of_other_data_or_settings_is_5(self):
        data = self.write_rows(regression(), name="d.csv")
        self.make(data, "--lambda0", 1)
        self.make(DEMO, "--lambda0", 1000, "--gap", 1e-6, command="fit", code=0)
        self.verify(DEMO, "--proof", "proof", code=5, part="other data")
        self.make(DEMO, "--lambda0", 500, "--gap", 1e-6)
        cheap = (self.folder / "proof").read_bytes()
        self.make(DEMO, "--lambda0", 1000, "--gap", 1e-6)
        self.write("proof", cheap)
        self.verify(DEMO, "--proof", "proof", code=5, part="lower_bound: ")


def with_checksum(body):
    """The bytes of a proof file, all but its checksum, with one that fits."""
    checksum = 0xCBF29CE484222325
    for byte in body:
        checksum = (checksum ^ byte) * 0x100000001B3 % 2**64
    return body + checksum.to_bytes(8, "little")


class Attacks(VerifyTest):
    """What somebody would write into a model or a proof to have something false confirmed."""

    def make_classes(self, words=("no", "yes"), loss="logistic"):
        rows = [row[:-1] + [words[row[-1] > 0]] for row in regression()]
        self.data = self.write_rows(rows)
        self.make(self.data, "--loss", loss, "--lambda0", 0.3, "--lambda2", 0.1)
        self.verify(self.data, "--proof", "proof", part="right")

    def test_swapped_classes_are_5(self):
        for loss in ("logistic", "smoothed-hinge"):
            self.make_classes(loss=loss)
            self.assertEqual(self.model["classes"], ["no", "yes"])
            for classes in (["yes", "no"], [], ["no"], ["no", "maybe"], ["no", "yes", "maybe"]):
                self.change("classes", classes)
                self.verify(self.data, "--proof", "proof", code=5, part="classes")
                self.verify(self.data, code=5, part="classes")

    def test_invented_verdicts_are_wrong_or_not_checked(self):
        data = self.write_rows(regression())
        self.make(data, "--lambda0", 1, "--lambda2", 0.1, "--gap", 0.5)
        used = [entry["index"] for entry in self.model["coefficients"]]
        others = [j for j in range(6) if j not in used]
        self.assertTrue(used and others)
        for verdicts in ({"always": sorted(used + others), "never": 0, "undecided": []},
                         {"always": [], "never": 6, "undecided": []}):
            self.change("verdicts", verdicts)
            self.verify(data, "--proof", "proof", code=5, part="verdicts: ")
            self.verify(data, code=5, part="verdicts: ")
        self.change("verdicts", {"always": used, "never": len(others), "undecided": []})
        found = json.loads(self.verify(data, "--proof", "proof", "--format", "json"))["verdicts"]
        self.assertEqual(found["right"] + found["not_checked"], 6)

    def test_verdicts_that_hold_are_counted_as_right(self):
        """A feature that explains everything."""
        rows = [row[:-1] + [100 * row[0]] for row in regression(n=40)]
        data = self.write_rows(rows)
        self.make(data, "--lambda0", 10, "--lambda2", 0.01)
        self.assertEqual(self.model["verdicts"]["always"], [0])
        decided = 1 + self.model["verdicts"]["never"]
        for proof in ([], ["--proof", "proof"]):
            found = json.loads(self.verify(data, *proof, "--format", "json"))["verdicts"]
            self.assertEqual(found, {"right": decided, "not_checked": 0})

    def test_what_is_not_checked_is_said(self):
        data = self.write_rows(regression())
        self.make(data)
        found = json.loads(self.verify(data, "--proof", "proof", "--format", "json"))["not_checked"]
        self.assertTrue(any("selection" in what for what in found), found)
        self.verify(data, "--proof", "proof", part="not checked  ")

    def test_nothing_rests_on_a_bound_that_is_not_there(self):
        self.make(DEMO, "--lambda0", 1000)
        honest = self.model["certificate"]
        for lie in ({"lower_bound": None}, {"lower_bound": None, "gap": 0.0, "relative_gap": 0.0},
                    {"lower_bound": None, "gap": None, "relative_gap": None},
                    {"lower_bound": None, "gap": 1.0, "relative_gap": None, "status": "time_limit"},
                    {"gap": None}, {"relative_gap": None}):
            self.change("certificate", honest | lie)
            self.verify(DEMO, code=5, part="certificate.")
            self.verify(DEMO, "--proof", "proof", code=5, part="certificate.")
        self.change("certificate", honest | {"lower_bound": None, "gap": None, "relative_gap": None, "status": "time_limit"})
        self.verify(DEMO, "--proof", "proof", part="none claimed")

    def test_the_end_of_a_proof_claims_nothing_that_is_not_so(self):
        self.make(DEMO, "--lambda0", 1000)
        body = (self.folder / "proof").read_bytes()[:-8]
        self.write("proof", with_checksum(body))
        self.verify(DEMO, "--proof", "proof")
        for bound, code in ((math.inf, 3), (math.nan, 3), (-math.inf, 0), (1e308, 5), (0.0, 0)):
            self.write("proof", with_checksum(body[:-8] + struct.pack("<d", bound)))
            self.verify(DEMO, "--proof", "proof", code=code)
        for objective, code in ((math.inf, 3), (1.0, 5), (self.model["certificate"]["objective"] * 0.999, 5)):
            self.write("proof", with_checksum(body[:-16] + struct.pack("<d", objective) + body[-8:]))
            self.verify(DEMO, "--proof", "proof", code=code)

    def test_input_without_end_is_refused(self):
        self.make(DEMO, "--lambda0", 1000)
        for arguments in (("verify", "m.json", DEMO, "--proof", "/dev/zero"), ("verify", "/dev/zero", DEMO),
                          ("verify", "m.json", "/dev/zero"), ("inspect", "/dev/zero")):
            code, _, err = self.run_program(*arguments)
            self.assertEqual(code, 3, err)

    def test_always_in_features_are_not_left_out(self):
        data = self.write_rows(regression())
        self.make(data, "--k", 2, "--lambda2", 0.1, "--always", "f5")
        self.verify(data, "--proof", "proof")
        self.change("coefficients", [entry for entry in self.model["coefficients"] if entry["feature"] != "f5"])
        self.verify(data, "--proof", "proof", code=5, part="always in")
        self.change("settings", "always", [3, 4, 5])
        self.verify(data, "--proof", "proof", code=3, part="k: ")

    def test_numbers_beyond_computing_are_refused(self):
        data = self.write_rows(regression())
        self.make(data, "--lambda0", 1, "--lambda2", 0.1)
        for value in (1e101, 1e200, 1.7e308):
            self.change("coefficients", 0, "value", value)
            self.verify(data, "--proof", "proof", code=5)
            self.change("intercept", value)
            self.verify(data, "--proof", "proof", code=5)
        text = (self.folder / "m.json").read_text()
        self.write("m.json", re.sub(r'"intercept": [^,\n]*', '"intercept": 1e999', text, count=1))
        self.verify(data, code=3)

    def test_an_objective_that_is_too_small_is_5_at_any_mean_of_the_target(self):
        for mean in (0, 1e8, 1e12):
            data = self.write_rows([row[:-1] + [row[-1] + mean] for row in regression()])
            self.make(data, "--lambda0", 1, "--lambda2", 0.1)
            self.verify(data, "--proof", "proof", part="right")
            lie = self.model["certificate"]["objective"] / 17
            self.change("certificate", self.model["certificate"] | {"objective": lie, "lower_bound": lie, "gap": 0.0,
                                                                     "relative_gap": 0.0})
            self.verify(data, "--proof", "proof", code=5, part="objective: ")


if __name__ == "__main__":
    unittest.main()
