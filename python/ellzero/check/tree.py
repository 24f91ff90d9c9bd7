"""The proof file, and what it proves: sections 6 and 7."""
import math
import struct
from collections.abc import Iterable
from dataclasses import dataclass

from .arithmetic import down, units
from .data import MASK, Data
from .problem import Problem, Slopes
from .rules import EMPTY, FREE, IN, OUT, Best, Diagonals, Dual, Proved
from .values import LARGEST_DIAGONAL, LARGEST_VALUE, Refusal, Wrong, ascending, real, whole

MAGIC = b"\x89EZPROOF"
END = struct.Struct("<BQdd")  # before a checksum of 8 bytes


class Reader:
    """The bytes of a proof, one after the other."""

    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, 0

    def take(self, count: int) -> bytes:
        if self.at + count > len(self.content):
            raise Refusal("proof: a record is cut short")
        self.at += count
        return self.content[self.at - count : self.at]

    def whole(self, most: int = 2**63 - 1) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self.take(1)[0]
            value |= (byte & 127) << shift
            if byte < 128:
                return whole(value, "proof", most)
        raise Refusal("proof: has a whole number of more than 70 bits")

    def real(self) -> float:
        return real(struct.unpack("<d", self.take(8))[0], "proof")

    def features(self, p: int) -> list[int]:
        last, found = 0, []
        for _ in range(self.whole(p)):
            step = self.whole(MASK)
            last += (step >> 1) ^ -(step & 1)
            found.append(last)
        return ascending(found, p, "proof")


def largest(name: str, values: Iterable[float], most: float) -> None:
    for value in values:
        if abs(value) > most:
            raise Wrong(f"{name}: has the number {value!r}; expected at most {most:g}")


@dataclass
class Node:
    """What it decides beyond the node above it; all its states would be p numbers for each node of a proof."""

    bound: int
    decided: dict[int, int]
    above: "Node | None" = None
    closed: bool = False
    split: bool = False


class Tree:
    """The nodes of a proof, and what is proved of them."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.model, self.p = problem, problem.model, len(problem.columns)
        self.dual, self.rules, self.diagonals = Dual(problem), Diagonals(problem), dict[int, dict[int, int]]()
        decided = {j: OUT for j, column in enumerate(problem.columns) if column.constant}
        decided |= dict.fromkeys(self.model.always, IN)
        self.nodes = {0: Node(self.model.lambda0 * len(self.model.always), decided)}
        self.other_sides = {True: EMPTY, False: EMPTY}  # the least bound of one, for decisions at node 0 and elsewhere
        states = self.states(0)
        self.using = [EMPTY if state == OUT else 0 for state in states]  # section 7: of solutions that use a feature,
        self.leaving = [EMPTY if state == IN else 0 for state in states]  # and of those that do not

    def lower_bound(self) -> int:
        return min(*self.other_sides.values(), *(node.bound for node in self.nodes.values() if not node.split))

    def states(self, number: int) -> list[int]:
        """Of all features at a node."""
        states, node = [FREE] * self.p, self.nodes.get(number)
        while node is not None:
            for j, state in node.decided.items():
                states[j] = state
            node = node.above
        return states

    def open_node(self, number: int) -> Node:
        node = self.nodes.get(number)
        if node is None or node.closed or node.split:
            raise Wrong(f"proof: node {number}: is not there, or is closed or split")
        return node

    def add_point(self, number: int, proved: Best, decided: list[tuple[int, int]]) -> None:
        """What a point proves of an open node; `decided` has features and IN or OUT."""
        node, at_root = self.open_node(number), number == 0
        node.bound = max(node.bound, proved.node)
        states = self.states(number)
        for j, state in enumerate(states):
            if at_root and state == FREE:
                self.using[j] = max(self.using[j], min(proved.use(j), self.other_sides[True]))
                self.leaving[j] = max(self.leaving[j], min(proved.leave(j), self.other_sides[True]))
        for j, state in decided:
            if states[j] != FREE or j in node.decided:
                raise Wrong(f"proof: node {number}: decides feature {j}, which is not free")
            node.decided[j] = state
            other = proved.leave(j) if state == IN else proved.use(j)
            self.other_sides[at_root] = min(self.other_sides[at_root], other)

    def prove(self, states: list[int], diagonal: int, b0: int, slopes: Slopes) -> Best:
        """Section 4; b0 is that of the columns as they are, and a diagonal of -1 is none."""
        if self.model.k is not None and states.count(IN) >= self.model.k:
            states = [OUT if state == FREE else state for state in states]
        live = [j for j, state in enumerate(states) if state != OUT and not self.problem.columns[j].constant]
        if diagonal < 0:
            return Best([Proved(self.model, states, *parts) for parts in self.dual.parts(b0, slopes, states, live)])
        if diagonal not in self.diagonals:
            raise Wrong(f"proof: diagonal {diagonal}: is not there")
        d = self.diagonals[diagonal]
        missing = [j for j in [*slopes, *live] if j not in d]
        if missing:
            raise Wrong(f"proof: diagonal {diagonal}: is without feature {missing[0]}")
        return Best([Proved(self.model, states, *self.rules.parts(slopes, d, live))])

    def add_split(self, number: int, feature: int, with_it: int, without: int) -> None:
        node = self.open_node(number)
        if feature >= self.p or self.states(number)[feature] != FREE:
            raise Wrong(f"proof: node {number}: is split on feature {feature}, which is not free")
        if with_it == without or with_it in self.nodes or without in self.nodes:
            raise Wrong(f"proof: node {number}: is split into nodes that are not new")
        node.split = True
        for child, state in ((with_it, IN), (without, OUT)):
            self.nodes[child] = Node(node.bound, {feature: state}, node)

    def read(self, content: bytes, data: Data) -> float:
        """Every record of a proof file. Returns the bound that its end claims."""
        checksum = 0xCBF29CE484222325
        for byte in content[:-8]:
            checksum = (checksum ^ byte) * 0x100000001B3 & MASK
        body, end = content[: -END.size - 8], content[-END.size - 8 : -8]
        if not body.startswith(MAGIC) or content[-8:] != checksum.to_bytes(8, "little"):
            raise Refusal("proof: is cut short or damaged, or no proof of ellzero")
        reader = Reader(body)
        reader.take(len(MAGIC))
        version = reader.whole()
        if version != 1:
            raise Refusal(f"proof: is of version {version}; expected 1")
        if (reader.whole(), reader.whole(), reader.take(8)) != (len(data.y), self.p, data.hash.to_bytes(8, "little")):
            raise Wrong("proof: is that of other data")
        records = 0
        while reader.at < len(body):
            self.read_record(reader)
            records += 1
        tag, count, objective, lower_bound = END.unpack(end)
        if tag != 0xE5 or count != records or not math.isfinite(objective) or not lower_bound < math.inf:
            raise Refusal("proof: its end has not the number of records, an objective and a bound")
        if objective != self.model.objective:
            raise Wrong(f"proof: is that of the objective {objective!r}; the model has {self.model.objective!r}")
        return float(lower_bound)

    def read_record(self, reader: Reader) -> None:
        tag = reader.take(1)[0]
        if tag in (1, 2):
            number, diagonal, b0 = reader.whole(), reader.whole() - 1, reader.real()
            b = {j: reader.real() for j in reader.features(self.p)}
            decided = [(j, state) for state in (IN, OUT) for j in reader.features(self.p)]
            node = self.open_node(number)
            largest(f"proof: node {number}", [b0, *b.values()], LARGEST_VALUE)
            self.add_point(number, self.prove(self.states(number), diagonal, *self.raw(b0, b)), decided)
            node.closed = tag == 2
        elif tag == 3:
            self.add_split(reader.whole(), reader.whole(), reader.whole(), reader.whole())
        elif tag == 4:
            number = reader.whole()
            values = {j: reader.real() for j in reader.features(self.p)}
            largest(f"proof: diagonal {number}", values.values(), LARGEST_DIAGONAL)
            d = {j: units(value) for j, value in values.items()}
            if number in self.diagonals:
                raise Wrong(f"proof: diagonal {number}: is there twice")
            self.rules.check(d, f"proof: diagonal {number}")
            self.diagonals[number] = d
        else:
            raise Refusal(f"proof: has a record of kind {tag}, which is none")

    def raw(self, b0: float, b: dict[int, float]) -> tuple[int, Slopes]:
        """A point for columns as they are: c_j = b_j s_j, and b0 - sum_j c_j m_j. Near enough, as any point will do."""
        intercept, slopes = units(b0), Slopes()
        for j, value in b.items():
            column, (top, bottom) = self.problem.columns[j], value.as_integer_ratio()
            c, bits = slopes[j] = top * column.s[0], bottom.bit_length() - 1 + column.s[2]
            intercept -= down(c * column.total, bits + column.x.shift, self.problem.mass)
        return intercept, slopes
