// Charts as inline SVG: scales, axes and marks, and nothing that is not needed here.
"use strict";

const make = (space) => (tag, attributes = {}, ...children) => {
  const node = document.createElementNS(space, tag);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) node.setAttribute(key, value);
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
};
const h = make(document.documentElement.namespaceURI);
const svg = make("http://www.w3.org/2000/svg");

const number = (value, digits = 4) => {
  if (value === null || value === undefined || !Number.isFinite(value)) return "unknown";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-4)) return String(Number(value.toPrecision(digits - 1)).toExponential()).replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
};
const percent = (share) => (Number.isFinite(share) && share !== null ? `${number(100 * share, 3)} %` : "unknown");
const extent = (values) => {
  const known = values.filter((v) => v !== null && Number.isFinite(v));
  return known.length ? [Math.min(...known), Math.max(...known)] : [0, 1];
};

/** Steps of 1, 2 or 5 times a power of ten; on a logarithmic axis powers of ten, or those steps where it is short. */
function ticks([low, high], log, wanted) {
  const found = [];
  if (log) {
    const first = Math.floor(Math.log10(low) + 1e-9), last = Math.ceil(Math.log10(high) - 1e-9);
    const stride = Math.max(1, Math.ceil((last - first) / wanted));
    const steps = last - first <= 1 ? [1, 2, 3, 5, 7] : last - first <= wanted / 2 ? [1, 2, 5] : [1];
    for (let decade = first; decade <= last; decade += stride)
      for (const step of steps) found.push(Number(`${step}e${decade}`));
  } else {
    const raw = (high - low) / wanted, power = 10 ** Math.floor(Math.log10(raw));
    const step = power * [1, 2, 5, 10].find((s) => s * power >= raw * 0.999);
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) found.push(k * step);
  }
  return found.filter((v) => v >= low * (low > 0 ? 0.9999 : 1.0001) - 1e-300 && v <= high * (high > 0 ? 1.0001 : 0.9999) + 1e-300);
}

/** Maps values to pixels; `ticks` are its round values. */
function scale(axis, from, to, wanted) {
  let [low, high] = axis.domain;
  if (!(high > low)) [low, high] = axis.log ? [low / 2, high * 2] : [low - 0.5, high + 0.5];
  if (axis.pad && !axis.log) [low, high] = [low - axis.pad * (high - low), high + axis.pad * (high - low)];
  if (axis.pad && axis.log) [low, high] = [low * (low / high) ** axis.pad, high * (high / low) ** axis.pad];
  const f = axis.log ? Math.log10 : (v) => v;
  const place = (v) => from + ((to - from) * (f(v) - f(low))) / (f(high) - f(low));
  place.ticks = axis.ticks ?? ticks([low, high], axis.log, wanted);
  // As many decimals as tell one step from the next.
  const step = Math.abs(place.ticks[1] - place.ticks[0]), decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  place.text = (v) => (axis.log || !(step > 0) || decimals > 6 || Math.abs(v) >= 1e7 ? number(v) : v.toFixed(decimals));
  return place;
}

/** Places numbers under an axis and leaves out those that would touch one another. */
function spaced(values, place, room) {
  let last = -Infinity;
  return [...values].sort((a, b) => place(a) - place(b)).filter((v) => {
    const free = place(v) - last >= room;
    if (free) last = place(v);
    return free;
  });
}

let charts = 0;

/** Axes, then `marks(x, y, box)`: SVG nodes drawn by their scales. Drawn again when the width changes. */
function chart({ title, text, x, y, height = 300, left, top = 14, wide = false, marks, legend }) {
  const id = `chart${++charts}`, holder = h("div");
  const figure = h("figure", wide ? { class: "wide" } : {}, h("h3", {}, title), holder, legend ?? null, h("figcaption", {}, text));
  const draw = () => {
    const width = Math.max(280, Math.round(holder.clientWidth || 560));
    const bottom = height - 44, py = y.domain ? scale(y, bottom, top, height / 55) : null;
    const words = py ? Math.max(...py.ticks.map((v) => py.text(v).length)) : 0;
    const box = { left: left ?? 34 + 7 * words, right: width - 14, top, bottom };
    const px = scale(x, x.falls ? box.right : box.left, x.falls ? box.left : box.right, width / 90);
    const frame = [svg("path", { class: "axis", d: `M${box.left} ${box.top}V${box.bottom}H${box.right}` })];
    for (const v of py ? py.ticks : [])
      frame.push(svg("path", { class: "grid", d: `M${box.left} ${py(v)}H${box.right}` }),
        svg("text", { class: "tick", x: box.left - 7, y: py(v) + 4, "text-anchor": "end" }, py.text(v)));
    for (const v of spaced(px.ticks, px, 38))
      frame.push(svg("text", { class: "tick", x: px(v), y: box.bottom + 17, "text-anchor": "middle" }, px.text(v)));
    frame.push(svg("text", { class: "label", x: (box.left + box.right) / 2, y: height - 6, "text-anchor": "middle" }, x.label));
    if (y.label) frame.push(svg("text", { class: "label", "text-anchor": "middle",
      transform: `translate(12 ${(box.top + box.bottom) / 2}) rotate(-90)` }, y.label));
    holder.replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": `${id}t ${id}d` },
      svg("title", { id: `${id}t` }, title), svg("desc", { id: `${id}d` }, text), frame, marks(px, py, box).flat()));
  };
  figure.draw = draw;
  return figure;
}

const path_of = (points) => points.map(([x, y], k) => `${k ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
const titled = (node, text) => (node.append(svg("title", {}, text)), node);
const dot = (x, y, text, kind = "dot", r = 3) => titled(svg("circle", { class: kind, cx: x.toFixed(1), cy: y.toFixed(1), r }), text);
const stroke = (points, colour, kind = "line") => svg("path", { class: kind, d: path_of(points), stroke: colour });

/** A dashed upright with its name on top, on the side where there is room. */
function upright(x, box, text, row = 0) {
  const near_end = x > box.right - 90;
  return [svg("path", { class: "mark", d: `M${x} ${box.top}V${box.bottom}` }),
    svg("text", { class: "mark-text", x: x + (near_end ? -5 : 5), y: box.top + 11 + 14 * row, "text-anchor": near_end ? "end" : "start" }, text)];
}
