"""`ellzero fit`: what it prints, how it ends, which files it reads, and what it refuses."""
import csv
import io
import json
import signal
import unittest

from program import DATA, ROOT, ProgramTest, csv_text, libsvm_text, npy_bytes, packed, regression

KEYS = (
    "schema status objective lower_bound gap relative_gap k lambda0 lambda1 lambda2 loss n p nonzeros intercept "
    "coefficients verdicts seconds read_seconds sweeps iterations nodes threads"
).split()
DEMO = ROOT / "examples" / "diabetes.csv"


class Output(ProgramTest):
    def test_verbose_tells_what_was_read(self):
        code, out, err = self.run_program("fit", DEMO, "--lambda0", 20000, "-v")
        self.assertEqual(code, 0, err)
        self.assertIn("442 rows, 10 features", err)
        self.assertEqual(self.run_program("fit", DEMO, "--lambda0", 20000, "-v", "-q")[0], 2)

    def test_every_size_and_the_near_best_are_there_as_with_prove(self):
        for arguments in (["--every-k"], ["--lambda0", 1000, "--pool", 0.001]):
            self.assertEqual(self.run_program("fit", DEMO, *arguments, "--format", "csv")[1],
                             self.run_program("prove", DEMO, *arguments, "--format", "csv")[1])

    def test_json_has_the_keys_of_the_contract_in_order(self):
        result, err = self.fit(DEMO, "--lambda0", 1000)
        self.assertEqual(list(result), KEYS)
        self.assertEqual(err, "")
        self.assertEqual(result["schema"], "ellzero.result/1")
        self.assertEqual((result["n"], result["p"], result["loss"], result["k"]), (442, 10, "squared", None))
        self.assertEqual((result["lambda0"], result["lambda1"]), (1000, 0))
        self.assertEqual(result["nonzeros"], len(result["coefficients"]))
        self.assertLessEqual(result["lower_bound"], result["objective"])
        self.assert_close(result["gap"], result["objective"] - result["lower_bound"])
        self.assert_close(result["relative_gap"], result["gap"] / result["objective"])
        for coefficient in result["coefficients"]:
            self.assertEqual(list(coefficient), ["feature", "index", "value"])
        verdicts = result["verdicts"]
        self.assertEqual(list(verdicts), ["always", "never", "undecided"])
        self.assertEqual(len(verdicts["always"]) + verdicts["never"] + len(verdicts["undecided"]), 10)

    def test_names_and_indices_belong_together(self):
        header = DEMO.read_text().splitlines()[0].split(",")
        result, _ = self.fit(DEMO, "--lambda0", 1000)
        for coefficient in result["coefficients"]:
            self.assertEqual(header[coefficient["index"]], coefficient["feature"])

    def test_csv_and_json_carry_the_same_numbers(self):
        result, _ = self.fit(DEMO, "--lambda0", 1000)
        code, out, _ = self.run_program("fit", DEMO, "--lambda0", 1000, "--format", "csv")
        self.assertEqual(code, 0)
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual((rows[0]["feature"], rows[0]["index"]), ("(intercept)", ""))
        self.assertEqual(float(rows[0]["value"]), result["intercept"])
        self.assertEqual([(int(r["index"]), float(r["value"])) for r in rows[1:]],
                         [(c["index"], c["value"]) for c in result["coefficients"]])

    def test_text_names_everything_once(self):
        result, _ = self.fit(DEMO, "--lambda0", 1000)
        code, out, err = self.run_program("fit", DEMO, "--lambda0", 1000)
        self.assertEqual((code, err), (0, ""))
        for word in ("objective", "lower bound", "gap", "%", "(intercept)", "bmi", repr(result["objective"])):
            self.assertIn(word, out)
        self.assertNotIn("\x1b", out)

    def test_colour_only_when_asked_for(self):
        arguments = ("fit", DEMO, "--lambda0", 1000, "--color")
        self.assertIn("\x1b", self.run_program(*arguments, "always")[1])
        self.assertNotIn("\x1b", self.run_program(*arguments, "never")[1])

    def test_names_with_commas_and_quotes_survive(self):
        names = ["a,b", 'say ""x""', "plain"]
        text = '"a,b","say ""x""",target\n' + "".join(f"{i},{i * i % 7},{3 * i}\n" for i in range(9))
        path = self.write("d.csv", text)
        code, out, _ = self.run_program("fit", path, "--lambda0", 0, "--lambda2", 1e-9, "--format", "csv")
        self.assertEqual(code, 0)
        self.assertIn([names[0], "0"], [row[:2] for row in csv.reader(io.StringIO(out))])

    def test_notes_go_to_stderr_or_into_the_text_and_away_with_q(self):
        path = self.write("d.csv", csv_text(["a", "b", "y"], [[i, i % 3, 2 * i] for i in range(9)]))
        arguments = ("fit", path, "--lambda0", 1)
        self.assertIn("note: target: column 'y', the last", self.run_program(*arguments, "--format", "json")[2])
        self.assertIn("column 'y', the last", self.run_program(*arguments)[1])
        for extra in (["-q"], ["-q", "--format", "json"]):
            code, out, err = self.run_program(*arguments, *extra)
            self.assertEqual((code, err), (0, ""))
            self.assertNotIn("the last", out)

    def test_help_names_every_option_and_version_is_one_line(self):
        code, out, err = self.run_program("fit", "--help")
        self.assertEqual((code, err), (0, ""))
        flags = "loss hinge-width lambda0 lambda1 lambda2 k lower upper always no-intercept no-standardize effort " \
                "gap time-limit node-limit memory-limit seed threads target weights offset data-format format color config " \
                "output progress"
        for flag in flags.split():
            self.assertIn(f"--{flag} ", out + " ")
        self.assertRegex(self.run_program("--version")[1], r"^ellzero \d+\.\d+\.\d+\n$")
        self.assertEqual(self.run_program("--help")[0], 0)


class Endings(ProgramTest):
    def test_usage_is_2(self):
        data = self.write_rows(regression())
        self.assert_refused(2, "only one", [data, "--k", 1, "--lambda0", 1])
        self.assert_refused(2, "'--lamda0'", "did you mean '--lambda0'?", [data, "--lamda0", 1])
        self.assert_refused(2, "'--tagret'", "did you mean '--target'?", [data, "--tagret=x", "--lambda0", 1])
        self.assert_refused(2, "has no column 'tarjet'; did you mean 'target'?", [data, "--target", "tarjet", "--k", 1])
        self.assert_refused(2, "always: value is 'f7'", "did you mean 'f0'?", [data, "--always", "f7", "--lambda0", 1])
        self.assert_refused(2, "DATA", ["--lambda0", 1])
        self.assert_refused(2, "unexpected argument 'more'", [data, "more", "--lambda0", 1])
        self.assert_refused(2, "format: value is 'jsno'", "did you mean 'json'?", [data, "--format", "jsno", "--k", 1])
        self.assertEqual(self.run_program("fti")[0], 2)
        self.assertIn("did you mean 'fit'?", self.run_program("fti")[2])
        self.assertEqual(self.run_program()[0], 2)

    def test_settings_out_of_range_are_2_and_say_what_was_expected(self):
        data = self.write_rows(regression())
        for value in ("-1", "nan", "inf", "1e99"):
            self.assert_refused(2, f"lambda0: value is {value.replace('1e99', '1e+99')}; expected 0 to 1e+60",
                                [data, "--lambda0", value])
        self.assert_refused(2, "lambda0: value is 'abc'; expected a number", [data, "--lambda0", "abc"])
        for name in ("lambda1", "lambda2"):
            self.assert_refused(2, f"{name}: value is -0.5", [data, "--lambda0", 1, f"--{name}", "-0.5"])
        self.assert_refused(2, "k: value is -1", [data, "--k", "-1"])
        self.assert_refused(2, "k: value is '1.5'; expected a whole number", [data, "--k", "1.5"])
        self.assert_refused(2, "lower[0]: value is 1; expected -inf to 0", [data, "--lambda0", 1, "--lower", 1])
        self.assert_refused(2, "upper[1]: value is -2", [data, "--lambda0", 1, "--upper", "0,-2,0,0,0,0"])
        self.assert_refused(2, "lower: length is 2; expected 1 or 6", [data, "--lambda0", 1, "--lower", "-1,-2"])
        self.assert_refused(2, "loss: value is cubic; expected squared", [data, "--lambda0", 1, "--loss", "cubic"])
        self.assert_refused(2, "threads: value is -1; expected 0 to", [data, "--lambda0", 1, "--threads", "-1"])

    def test_files_that_cannot_be_read_are_6(self):
        self.assert_refused(6, "nowhere.csv: cannot open", ["nowhere.csv", "--lambda0", 1])
        self.assert_refused(6, "directory", [self.folder, "--lambda0", 1])
        data = self.write_rows(regression())
        self.assert_refused(6, "config", [data, "--config", "nowhere.toml", "--lambda0", 1])

    def test_a_limit_is_4_and_the_gap_is_valid(self):
        result, _ = self.fit(DEMO, "--lambda0", 1000, "--time-limit", 0, "--gap", 0, code=4)
        self.assertEqual(result["status"], "time_limit")
        self.assertLessEqual(result["lower_bound"], self.fit(DEMO, "--lambda0", 1000)[0]["objective"])

    def test_config_file(self):
        self.write("c.toml", "lambda0 = 1000\nlower = [0]\nno-intercept = true\n")
        by_file, _ = self.fit(DEMO, "--config", "c.toml")
        by_hand, _ = self.fit(DEMO, "--lambda0", 1000, "--lower", 0, "--no-intercept")
        self.assert_same_model(by_file, by_hand, 15)
        self.assertEqual(self.fit(DEMO, "--config", "c.toml", "--lambda0", 5)[0]["lambda0"], 5)
        self.write("bad.toml", "lamda0 = 1\n")
        self.assert_refused(2, "config: no option 'lamda0'; did you mean 'lambda0'?", [DEMO, "--config", "bad.toml"])

    def test_interrupts_print_the_incumbent_and_are_130(self):
        news = DATA / "text" / "news20_2000rows.gz"
        if not news.exists():
            self.skipTest(f"no {news}; set ELLZERO_DATA")
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start("fit", news, "--lambda0", 1, "--effort", "thorough", "--gap", 0, "--format", "json",
                                 "--progress", "json")
            process.stderr.readline()  # it runs, and listens
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
            result = json.loads(out)
            self.assertEqual((process.returncode, result["status"]), (130, "interrupted"), err)
            self.assertLessEqual(result["lower_bound"], result["objective"])


class Files(ProgramTest):
    arguments = ("--lambda0", 0.5, "--lambda2", 0.01)

    def test_csv_tsv_libsvm_and_npy_give_the_same_model(self):
        rows = regression()
        expected, _ = self.fit(self.write_rows(rows), *self.arguments)
        self.assertEqual([c["index"] for c in expected["coefficients"]], [1, 4])
        target = self.write("y.npy", npy_bytes([row[-1] for row in rows]))
        X = [row[:-1] for row in rows]
        files = {
            "d.tsv": (csv_text(self.names, rows, "\t").encode(), []),
            "d.svm": (libsvm_text(rows).encode(), []),
            "c.npy": (npy_bytes(X), ["--target", target]),
            "fortran.npy": (npy_bytes(X, fortran=True), ["--target", target]),
        }
        for name, (content, extra) in files.items():
            for ending in ("", ".gz", ".bz2"):
                with self.subTest(name + ending):
                    path = self.write(name + ending, packed(content, ending))
                    self.assert_same_model(self.fit(path, *extra, *self.arguments)[0], expected)
        single = self.write("single.npy", npy_bytes(X, "f"))
        self.assert_same_model(self.fit(single, "--target", target, *self.arguments)[0], expected, 6)

    def test_stdin_equals_the_file_packed_or_not(self):
        text = csv_text(self.names, regression()).encode()
        expected, _ = self.fit(self.write("d.csv", text), *self.arguments)
        for ending in ("", ".gz", ".bz2"):
            for extra in ([], ["--data-format", "csv"]):
                found, _ = self.fit("-", *extra, *self.arguments, stdin=packed(text, ending))
                self.assert_same_model(found, expected, 15)
        svm = libsvm_text(regression()).encode()
        self.assert_same_model(self.fit("-", *self.arguments, stdin=svm)[0], expected)

    def test_npy_needs_a_target_of_the_right_length(self):
        X = self.write("X.npy", npy_bytes([[1.0, 2.0], [3.0, 5.0], [4.0, 4.0]]))
        self.assert_refused(2, "target", [X, "--lambda0", 1])
        y = self.write("y.npy", npy_bytes([1.0, 2.0]))
        self.assert_refused(3, "y: length is 2; expected 3", [X, "--target", y, "--lambda0", 1])
        good = self.write("good.npy", npy_bytes([1, 2, 4], "q"))
        weights = self.write("w.npy", npy_bytes([1.0, 1.0]))
        self.fit(X, "--target", good, "--lambda0", 1)
        self.assert_refused(3, "weights: length is 2", [X, "--target", good, "--weights", weights, "--lambda0", 1])

    def test_libsvm_has_no_named_columns(self):
        path = self.write("d.svm", "1 1:2\n0 2:1\n")
        self.assert_refused(2, "target", [path, "--target", "y", "--lambda0", 1])
        self.assert_refused(3, "d.svm:1:3: feature index is 0", [self.write("d.svm", "1 0:2\n"), "--lambda0", 1])
        self.assert_refused(3, "d.svm:2:7", [self.write("d.svm", "1 1:2\n1 2:1 0:3\n"), "--lambda0", 1])

    def test_always_takes_names_and_indices(self):
        data = self.write_rows(regression())
        for words in ("f2,f0", "2,0", "f2,0"):
            result, _ = self.fit(data, "--always", words, *self.arguments)
            self.assertEqual([c["index"] for c in result["coefficients"]], [0, 1, 2, 4])

    def test_real_data(self):
        ribo = DATA / "genes" / "riboflavin.csv.gz"
        if not ribo.exists():
            self.skipTest(f"no {ribo}; set ELLZERO_DATA")
        result, _ = self.fit(ribo, "--lambda0", 1)
        self.assertEqual((result["n"], result["p"]), (71, 4088))
        self.assertTrue(all(c["feature"].endswith("at") or "_" in c["feature"] for c in result["coefficients"]))
        news, _ = self.fit(DATA / "text" / "news20_2000rows.gz", "--lambda0", 300, "--effort", "quick")
        self.assertEqual(news["n"], 2000)


if __name__ == "__main__":
    unittest.main()
