"""`ellzero fit` on files that are wrong or strangely stored: refusals name the place, every storage gives one model."""
import math
import struct
import unittest

from program import ProgramTest, csv_text, libsvm_text, npy_bytes, packed, regression


def lying_npy(shape, numbers=(1.0, 2.0, 3.0, 4.0), kind="<f8"):
    """A .npy file whose header promises any shape and that holds just these numbers."""
    header = f"{{'descr': '{kind}', 'fortran_order': True, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(
        f"<{len(numbers)}d", *numbers
    )


class NpyTest(ProgramTest):
    """Matrix, target and weights as .npy files."""

    arguments = ("--lambda0", 0.5, "--lambda2", 0.01)

    def setUp(self):
        super().setUp()
        rows = regression()
        self.X = [row[:-1] for row in rows]
        self.y = [row[-1] for row in rows]

    def files(self, X=None, y=None, weights=None, offset=None, kind="d", fortran=False):
        found = [self.write("X.npy", npy_bytes(X or self.X, kind, fortran)),
                 "--target", self.write("y.npy", npy_bytes(y or self.y))]
        for flag, numbers in (("--weights", weights), ("--offset", offset)):
            if numbers:
                found += [flag, self.write(f"{flag[2:]}.npy", npy_bytes(numbers))]
        return found + list(self.arguments)


class NotFinite(NpyTest):
    bad = ((math.nan, "nan"), (math.inf, "inf"), (-math.inf, "-inf"))

    def test_entries_are_named_by_row_and_column(self):
        for value, shown in self.bad:
            self.X[7][2] = value
            message = f"X: row 7, column 2 is {shown}; expected a finite number"
            for kind in "df":
                for fortran in (False, True):
                    self.assert_refused(3, message, self.files(kind=kind, fortran=fortran))

    def test_rows_of_weight_0_do_not_change_what_row_7_is(self):
        self.X[7][2] = math.nan
        message = "X: row 7, column 2 is nan; expected a finite number"
        self.assert_refused(3, message, self.files(weights=[0.0, 0.0] + [1.0] * 38))
        self.assert_refused(3, message, self.files(weights=[1.0] * 7 + [0.0] + [1.0] * 32))

    def test_targets_weights_and_offset_are_named_by_row(self):
        for value, shown in self.bad:
            def at_3(numbers):
                return numbers[:3] + [value] + numbers[4:]
            rest = f"[3]: value is {shown}; expected a finite number"
            self.assert_refused(3, "y" + rest, self.files(y=at_3(self.y)))
            self.assert_refused(3, "weights" + rest + ", 0 or above", self.files(weights=at_3([1.0] * 40)))
            self.assert_refused(3, "offset" + rest, self.files(offset=at_3([0.0] * 40)))

    def test_csv_weights_and_offset_name_line_and_column(self):
        for role in ("weights", "offset"):
            for cell in ("nan", "inf", "-inf"):
                rows = [[cell if i == 7 else 1] + row for i, row in enumerate(regression())]
                path = self.write_rows(rows, names=["extra"] + self.names)
                self.assert_refused(3, "data.csv:9:1: column 'extra' holds", f"'{cell}'; expected a finite number",
                                    [path, f"--{role}", "extra", *self.arguments])

    def test_libsvm_names_line_and_column(self):
        for text, part in (("1 1:2\n2 1:nan\n", "d.svm:2:5: found 'nan'; expected a finite number"),
                           ("1 1:2\n2 1:1 2:-inf\n", "d.svm:2:9: found '-inf'; expected a finite number"),
                           ("1 1:2\ninf 1:1\n", "d.svm:2:1: found 'inf'; expected a number as label"),
                           ("1 1:2\n1 1:1e999\n", "d.svm:2:5: found '1e999'")):
            self.assert_refused(3, part, [self.write("d.svm", text), *self.arguments])


class Shapes(NpyTest):
    def test_no_rows_or_no_features_are_refused(self):
        y = self.write("y.npy", npy_bytes(self.y))
        for shape, part in (("(0, 3)", "0 rows and 3 features"), ("(3, 0)", "3 rows and 0 features"),
                            ("(0,)", "0 rows and 1 features")):
            path = self.write("X.npy", lying_npy(shape))
            self.assert_refused(3, "X.npy: has " + part, "expected at least one of each",
                                [path, "--target", y, *self.arguments])
        for name, text, part in (("d.svm", "", "0 rows and 0 features"), ("d.svm", "# no data\n", "0 rows"),
                                 ("d.tsv", "a\tb\ttarget\n", "0 rows")):
            self.assert_refused(3, part, [self.write(name, text), *self.arguments])

    def test_a_header_that_lies_about_its_shape_allocates_nothing(self):
        y = self.write("y.npy", npy_bytes([1.0, 2.0, 3.0, 4.0]))
        for shape, part in (("(4, 4611686018427387904)", "4 numbers; its header promises 4 x 4611686018427387904"),
                            ("(4294967296, 4294967296)", "promises 4294967296 x 4294967296"),
                            ("(9223372036854775807, 2)", "promises 9223372036854775807 x 2"),
                            ("(9223372036854775807, 9223372036854775807)", "promises"),
                            ("(4, 9223372036854775808)", "whole numbers"),
                            ("(4, 2)", "holds 4 numbers; its header promises 4 x 2"),
                            ("(-4, -1)", "whole numbers")):
            for ending in ("", ".gz"):
                path = self.write("X.npy" + ending, packed(lying_npy(shape), ending))
                self.assert_refused(3, f"X.npy{ending}: ", part, [path, "--target", y, *self.arguments])
        X = self.write("X.npy", lying_npy("(4, 1)"))
        for shape in ("(9223372036854775807,)", "(5,)"):
            target = self.write("t.npy", lying_npy(shape))
            self.assert_refused(3, "t.npy: holds 4 numbers; its header promises",
                                [X, "--target", target, *self.arguments])

    def test_sparse_indices_are_64_bit_and_checked_before_allocating(self):
        for index, part in ((2**63 - 1, "expected at most 100000000"), (2**62, "expected at most 100000000"), (10**15, "expected at most 100000000"),
                            (2**63, "d.svm:2:3: found '9223372036854775808:1'; expected an index below 2^63"),
                            (2**64 + 1, "expected an index below 2^63"),
                            (0, "d.svm:2:3: feature index is 0; expected 1 or above"),
                            (-1, "d.svm:2:3: feature index is -1; expected 1 or above"),
                            (-(2**63), "feature index is -9223372036854775808; expected 1 or above")):
            path = self.write("d.svm", f"1 1:2\n2 {index}:1\n")
            self.assert_refused(3, "d.svm:", part, [path, *self.arguments])

    def test_an_index_beyond_16_bits_is_one_more_feature(self):
        rows = [row[:5] + row[6:] for row in regression()]
        text = libsvm_text(rows).replace("\n", " 70000:1\n", 7)
        result, _ = self.fit(self.write("d.svm", text), *self.arguments)
        self.assertEqual(result["p"], 70000)
        self.assertEqual([c["index"] for c in result["coefficients"]], [1, 4])

    def test_sparse_lines_in_any_order(self):
        rows = regression()
        expected, _ = self.fit(self.write("d.svm", libsvm_text(rows)), *self.arguments)
        lines = [" ".join([line.split()[0], *line.split()[:0:-1]]) for line in libsvm_text(rows).splitlines()]
        self.assert_same_model(self.fit(self.write("d.svm", "\n".join(lines)), *self.arguments)[0], expected, 15)
        for line, part in (("2 3:1 0:5", "d.svm:2:7: feature index is 0; expected 1 or above"),
                           ("2 3:1 -3:5", "d.svm:2:7: feature index is -3; expected 1 or above"),
                           ("2 3:1 1:5 3:1", "d.svm:2:11: feature 3 is on this line already; expected each index once")):
            self.assert_refused(3, part, [self.write("d.svm", f"1 1:2\n{line}\n"), *self.arguments])


class Storages(NpyTest):
    def test_order_and_precision_of_npy_do_not_matter(self):
        for loss in ("squared", "logistic", "smoothed-hinge"):
            exact = [[struct.unpack("f", struct.pack("f", cell))[0] for cell in row] for row in self.X]
            y = self.y if loss == "squared" else [1.0 if v + math.sin(9 * v) > 0 else 0.0 for v in self.y]
            rows = [row + [target] for row, target in zip(exact, y)]
            expected, _ = self.fit(self.write_rows(rows), "--loss", loss, *self.arguments)
            self.assertGreaterEqual(expected["nonzeros"], 2)
            models = [self.fit(*self.files(exact, y, kind=kind, fortran=fortran), "--loss", loss)[0]
                      for kind in "df" for fortran in (False, True)]
            models.append(self.fit(self.write("d.svm", libsvm_text(rows)), "--loss", loss, *self.arguments)[0])
            for found in models:
                self.assert_same_model(found, expected, 7)

    def test_targets_of_any_type_are_numbers(self):
        whole = [float(round(v)) for v in self.y]
        expected, _ = self.fit(*self.files(y=whole))
        X = self.write("X.npy", npy_bytes(self.X))
        for kind in "fq":
            target = self.write("t.npy", npy_bytes([int(v) if kind == "q" else v for v in whole], kind))
            self.assert_same_model(self.fit(X, "--target", target, *self.arguments)[0], expected)

    def test_a_file_that_may_only_be_read_is_enough(self):
        files = self.files(fortran=True)
        expected, _ = self.fit(*files)
        files[0].chmod(0o444)
        self.assert_same_model(self.fit(*files)[0], expected, 15)
        self.assertEqual(files[0].read_bytes(), npy_bytes(self.X, "d", True))


class Weights(NpyTest):
    def test_what_no_weights_are(self):
        for weights, part in (([1.0] * 3 + [-1.0] + [1.0] * 36, "weights[3]: value is -1; expected a finite number, 0"),
                              ([0.0] * 40, "weights: all are 0; expected at least one above 0"),
                              ([1.0] * 39, "weights: length is 39; expected 40"),
                              ([1.0] * 41, "weights: length is 41; expected 40"),
                              ([1.0] * 39 + [1e300], "weights: the largest magnitude is 1e+300")):
            self.assert_refused(3, part, self.files(weights=weights))

    def test_weights_that_are_all_0_are_said_to_be_whatever_the_labels(self):
        for labels in (["a", "b"], [0, 1], [1, 2], [5, 5]):
            rows = [[x[0], 0, labels[i % 2]] for i, x in enumerate(self.X)]
            data = self.write("d.csv", csv_text(["x", "w", "target"], rows))
            for loss in ("logistic", "smoothed-hinge"):
                self.assert_refused(3, "weights: all are 0; expected at least one above 0",
                                    [data, "--weights", "w", "--loss", loss, *self.arguments])

    def test_weight_0_drops_a_row_and_weight_2_repeats_it(self):
        for loss in ("squared", "logistic", "smoothed-hinge"):
            y = self.y if loss == "squared" else [1.0 if v + math.sin(9 * v) > 0 else 0.0 for v in self.y]
            for extra in ([], ["--no-intercept", "--no-standardize"]):
                weighted, _ = self.fit(*self.files(y=y, weights=[0.0, 2.0] + [1.0] * 38), "--loss", loss, *extra)
                expected, _ = self.fit(*self.files([self.X[1]] + self.X[1:], [y[1]] + y[1:]), "--loss", loss, *extra)
                self.assertEqual((weighted["n"], expected["n"]), (39, 40))
                self.assertEqual([c["index"] for c in weighted["coefficients"]],
                                 [c["index"] for c in expected["coefficients"]])
                self.assert_close(weighted["objective"], expected["objective"], 8)

    def test_labels_of_weight_0_are_no_class(self):
        arguments = ["--loss", "logistic", "--weights", "w", "--lambda0", 0.5, "--lambda2", 0.01]
        def weigh(label_of_first, others):
            rows = [[0 if i == 0 else 1] + x + [label_of_first if i == 0 else others(v)]
                    for i, (x, v) in enumerate(zip(self.X, self.y))]
            return self.write("d.csv", csv_text(["w"] + self.names, rows))
        both = lambda v: 1 if v + math.sin(9 * v) > 0 else 0
        expected, _ = self.fit(weigh(1, both), *arguments)
        self.assert_same_model(self.fit(weigh(2, both), *arguments)[0], expected, 12)
        self.assert_refused(3, "target: values are 1; expected two classes", [weigh(0, lambda v: 1), *arguments])


class Prices(NpyTest):
    """What a grid that is made from the data must not ask for: no setting may be so large, in no file."""

    arguments = ()

    def test_targets_whose_squares_are_beyond_any_price(self):
        huge = [1e31 * value for value in self.y]
        part = "expected at most 1e+60 (rescale the target, or the weights)"
        for command, *choice in (["fit"], ["fit", "--select", "bic"], ["prove", "--select", "gic"], ["path"], ["cv"]):
            output = ["-o", "m.json"] if command in ("fit", "prove") else []
            code, _, err = self.run_program(command, *self.files(y=huge), *choice, *output)
            self.assertEqual(code, 3, err)
            self.assertIn("y: the prices that its loss asks for begin at lambda0 = ", err)
            self.assertIn(part, err)
            self.assertFalse((self.folder / "m.json").exists())
        self.assert_refused(3, part, self.files(y=self.y, weights=[1e60] * 40))
        self.fit(*self.files(y=huge), "--k", 2)
        self.fit(*self.files(y=[1e28 * value for value in self.y]), "-o", "m.json")
        self.assertEqual(self.run_program("inspect", "m.json")[0], 0)

    def test_columns_whose_squares_are_beyond_any_ridge(self):
        huge = [[1e30 * value for value in row] for row in self.X]
        self.assert_refused(3, "lambda2: a value made from the mean squared column norm is ",
                            self.files(huge) + ["--no-standardize"])
        self.fit(*self.files(huge), "--no-standardize", "--lambda2", 1)


if __name__ == "__main__":
    unittest.main()
