// A manifold: what the page says of it beside the pictures. Its steps are frames, as those of a pair.

import { node } from "./legend.js";

/** What a verdict looks like, beside its word. @type {Record<string, string>} */
const MARKS = { separated: "○ ○", touching: "○|○", overlapping: "(●)", undecided: "?" };

/** Whether a query is of a manifold. @param {object | null} query @returns {query is import("./types.js").Query} */
export const isManifold = (query) => query !== null && "query" in query && query.query === "manifold";

/** Says the verdict and what bears on what. @param {HTMLElement} view @param {import("./types.js").ManifoldTold} told */
export function manifoldVerdict(view, { query, answer, sentence }) {
  view.className = answer.verdict;
  view.dataset.query = query.id;
  view.replaceChildren(node("span", { class: "mark", "aria-hidden": "true" }, MARKS[answer.verdict]), node("div", {},
    node("strong", {}, answer.verdict), node("span", { class: "small" }, sentence)));
}
