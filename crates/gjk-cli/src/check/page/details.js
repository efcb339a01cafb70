// The chosen pair in words and numbers.

/** The sentence, with the bodies marked in the colours of the picture. @param {string} says @param {number[]} bodies */
function sentence(says, bodies) {
  return says.split(/(\{[ab]\})/).filter(Boolean).map((piece) => {
    if (piece !== "{a}" && piece !== "{b}") return piece;
    const isA = piece === "{a}";
    return made("span", { class: isA ? "of-a" : "of-b" }, names[bodies[isA ? 0 : 1]]);
  });
}

const LENGTH = report.unit ? ` ${report.unit}` : "";
/** What the report calls things, in words. Fields that are not here are shown by their own names. @type {Record<string, string>} */
const WORDS = {
  signed_distance: "Signed distance", normal: "Normal, from a to b", point_a: "Point of a", point_b: "Point of b",
  thickness: "Thickness of the overlap", escape: "Way out of the overlap", protrusion: "Reach into the other",
  contact: "Features that meet", stop: "Why the interval is wide", relation: "Relation",
};
/** Fields that other lines say. */
const ELSEWHERE = ["state", "a", "b", "verdict", "exact", "flush", "relation", "stop"];

/** @param {any} value @returns {boolean} */
const isInterval = (value) => typeof value === "object" && value !== null && "lower" in value && "upper" in value;

/** Any field of a pair, as text. @param {string} key @param {any} value @returns {string} */
function told(key, value) {
  if (value === null || value === undefined) return "none";
  if (isInterval(value)) return interval(value, 6) + LENGTH;
  if (Array.isArray(value) && value.every((x) => typeof x === "number")) {
    const size = Math.max(...value.map(Math.abs));
    return `(${value.map((x) => short(Math.abs(x) < 1e-9 * size ? 0 : x, 5)).join(", ")})`;
  }
  if (typeof value === "number") return short(value, 6) + (key === "thickness" || key === "escape" ? LENGTH : "");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "object" && "triangle" in value) return `${value.feature === "face" ? "inside of" : `${value.feature} of`} triangle ${value.triangle}`;
  if (Array.isArray(value)) return value.map((one) => told(key, one)).join(", ");
  if (typeof value === "object") return Object.entries(value).map(([name, one]) => `${name.replaceAll("_", " ")}: ${told(key, one)}`).join("; ");
  return String(value);
}

/** What a part is. @param {number} body @param {number} index */
function partText(body, index) {
  const parts = report.bodies[body].parts;
  const part = parts[index];
  if (!part) return "";
  const which = parts.length > 1 ? `, part ${index + 1} of ${parts.length}` : "";
  const kind = part.kind.replaceAll("_", " ");
  const more = part.reason ? `: ${part.reason}` : part.shells > 1 ? ` of ${part.shells} shells` : "";
  const hull = part.kind === "hull" ? (part.volume_ratio === null ? " of an open mesh" : ` filled to ${short(100 * part.volume_ratio, 3)} % by its mesh`) : "";
  return `${part.source} (${kind}${more}${hull})${which}`;
}

/** The lines about a pair: what, and how much. @param {number} place @returns {[string, string][]} */
function detailLines(place) {
  const pair = report.pairs[place];
  const { bodies, parts, why_wide, answer: own } = page.pairs[place];
  // A depth that was measured stands above; hulls know less.
  const isMeasured = own !== undefined && answer.pairs?.[own]?.depth !== undefined;
  /** @type {[string, string][]} */
  const lines = [];
  const relation = pair.relation ?? pair.verdict;
  const proof = pair.exact ? "proved" : "rests on the interval";
  lines.push(["Relation", `${relation}, ${proof}${pair.flush ? ", compared in their own frame" : ""}`]);
  for (const [key, value] of Object.entries(pair)) {
    if (ELSEWHERE.includes(key) || (isMeasured && key === "signed_distance")) continue;
    const isOfHulls = key === "signed_distance" && value === null;
    lines.push([WORDS[key] ?? key.replaceAll("_", " "), isOfHulls ? `${told(key, bounds(place))}, by the hulls` : told(key, value)]);
    if (key === "signed_distance" && pair.stop) lines.push([WORDS.stop, why_wide ?? pair.stop]);
  }
  lines.push(["Part of a", partText(bodies[0], parts[0])], ["Part of b", partText(bodies[1], parts[1])]);
  return lines;
}

/** @param {number} state */
const where = (state) => (opensOnPath ? `at ${stateName(page.states.indexOf(state))}` : `in state ${state}`);

/** Shows a pair, or that it was not found in a state. @param {number} row @param {number} state @param {number | undefined} place */
function showDetails(row, state, place) {
  const { bodies } = page.pairs[page.rows[row].pair];
  const says = element("says");
  if (place === undefined) {
    says.replaceChildren(...sentence(`{a} and {b}: nothing found ${where(state)}`, bodies));
    element("details").replaceChildren();
    return;
  }
  says.replaceChildren(...sentence(page.pairs[place].says, bodies));
  if (hasStates) {
    const { states } = page.rows[row];
    const often = states === 1 ? "in this state only" : `state ${state}; so in ${states} of ${page.states_checked} states`;
    const told = opensOnPath ? where(state) : `(${states === 1 ? `state ${state}, ${often}` : often})`;
    says.append(" ", made("span", { class: "small" }, told));
  }
  element("details").replaceChildren(...[...matrixLines(page.pairs[place]), ...detailLines(place)].map(([name, text]) =>
    made("div", {}, made("dt", {}, name), made("dd", {}, text))));
}

/** The head of the page: how the check ended, what was looked at, what to know of the input. */
function showHead() {
  const failing = page.rows.filter((/** @type {any} */ row) => page.pairs[row.pair].fails).length;
  const outcome = element("outcome");
  outcome.className = page.tone ?? (failing > 0 ? "bad" : report.partial ? "warn" : "good");
  const told = { bad: "✗ ", warn: "? ", good: "✓ " }[/** @type {string} */ (page.tone)];
  outcome.textContent = `${told ?? (failing > 0 ? "✗ " : report.partial ? "" : "✓ ")}${page.headline}${report.partial ? ", so far: it was stopped" : ""}`;
  element("about").textContent = page.about.join(" · ");
  const notes = [...page.notes];
  const surfaces = report.bodies.flatMap((/** @type {any} */ body) =>
    body.parts.filter((/** @type {any} */ part) => part.kind === "surface").map((/** @type {any} */ part) => `surface, not solid: ${body.name}: ${part.source}: ${part.reason}`));
  const left = page.states_checked - page.states.length;
  if (left > 0) notes.push(`${left} of ${page.states_checked} states are not in this page: the least was found in them`);
  const words = [];
  if (notes.length > 0) words.push(notes.length === 1 ? "1 note" : `${notes.length} notes`);
  if (surfaces.length > 0) words.push(surfaces.length === 1 ? "1 part is a surface, not a solid" : `${surfaces.length} parts are surfaces, not solids`);
  if (words.length === 0) return;
  const details = element("notes");
  details.hidden = false;
  details.querySelector("summary").textContent = `⚠ ${words.join("; ")}`;
  details.querySelector("ul").replaceChildren(...[...notes, ...surfaces].map((text) => made("li", {}, text)));
}

/** The foot: who wrote the page, and what its picture is not. */
function showFoot() {
  const approximate = page.scene.forms.some((/** @type {any} */ form) => form.approximate);
  element("foot").textContent = `gjk ${page.version} ${page.command}. ` +
    (approximate ? "Smooth shapes are drawn as polyhedra near them; the numbers are of the shapes themselves." : "Bodies are drawn as they were checked.");
}
