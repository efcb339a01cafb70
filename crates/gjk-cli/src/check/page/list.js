// The list of pairs: sorted, filtered, grouped.

const ROWS_AT_ONCE = 400;

/** The body names, and what can be searched of each. */
const names = report.bodies.map((/** @type {any} */ body) => body.name);
const texts = report.bodies.map((/** @type {any} */ body) =>
  [body.name, ...new Set(body.parts.map((/** @type {any} */ part) => part.source))].join(" ").toLowerCase());
/** A matrix has a state a pair, in no order. */
const hasStates = page.states_checked > 1 && page.view?.opens !== "matrix";
/** The pairs by state and bodies. @type {Map<string, number>} */
const places = new Map(report.pairs.map((/** @type {any} */ pair, /** @type {number} */ k) =>
  [`${pair.state} ${page.pairs[k].bodies}`, k]));

/** The pair of a row in a state, if it was found there. @param {number} row @param {number} state @returns {number | undefined} */
const pairIn = (row, state) => places.get(`${state} ${page.pairs[page.rows[row].pair].bodies}`);

/** A number with a few digits. @param {number | null} x @param {number} digits */
function short(x, digits = 4) {
  if (x === null || x === undefined) return "∞";
  if (Math.abs(x) < 2.3e-308) return "0";
  const size = Math.abs(x);
  const text = size >= 1e-4 && size < 1e6 ? x.toPrecision(digits) : x.toExponential(digits - 2);
  return (text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : text).replaceAll("-", "−");
}

/** @param {{lower: number | null, upper: number | null} | null} ends @param {number} digits */
function interval(ends, digits = 4) {
  if (!ends) return "not measured";
  const { lower, upper } = ends;
  if (lower !== null && upper !== null && upper - lower <= 1e-6 * Math.max(Math.abs(lower), Math.abs(upper))) {
    return short(Math.abs(lower) > Math.abs(upper) ? lower : upper, digits);
  }
  return `[${lower === null ? "−∞" : short(lower, digits)}, ${short(upper, digits)}]`;
}

/** What bounds the signed distance of a pair: what was measured, or the hulls. @param {number} place */
const bounds = (place) => ({ lower: page.pairs[place].bounds[0], upper: page.pairs[place].bounds[1] });

/** How a word is coloured. @param {any} pair */
const tone = (pair) => pair.tone ?? (pair.sign === "✗" ? "bad" : pair.word === "separated" ? "good" : "warn");

/** @param {string} tag @param {Record<string, any>} with_ @param {(Node | string)[]} children */
function made(tag, with_ = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(with_)) {
    if (value === undefined || value === false) continue;
    if (key === "class") node.className = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

class PairList {
  /** @param {(row: number, byUser: boolean) => void} onChoose @param {(kinds: Set<string>) => void} onKinds */
  constructor(onChoose, onKinds) {
    this.onChoose = onChoose;
    this.onKinds = onKinds;
    this.chosen = -1;
    this.state = 0;
    this.limit = ROWS_AT_ONCE;
    /** @type {Set<string>} */
    this.kinds = new Set();
    this.order = { by: "severity", down: false };
    /** The rows as they stand, some of them twice when they are grouped. @type {number[]} */
    this.rows = [];
    this.table = element("list").querySelector("table");
    this.#head();
    this.#kinds();
    element("filter").addEventListener("input", () => this.#again());
    element("group").addEventListener("change", () => this.#again());
    element("now").addEventListener("change", () => this.#again());
    element("more").addEventListener("click", () => {
      this.limit += ROWS_AT_ONCE;
      this.draw();
    });
    this.table.addEventListener("click", (/** @type {any} */ event) => this.#pointed(event));
    this.draw();
  }

  /** A heading's button to sort by. @param {string} by @param {string} title */
  #sorter(by, title) {
    const button = made("button", { type: "button", "data-by": by }, title);
    button.addEventListener("click", () => {
      this.order = { by, down: this.order.by === by && !this.order.down };
      this.#again();
    });
    return button;
  }

  #head() {
    /** @type {[string, string, string][]} */
    const columns = [["severity", "verdict", ""], ["a", "a", "name"], ["b", "b", "name"], ["distance", report.unit ? `distance (${report.unit})` : "distance", "number"]];
    if (hasStates) columns.push(["states", "states", "number"], ["state", "worst", "number"]);
    this.table.classList.toggle("states", hasStates);
    const cells = columns.map(([by, title, kind]) => made("th", { scope: "col", role: "columnheader", class: kind }, this.#sorter(by, title)));
    this.table.tHead.setAttribute("role", "rowgroup");
    this.table.tHead.replaceChildren(made("tr", { role: "row" }, ...cells));
  }

  /** A button for each word that was found, with how often. */
  #kinds() {
    /** @type {Map<string, {count: number, pair: any}>} */
    const words = new Map();
    for (const { pair: place } of page.rows) {
      const pair = page.pairs[place];
      const kind = words.get(pair.word) ?? { count: 0, pair };
      kind.count++;
      words.set(pair.word, kind);
    }
    for (const part of [element("kinds"), document.querySelector(".filters"), this.table]) part.hidden = words.size === 0;
    for (const [word, { count, pair }] of words) {
      const button = made("button", { type: "button", "aria-pressed": "false", "data-kind": word },
        made("span", { class: `${tone(pair)} letter`, "data-letter": pair.sign, "aria-hidden": "true" }, pair.sign), " ", made("b", {}, count.toLocaleString("en")), ` ${word}`);
      button.addEventListener("click", () => {
        const isOn = !this.kinds.delete(word);
        if (isOn) this.kinds.add(word);
        button.setAttribute("aria-pressed", String(isOn));
        this.onKinds(this.kinds);
        this.#again();
      });
      element("kinds").append(button);
    }
  }

  #again() {
    this.limit = ROWS_AT_ONCE;
    element("list").scrollTop = 0;
    this.draw();
  }

  /** The pair that a row shows: the worst, or that of the state. @param {number} row @returns {number | undefined} */
  pairOf(row) {
    return element("now").checked ? pairIn(row, this.state) : page.rows[row].pair;
  }

  /** Sets the state whose pairs are listed when only those are wanted. @param {number} state */
  at(state) {
    this.state = state;
    if (element("now").checked) this.draw();
  }

  /** The rows that pass the filters, in order. @returns {number[]} */
  #filtered() {
    const words = element("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    /** @type {number[]} */
    const kept = [];
    page.rows.forEach((/** @type {any} */ _, /** @type {number} */ row) => {
      const place = this.pairOf(row);
      if (place === undefined) return;
      const { bodies: [a, b], word } = page.pairs[place];
      if (this.kinds.size > 0 && !this.kinds.has(word)) return;
      if (words.every((/** @type {string} */ one) => texts[a].includes(one) || texts[b].includes(one))) kept.push(row);
    });
    const { by, down } = this.order;
    // The page's rows are the most severe first; sorting keeps that order among equals.
    if (by !== "severity") kept.sort((one, other) => this.#compare(by, one, other));
    return down ? kept.reverse() : kept;
  }

  /** @param {string} by @param {number} one @param {number} other */
  #compare(by, one, other) {
    const [p, q] = [one, other].map((row) => /** @type {number} */ (this.pairOf(row)));
    const [a, b] = [page.pairs[p].bodies, page.pairs[q].bodies];
    const collate = (/** @type {number} */ k) => names[a[k]].localeCompare(names[b[k]], "en", { numeric: true });
    switch (by) {
      case "a": return collate(0);
      case "b": return collate(1);
      case "distance": {
        const [x, y] = [p, q].map((place) => page.pairs[place].bounds[0]);
        return x < y ? -1 : x > y ? 1 : 0;
      }
      case "states": return page.rows[one].states - page.rows[other].states;
      default: return report.pairs[p].state - report.pairs[q].state;
    }
  }

  draw() {
    for (const cell of this.table.tHead.rows[0].cells) {
      const isThis = cell.firstChild.dataset.by === this.order.by;
      if (isThis) cell.setAttribute("aria-sort", this.order.down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    }
    const rows = this.#filtered();
    for (const body of [...this.table.tBodies]) body.remove();
    this.rows = [];
    if (element("group").value === "body") this.#groups(rows);
    else this.#body(rows.slice(0, this.limit));
    const total = this.grouped ?? rows.length;
    element("more").hidden = this.rows.length >= total;
    element("more").textContent = `${(total - this.rows.length).toLocaleString("en")} more: show the next ${Math.min(ROWS_AT_ONCE, total - this.rows.length)}`;
    element("nothing").hidden = rows.length > 0;
    element("nothing").textContent = page.rows.length === 0 ? "Nothing was found." : "No pair is like that.";
    this.mark();
  }

  /** A group a body, first those of the most overlaps, then those of the most pairs: each pair is in two. @param {number[]} rows */
  #groups(rows) {
    /** @type {Map<number, number[]>} */
    const groups = new Map();
    for (const row of rows) {
      for (const body of page.pairs[/** @type {number} */ (this.pairOf(row))].bodies) {
        if (!groups.has(body)) groups.set(body, []);
        groups.get(body)?.push(row);
      }
    }
    const overlaps = (/** @type {number[]} */ own) => own.filter((row) => page.pairs[/** @type {number} */ (this.pairOf(row))].sign === "✗").length;
    const ordered = this.order.by === "severity"
      ? [...groups].sort(([, one], [, other]) => overlaps(other) - overlaps(one) || other.length - one.length)
      : [...groups];
    this.grouped = 2 * rows.length;
    for (const [body, own] of ordered) {
      if (this.rows.length >= this.limit) break;
      const count = own.length === 1 ? "1 pair" : `${own.length} pairs`;
      const heading = made("tr", { class: "body", role: "row" }, made("th", { scope: "rowgroup", role: "rowheader" }, names[body], " ", made("small", {}, count)));
      this.#body(own, heading);
    }
  }

  /** @param {number[]} rows @param {HTMLElement} [heading] */
  #body(rows, heading) {
    if (!heading) this.grouped = undefined;
    const body = made("tbody", { role: "rowgroup" });
    if (heading) body.append(heading);
    for (const row of rows) {
      body.append(this.#row(row, this.rows.length));
      this.rows.push(row);
    }
    this.table.append(body);
  }

  /** @param {number} row @param {number} at */
  #row(row, at) {
    const place = /** @type {number} */ (this.pairOf(row));
    const { bodies: [a, b], sign, word } = page.pairs[place];
    const pair = report.pairs[place];
    const cell = (/** @type {string} */ kind, /** @type {(Node | string)[]} */ ...inner) => made("td", { class: kind, role: "gridcell" }, ...inner);
    const cells = [
      cell("verdict", made("span", { class: tone(page.pairs[place]) }, `${sign} ${word}`)),
      cell("name a", names[a]), cell("name b", names[b]), cell("number", interval(bounds(place))),
    ];
    if (hasStates) cells.push(cell("number", `${page.rows[row].states}×`), cell("number", opensOnPath ? seconds(page.view.states[page.states.indexOf(pair.state)].time) : `#${pair.state}`));
    return made("tr", { role: "row", "data-row": String(row), "data-at": String(at), tabindex: "-1" }, ...cells);
  }

  /** @param {any} event */
  #pointed(event) {
    const row = event.target.closest("tr[data-row]");
    if (!row) return;
    this.choose(Number(row.dataset.row), Number(row.dataset.at));
    row.focus({ preventScroll: true });
  }

  /** Chooses a row; `at` says which, where a pair is listed twice. @param {number} row @param {number} [at] @param {boolean} [byUser] */
  choose(row, at = this.rows.indexOf(row), byUser = true) {
    this.chosen = row;
    this.at_ = at;
    this.mark();
    this.onChoose(row, byUser);
  }

  /** Goes up or down the list. @param {number} by */
  step(by) {
    if (this.rows.length === 0) return;
    const now = this.rows[this.at_ ?? -1] === this.chosen ? (this.at_ ?? -1) : this.rows.indexOf(this.chosen);
    const next = Math.min(Math.max(now + by, 0), this.rows.length - 1);
    this.choose(this.rows[next], next);
    const row = this.table.querySelector(`tr[data-at="${next}"]`);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  }

  /** Shows which row is chosen; the tab key leads to it, or to the first. */
  mark() {
    let reached = false;
    for (const row of this.table.querySelectorAll("tr[data-row]")) {
      const isIt = Number(row.dataset.row) === this.chosen;
      row.setAttribute("aria-selected", String(isIt));
      row.tabIndex = isIt && !reached ? 0 : -1;
      reached ||= isIt;
    }
    if (!reached) this.table.querySelector("tr[data-row]")?.setAttribute("tabindex", "0");
  }
}
