"""The files that docs/cases.md runs the program on, each small and made anew: `write_all(folder)`."""
import math
import random

from program import csv_text, libsvm_text, npy_bytes, regression

NAMES = [f"f{j}" for j in range(6)] + ["target"]
ROWS = regression()


def table(change=lambda i, row: row, names=None, rows=ROWS, separator=","):
    """The rows as CSV, each after a change."""
    return csv_text(names or NAMES, [change(i, list(row)) for i, row in enumerate(rows)], separator)


def cell(line, column, value):
    """The rows with one cell replaced; `line` counts as an editor does, so that 2 is the first row."""
    return table(lambda i, row: row[:column] + [value] + row[column + 1:] if i == line - 2 else row)


def column(number, values):
    return table(lambda i, row: row[:number] + [values(i, row)] + row[number + 1:])


def front(name, values):
    """The rows with one more column in front of them."""
    return table(lambda i, row: [values(i)] + row, [name] + NAMES)


def scaled(scale_of):
    """Feature j times scale_of(j)."""
    return table(lambda i, row: [scale_of(j) * x for j, x in enumerate(row[:-1])] + row[-1:])


def dominated():
    """y = 100 x0 + x1 - x2 + noise."""
    numbers = random.Random(3)
    rows = [[numbers.gauss(0, 1) for _ in range(6)] for _ in range(100)]
    return table(lambda i, x: x + [100 * x[0] + x[1] - x[2] + numbers.gauss(0, 0.3)], rows=rows)


def hard():
    """Noise, 80 features of it."""
    numbers = random.Random(5)
    rows = [[numbers.gauss(0, 1) for _ in range(81)] for _ in range(60)]
    return csv_text([f"x{j}" for j in range(80)] + ["target"], rows)


def npy(kind="d", fortran=False, change=lambda rows: rows):
    return npy_bytes(change([row[:-1] for row in ROWS]), kind, fortran)


def infinite(rows):
    return rows[:7] + [rows[7][:2] + [math.inf] + rows[7][3:]] + rows[8:]


BANNER = "%%MatrixMarket matrix coordinate real general\n"
MAKERS = {
    "d.csv": table,
    "nan.csv": lambda: cell(9, 2, "nan"),
    "X.npy": npy,
    "X32.npy": lambda: npy("f"),
    "XF.npy": lambda: npy(fortran=True),
    "X_inf.npy": lambda: npy(change=infinite),
    "y.npy": lambda: npy_bytes([row[-1] for row in ROWS]),
    "constant.csv": lambda: column(2, lambda i, row: 4.25),
    "twins.csv": lambda: column(5, lambda i, row: 4 * row[1]),
    "one.csv": lambda: table(rows=ROWS[:1]),
    "no_rows.csv": lambda: table(rows=[]),
    "no_features.csv": lambda: "target\n1\n2\n",
    "x_300.csv": lambda: scaled(lambda j: 1e300),
    "x_minus_300.csv": lambda: scaled(lambda j: 1e-300),
    "y_300.csv": lambda: column(6, lambda i, row: 1e300 * row[6]),
    "mixed_150.csv": lambda: scaled(lambda j: 10.0 ** (60 * (j - 2.5))),
    "mixed_55.csv": lambda: scaled(lambda j: 10.0 ** (22 * (j - 2.5))),
    "denormal.csv": lambda: column(0, lambda i, row: 5e-324 * (i % 3)),
    "y_constant.csv": lambda: column(6, lambda i, row: 7.5),
    "one_class.csv": lambda: column(6, lambda i, row: "yes"),
    "apart.csv": lambda: column(6, lambda i, row: 1 if row[1] > 0 else 0),
    "beyond.mtx": lambda: BANNER + "40 6 1\n41 1 1\n",
    "repeated.mtx": lambda: BANNER + "40 6 3\n1 1 1\n1 1 2\n2 1 5\n",
    "zero.svm": lambda: "1 0:2\n",
    "far_index.svm": lambda: "1 1:2\n2 9223372036854775808:1\n",
    "w.csv": lambda: front("w", lambda i: (0, 2)[i - 3] if i in (3, 4) else 1),
    "w_done.csv": lambda: table(rows=ROWS[:3] + ROWS[4:5] + ROWS[4:]),
    "w_minus.csv": lambda: front("w", lambda i: -1 if i == 3 else 1),
    "w_zero.csv": lambda: front("w", lambda i: 0),
    "w_short.npy": lambda: npy_bytes([1.0] * 39),
    "words.csv": lambda: column(6, lambda i, row: "yes" if row[6] + 3 * math.sin(17 * i) > 0 else "no"),
    "ragged.csv": lambda: "a,b,target\n1,2,3\n4,5\n",
    "cut.svm": lambda: "1 1:2\n2 1:",
    "lies.mtx": lambda: BANNER + "9 9 4000000000000\n1 1 1\n",
    "nested.json": lambda: "[" * 1000000,
    "hard.csv": hard,
    "wide.svm": lambda: "1 1:2\n2 99999999:1\n3 5:1\n",
    "y_offset.csv": lambda: table(lambda i, row: [1] + row[:-1] + [1e20], ["o"] + NAMES),
    "far.csv": lambda: table(lambda i, row: [x + 1e9 * (1 + j) for j, x in enumerate(row[:-1])] + row[-1:]),
    "far_15.csv": lambda: table(lambda i, row: [x + 1e15 * (1 + j) for j, x in enumerate(row[:-1])] + row[-1:]),
    "no_header.csv": lambda: table(names=map(str, ROWS[0]), rows=ROWS[1:]),
    "twice.csv": lambda: "a,b,a,target\n1,2,3,4\n5,6,7,8\n",
    "semicolon.csv": lambda: table(separator=";"),
    "dominated.csv": dominated,
}


def write_all(folder):
    for name, make in MAKERS.items():
        content = make()
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
