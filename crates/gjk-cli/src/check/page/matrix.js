// The matrix of links that `gjk acm --html` opens on: a cell a pair, in the list's words and signs.

/** The report of the command that made the page, where that is not a check. @type {any} */
const answer = JSON.parse(element("answer").textContent);
const opensOnMatrix = page.view?.opens === "matrix";

class Matrix {
  /** @param {(row: number) => void} onChoose */
  constructor(onChoose) {
    this.onChoose = onChoose;
    /** The links as bodies, in the order of the chain. @type {number[]} */
    this.links = page.view.links;
    /** The same as they stand. @type {number[]} */
    this.order = [];
    /** @type {[string, (a: number, b: number) => number][]} */
    this.orders = [];
    /** The row of the list of each pair. @type {Map<string, number>} */
    this.rows = new Map();
    page.rows.forEach((/** @type {any} */ { pair }, /** @type {number} */ row) => {
      const [a, b] = page.pairs[pair].bodies;
      this.rows.set(`${a} ${b}`, row).set(`${b} ${a}`, row);
    });
    this.chosen = -1;
    /** The cell that the tab key leads to. */
    this.at = [1, 0];
    this.host = element("matrix");
    this.cells = this.host.querySelector(".cells");
    this.host.style.setProperty("--count", String(this.links.length));
    this.#orders();
    this.#legend();
    this.#confusion();
    this.cells.addEventListener("click", (/** @type {any} */ event) => this.#pointed(event));
    this.cells.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#pressed(event));
    element("differs-label").hidden = !page.view.compared;
    element("differs").addEventListener("change", () => this.dim(this.kinds));
    this.draw();
  }

  /** The pair of two links, with its row. @param {number} a @param {number} b @returns {{row: number, pair: any} | undefined} */
  #pair(a, b) {
    const row = this.rows.get(`${a} ${b}`);
    return row === undefined ? undefined : { row, pair: page.pairs[page.rows[row].pair] };
  }

  /** In how many pairs of a link is what is asked. @param {number} link @param {(pair: any) => boolean} of */
  #count(link, of) {
    return this.links.filter((other) => other !== link && of(this.#pair(link, other)?.pair)).length;
  }

  #orders() {
    const tally = (/** @type {(pair: any) => boolean} */ of) => (/** @type {number} */ a, /** @type {number} */ b) => this.#count(b, of) - this.#count(a, of);
    const reason = (/** @type {any} */ pair) => answer.pairs[pair?.answer]?.reason;
    this.orders = [
      ["along the chain", () => 0],
      ["by name", (a, b) => names[a].localeCompare(names[b], "en", { numeric: true })],
      ["most never first", tally((pair) => reason(pair) === "never")],
      ["most to check first", tally((pair) => pair !== undefined && reason(pair) === null)],
    ];
    if (page.view.compared) this.orders.push(["most unlike the file first", tally((pair) => pair?.differs !== undefined)]);
    element("links-by").append(...this.orders.map(([title]) => made("option", {}, title)));
    element("links-by").addEventListener("change", () => {
      this.draw();
      this.mark(this.chosen);
    });
  }

  /** What the letters mean. */
  #legend() {
    element("legend").replaceChildren(...page.view.kinds.map((/** @type {any} */ kind) => made("div", {},
      made("dt", {}, made("span", { class: "letter", "data-letter": kind.letter, "aria-hidden": "true" }, kind.letter), ` ${kind.word}`), made("dd", {}, kind.means))));
    if (!page.view.compared) return;
    element("meanings").querySelector("summary").textContent += ", and the file’s reasons counted";
    element("legend").append(made("div", {}, made("dt", {}, made("span", { class: "letter differs", "aria-hidden": "true" }, ""), " corner"),
      made("dd", {}, "The file says something else of the pair.")));
  }

  /** The reasons of the file against those that were found. */
  #confusion() {
    const rows = answer.confusion;
    element("confusion").hidden = !rows;
    if (!rows) return;
    const columns = Object.keys(rows[0]).filter((key) => key !== "srdf" && rows.some((/** @type {any} */ row) => row[key] > 0));
    const head = made("tr", {}, made("th", { scope: "col" }, "the file says"), ...columns.map((key) => made("th", { scope: "col" }, key.replace("_", ", "))));
    const body = rows.filter((/** @type {any} */ row) => columns.some((key) => row[key] > 0)).map((/** @type {any} */ row) =>
      made("tr", {}, made("th", { scope: "row" }, row.srdf ?? "not listed"), ...columns.map((key) => made("td", {}, row[key] ? String(row[key]) : "·"))));
    element("confusion").replaceChildren(made("table", {}, made("caption", {}, "Reasons of the file, down, against those that were found, across"), made("thead", {}, head), made("tbody", {}, ...body)));
  }

  /** The cells, in the order that is chosen. */
  draw() {
    const [, compare] = this.orders[element("links-by").selectedIndex];
    this.order = [...page.view.links].sort(compare);
    const prefix = sharedStart(this.order.map((link) => names[link]));
    const number = (/** @type {number} */ k) => made("span", { class: "number" }, String(k + 1));
    const head = made("tr", { role: "row" }, made("td", { class: "corner", role: "presentation" }),
      ...this.order.map((link, k) => made("th", { scope: "col", role: "columnheader", title: names[link], "aria-label": names[link] }, number(k))));
    const rows = this.order.map((link, k) => made("tr", { role: "row" },
      made("th", { scope: "row", role: "rowheader", title: names[link], "aria-label": names[link] }, number(k), made("span", {}, names[link].slice(prefix))),
      ...this.order.map((other, l) => this.#cell(link, other, k, l))));
    this.cells.replaceChildren(made("table", { role: "grid", "aria-label": "Pairs of links" }, made("thead", { role: "rowgroup" }, head), made("tbody", { role: "rowgroup" }, ...rows)));
    this.dim(this.kinds);
    this.#reach(this.at[0], this.at[1]);
  }

  /** @param {number} a @param {number} b @param {number} k @param {number} l */
  #cell(a, b, k, l) {
    const found = this.#pair(a, b);
    const at = { role: "gridcell", "data-at": `${k} ${l}`, tabindex: "-1" };
    if (!found) return made("td", { ...at, class: "none", "aria-label": a === b ? `${names[a]} itself` : `${names[a]} and ${names[b]}: not looked at` });
    const { sign, word, differs, says } = found.pair;
    const words = says.replace(/\{([ab])\}/g, (/** @type {string} */ _, /** @type {string} */ which) => names[found.pair.bodies[which === "a" ? 0 : 1]]);
    return made("td", { ...at, class: differs ? "letter differs" : "letter", "data-letter": sign, "data-row": String(found.row), title: words,
      "aria-label": `${names[a]} and ${names[b]}: ${word}${differs ? `; ${differs}` : ""}` }, sign);
  }

  /** Fades the cells of other kinds than these; none: no cell. @param {Set<string> | undefined} kinds */
  dim(kinds) {
    this.kinds = kinds;
    const onlyOther = element("differs").checked;
    for (const cell of this.cells.querySelectorAll("td[data-row]")) {
      const pair = page.pairs[page.rows[Number(cell.dataset.row)].pair];
      cell.classList.toggle("faded", (kinds !== undefined && kinds.size > 0 && !kinds.has(pair.word)) || (onlyOther && !pair.differs));
    }
  }

  /** Shows which pair is chosen. @param {number} row */
  mark(row) {
    this.chosen = row;
    for (const cell of this.cells.querySelectorAll("[aria-selected], .beside")) {
      cell.removeAttribute("aria-selected");
      cell.classList.remove("beside");
    }
    if (row < 0) return;
    /** @type {any[]} */
    const cells = [...this.cells.querySelectorAll(`td[data-row="${row}"]`)];
    for (const cell of cells) cell.setAttribute("aria-selected", "true");
    const own = cells.find((cell) => cell.dataset.at === this.at.join(" ")) ?? cells.find((cell) => Number(cell.dataset.at.split(" ")[0]) > Number(cell.dataset.at.split(" ")[1]));
    if (own) this.#reach(.../** @type {[number, number]} */ (own.dataset.at.split(" ").map(Number)));
  }

  /** The tab key leads to this cell. @param {number} k @param {number} l */
  #reach(k, l) {
    this.at = [k, l];
    for (const cell of this.cells.querySelectorAll("td[tabindex='0']")) cell.tabIndex = -1;
    const cell = this.cells.querySelector(`td[data-at="${k} ${l}"]`);
    if (!cell) return null;
    cell.tabIndex = 0;
    for (const head of this.cells.querySelectorAll("th.beside")) head.classList.remove("beside");
    this.cells.querySelectorAll("tbody th")[k]?.classList.add("beside");
    this.cells.querySelectorAll("thead th")[l]?.classList.add("beside");
    return cell;
  }

  /** @param {any} event */
  #pointed(event) {
    const cell = event.target.closest("td[data-row]");
    if (!cell) return;
    const [k, l] = cell.dataset.at.split(" ").map(Number);
    this.#reach(k, l)?.focus({ preventScroll: true });
    this.onChoose(Number(cell.dataset.row));
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const last = this.links.length - 1;
    let [k, l] = this.at;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowUp") k--;
    else if (event.key === "ArrowDown") k++;
    else if (event.key === "ArrowLeft") l--;
    else if (event.key === "ArrowRight") l++;
    else if (event.key === "Home") l = 0;
    else if (event.key === "End") l = last;
    else if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    // The keys of the list stay out of it.
    event.stopPropagation();
    if (k < 0 || l < 0 || k > last || l > last) return;
    const cell = this.#reach(k, l);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (cell?.dataset.row) this.onChoose(Number(cell.dataset.row));
  }
}

/** How much all names begin with, up to a sign between words; what is left of each begins with a letter. @param {string[]} all */
function sharedStart(all) {
  if (all.length < 2) return 0;
  let length = 0;
  while (all.every((name) => name.length > length + 1 && name[length] === all[0][length])) length++;
  const isBetweenWords = () => length === 0 || ("_-/ .".includes(all[0][length - 1]) && all.every((name) => !"0123456789".includes(name[length])));
  while (!isBetweenWords()) length--;
  return length;
}

/** The fields of a pair of the matrix that its sentence says, or that other lines show. */
const SAID = ["a", "b", "joints", "verified", "action", "refusal", "always", "cells", "srdf", "through", "at", "state", "reason", "basis", "samples", "smallest", "proved_share"];

/** What the matrix says of a pair, in lines. @param {any} pair of the page @returns {[string, string][]} */
function matrixLines(pair) {
  const found = answer?.pairs?.[pair.answer];
  if (!found) return [];
  const many = (/** @type {number} */ count, /** @type {string} */ word) => `${count} ${word}${count === 1 ? "" : "s"}`;
  const { length: joints } = found.joints;
  const basis = {
    structure: found.through?.length ? `structure: through ${found.through.join(", ")}, without geometry` : "structure: one joint joins them",
    proof: `proof over ${joints === 0 ? "no joint: nothing moves the two" : many(joints, "joint")}, ${many(found.cells, "cell")}${found.verified ? ", checked again" : ""}`,
    witness: "witness: the state that is shown",
    touch: "touch: the state that is shown",
    samples: `samples: ${found.samples} random states${found.smallest === undefined ? "" : `, the nearest ${short(found.smallest)}${LENGTH} apart`}` +
      (found.proved_share === undefined ? "" : `; ${short(100 * found.proved_share, 3)} % of all states proved`),
  };
  /** @type {[string, string][]} */
  const lines = [
    ["Reason", found.reason ?? "none: it must be checked"],
    ["Basis", basis[/** @type {keyof typeof basis} */ (found.basis)] ?? found.basis],
  ];
  if (found.always) lines.push(["In all states", "they overlap, proved"]);
  if (found.refusal) lines.push(["Why there is no proof", found.refusal]);
  if (page.view.compared) {
    const becomes = { keep: "the line stays", add: "a line is wanted", remove: "the line must go", change: "the reason must change", none: "and none is wanted" };
    lines.push(["The file", `${found.srdf ?? "no line"}; ${becomes[/** @type {keyof typeof becomes} */ (found.action)] ?? found.action}`]);
  }
  const words = { distance: found.basis === "proof" ? "Least distance of all states" : "Distance in the state", depth: "Depth of the overlap", sampled_fraction: "Random states that overlap" };
  for (const [key, value] of Object.entries(found)) {
    if (SAID.includes(key)) continue;
    const text = key === "sampled_fraction" ? `${short(100 * value, 3)} %` : told(key, value);
    lines.push([words[/** @type {keyof typeof words} */ (key)] ?? key.replaceAll("_", " "), text]);
  }
  const state = found.state ?? found.at;
  if (state) {
    const shown = joints > 0 ? found.joints : Object.keys(state);
    lines.push(["Joints between, in the state shown", shown.map((/** @type {string} */ joint) => `${joint} ${short(state[joint], 5)}`).join(", ")]);
  } else lines.push(["State shown", "the default state"]);
  return lines;
}
