// What came of the query, beside the pictures: the verdict in words, and how the bounds of the steps close in on the distance.

import { node } from "./legend.js";
import { element } from "./plane.js";

/** @typedef {import("./types.js").Told} Told */
/** @typedef {import("./types.js").Frame} Frame */

const MARKS = { separated: "○ ○", touching: "○|○", overlapping: "(●)", undecided: "?" };

/**
 * Says the verdict, and whether floats alone say the same.
 *
 * @param {{told: HTMLElement, floats: HTMLElement}} view @param {Told} found
 */
export function verdict(view, { query, answer, floats }) {
  view.told.className = answer.verdict;
  view.told.dataset.query = query.id;
  /** @param {import("./types.js").Bounds | undefined} d */
  const interval = (d) => (d ? `Signed distance in [${d.lower ?? "−∞"}, ${d.upper ?? "∞"}].` : "");
  const small = `${answer.exact ? "Proved by exact signs" : "Proved by the interval: smooth bodies have no exact signs"}. ${interval(answer.signed_distance)}`;
  view.told.replaceChildren(node("span", { class: "mark", "aria-hidden": "true" }, MARKS[answer.verdict]), node("div", {},
    node("strong", {}, answer.verdict), node("span", { class: "small" }, small)));
  const differs = floats.verdict !== answer.verdict;
  view.floats.className = differs ? "differs" : "";
  view.floats.textContent = differs
    ? `Floats alone: ${floats.verdict}. ${interval(floats.signed_distance)} They do not know; the exact signs do.`
    : `Floats alone say the same: ${floats.verdict}.`;
}

/**
 * Draws the bounds of every step as a bar, and marks the step that is shown.
 *
 * @param {SVGSVGElement} svg @param {Frame[]} frames @param {number} step
 */
export function bounds(svg, frames, step) {
  const box = svg.getBoundingClientRect();
  const rows = frames.flatMap((frame, k) => (frame.bounds ? [{ bounds: frame.bounds, k }] : []));
  svg.replaceChildren();
  if (rows.length === 0) return;
  const ends = [...rows.flatMap((row) => row.bounds), 0];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const spread = high > low ? high - low : 1;
  /** @param {number} value */
  const x = (value) => 8 + ((value - low) / spread) * (box.width - 16);
  const height = Math.min(14, (box.height - 26) / rows.length);
  svg.append(element("line", { x1: x(0), x2: x(0), y1: 0, y2: box.height - 16, class: "origin" }));
  rows.forEach((row, at) => {
    const [from, to] = row.bounds.map(x);
    const made = element("rect", {
      x: from, y: at * height + 2, width: Math.max(to - from, 2), height: Math.max(height - 3, 2),
      class: row.k === step ? "bar now" : "bar",
    });
    const title = element("title");
    title.textContent = `step ${row.k + 1}: from ${row.bounds[0]} to ${row.bounds[1]}`;
    made.append(title);
    svg.append(made);
  });
  for (const { value, anchor } of [{ value: low, anchor: "start" }, { value: high, anchor: "end" }]) {
    const text = element("text", { x: x(value), y: box.height - 4, "text-anchor": anchor, class: "tick" });
    text.textContent = value.toPrecision(6);
    svg.append(text);
  }
}
