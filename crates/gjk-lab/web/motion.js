// Bodies in motion: the slider of time, the pieces of the proof beneath it, and what is said of the time that it is at. Where everything is
// at a time comes from the library: each place of the slider is a question.

import { ask } from "./client.js";
import { node } from "./legend.js";
import { element } from "./plane.js";

/** @typedef {import("./types.js").Query} Query */
/** @typedef {import("./types.js").MotionTold} MotionTold */

/** What a verdict looks like, beside its word. @type {Record<string, string>} */
const MARKS = { free: "○→", hits: "○→●", starts_touching: "○|○", starts_overlapping: "(●)", exits: "●→○", undecided: "?" };
/** Its colour. @type {Record<string, string>} */
const COLOURS = { free: "separated", hits: "overlapping", starts_touching: "touching", starts_overlapping: "overlapping", exits: "touching", undecided: "undecided" };
/** What the plane of a piece does. */
const CARRIERS = { world: "is fixed in the world", a: "turns with A", b: "turns with B", edges: "is across an edge of each" };
/** How far the middle of the slider's thumb is from an end of it, in pixels. */
const THUMB = 8;
/** How long the whole motion plays, in milliseconds. */
const PLAYED = 5000;

/** Whether a query is of bodies in motion, or of a path of an arm. @param {object | null} query @returns {query is Query} */
export const isMotion = (query) => query !== null && "query" in query && ["ray", "cast", "toi", "arm"].includes(String(query.query));

/** Whether a query is of a path of an arm, which is proved in spans. @param {object | null} query */
export const isArm = (query) => isMotion(query) && query.query === "arm";

export class Motion {
  /** The time that is wanted; the library chooses where there is none. @type {number | undefined} */ #time;
  /** What is shown. @type {MotionTold | undefined} */ #told;
  /** The motion plays. */ #plays = false;

  /** @param {{again: () => Promise<void>, edit: (edit: import("./types.js").Edit) => void}} page */
  constructor(page) {
    this.page = page;
    const by = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
    this.view = { time: by("time"), told: by("time-told"), pieces: by("pieces"), words: by("pieces-told"), verdict: by("verdict"),
      play: by("motion-play"), steps: by("motion-steps"), count: by("motion-steps-count"), contact: by("motion-contact") };
    this.view.time.oninput = () => this.go(Number(this.view.time.value));
    this.view.play.onclick = () => this.play();
    by("motion-start").onclick = () => this.go(0);
    by("motion-end").onclick = () => this.go(Infinity);
    this.view.contact.onclick = () => this.go(this.#contact ?? 0);
    by("arm-split").onclick = () => page.edit({ edit: "split", at: this.#told?.time ?? 0 });
    by("arm-prove").onclick = () => page.edit({ edit: "prove" });
    by("arm-whole").onclick = () => page.edit({ edit: "whole" });
    const { pieces } = this.view;
    const point = (/** @type {PointerEvent} */ event) => {
      const box = pieces.getBoundingClientRect();
      if (event.buttons) this.go(((event.clientX - box.left - THUMB) / (box.width - 2 * THUMB)) * (this.#told?.end ?? 1));
    };
    pieces.onpointerdown = pieces.onpointermove = point;
    new ResizeObserver(() => this.#told && this.#bar(this.#told)).observe(pieces);
  }

  /** Another query begins. @param {number} [time] */
  begin(time) {
    this.#time = time;
    this.#told = undefined;
    this.#plays = false;
  }

  /** @param {Query} query @param {import("./types.js").Edit[]} edits */
  ask(query, edits) {
    return ask({ ask: isArm(query) ? "arm" : "motion", query, edits, ...(this.#time === undefined ? {} : { time: this.#time }) });
  }

  /** Whether another span of a path begins with this answer: its picture has another scale. @param {import("./types.js").AnyTold} told */
  isOtherSpan(told) {
    if (!("spans" in told) || !told.spans) return false;
    const [now, before] = [told, this.#told].map((one) => JSON.stringify(one?.spans?.[one.span ?? 0]));
    return now !== before;
  }

  /** When contact begins or ends. */
  get #contact() {
    const time = this.#told?.answer.time;
    return time?.lower || (time?.upper ?? undefined);
  }

  /** Shows another time. @param {number} time */
  go(time) {
    const end = this.#told?.end ?? 0;
    this.#time = Math.max(0, Math.min(time, end));
    return this.page.again();
  }

  /** @param {number} way */
  step(way) {
    return this.go((this.#told?.time ?? 0) + (way * (this.#told?.end ?? 0)) / 100);
  }

  /** Plays the motion, or stands still. */
  async play() {
    this.#plays = !this.#plays;
    this.#name();
    if (!this.#plays) return;
    const told = this.#told;
    let from = told && told.time < told.end ? told.time : 0;
    let before = performance.now();
    while (this.#plays && this.#told) {
      const now = await new Promise(requestAnimationFrame);
      const { end } = this.#told;
      from = Math.min(from + ((now - before) / PLAYED) * end, end);
      before = now;
      await this.go(from);
      if (from >= end) this.#plays = false;
    }
    this.#name();
  }

  #name() {
    this.view.play.textContent = this.#plays ? "⏸ Pause" : "▶ Play";
  }

  /** Whether a time after the start is shown. @param {import("./types.js").AnyTold | null} told */
  isLater(told) {
    return told !== null && "pieces" in told && told.time > 0;
  }

  /** Where a gizmo is to be. @param {import("./types.js").AnyTold | null} told @param {import("./types.js").Held} held */
  grip(told, held) {
    if (!told || !("grips" in told)) return undefined;
    const grip = told.grips[held.startsWith("b") ? 1 : 0];
    return held.endsWith("_end") ? grip.end : grip.now;
  }

  /** An edit of what is held: where a motion ends has edits of its own. @param {import("./types.js").HeldEdit} edit @returns {import("./types.js").Edit} */
  edit(edit) {
    if (!edit.body.endsWith("_end")) return /** @type {import("./types.js").Edit} */ (edit);
    const body = /** @type {import("./types.js").Body} */ (edit.body[0]);
    const at = this.#told?.end ?? 1;
    if (edit.edit === "turn") return { edit: "turn_end", body, angle: edit.angle ?? 0, ...(edit.axis ? { axis: edit.axis } : {}), at };
    return { edit: "move_end", body, by: edit.by ?? [], at };
  }

  /** @param {MotionTold} told */
  show(told) {
    this.#told = told;
    this.#time = told.time;
    const { view } = this;
    const { answer, time, end } = told;
    view.verdict.className = COLOURS[answer.verdict];
    view.verdict.dataset.query = told.query.id;
    const interval = answer.time ? ` Time in [${answer.time.lower}, ${answer.time.upper ?? "?"}].` : "";
    view.verdict.replaceChildren(node("span", { class: "mark", "aria-hidden": "true" }, MARKS[answer.verdict]), node("div", {},
      node("strong", {}, answer.verdict.replace("_", " ")), node("span", { class: "small" }, told.sentence + interval)));
    view.time.max = String(end);
    view.time.value = String(time);
    view.told.textContent = `t = ${Number(time.toPrecision(6))} of ${Number(end.toPrecision(6))}`;
    view.contact.disabled = this.#contact === undefined;
    const count = told.steps.filter((line) => !line.startsWith("     ")).length;
    view.count.textContent = told.spans ? `${count === 1 ? "1 span" : `${count} spans`}, and what is proved of each` : `${count} steps of the search, as gjk trace tells them`;
    if (told.spans) tellSpans(view, told);
    view.steps.textContent = told.steps.join("\n");
    this.#bar(told);
  }

  /** The pieces, the interval of the contact, and the time that is shown. @param {MotionTold} told */
  #bar({ answer, pieces, piece, spans, span, time, end }) {
    const svg = this.view.pieces;
    const { width, height } = svg.getBoundingClientRect();
    if (width === 0) return;
    // As the thumb of the slider moves.
    const x = (/** @type {number} */ t) => THUMB + (end > 0 ? Math.min(t, end) / end : 0) * (width - 2 * THUMB);
    const bar = (/** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ kind, /** @type {string} */ words) => {
      const made = element("rect", { x: x(from), y: 4, width: Math.max(x(to) - x(from), 2), height: height - 8, class: kind });
      const title = element("title");
      title.textContent = words;
      made.append(title);
      return made;
    };
    const made = [element("rect", { x: THUMB, y: 4, width: width - 2 * THUMB, height: height - 8, class: "piece_unknown" })];
    pieces.forEach((one, k) => {
      const to = one.to ?? end;
      made.push(bar(one.from, to, `piece_${one.in}${k === piece ? " piece_now" : ""}`,
        `Piece ${k + 1}: apart from ${one.from} to ${to}. Its plane ${CARRIERS[one.in]}.`));
    });
    spans?.forEach((one, k) => {
      const what = one.closed ? `at least ${one.bound.toPrecision(3)} apart, proved` : "not proved";
      made.push(bar(one.from, one.to, `${one.closed ? "span_closed" : "span_open"}${k === span ? " piece_now" : ""}`, `Span ${k + 1}, from ${one.from} to ${one.to}: ${what}`));
    });
    const known = answer.time;
    if (known && answer.verdict === "exits") made.push(bar(0, known.lower ?? 0, "piece_contact", "In contact"));
    else if (known && known.upper !== null) made.push(bar(known.lower ?? 0, known.upper, "piece_contact", `The interval of the contact: ${known.lower} to ${known.upper}`));
    made.push(element("line", { x1: x(time), x2: x(time), y1: 0, y2: height, class: "time_now" }));
    svg.replaceChildren(...made);
    if (spans) return;
    const now = piece === undefined ? undefined : pieces[piece];
    /** @type {["world" | "a" | "b" | "edges", string][]} */
    const kinds = [["world", "fixed in the world"], ["a", "that turns with A"], ["b", "that turns with B"], ["edges", "across an edge of each"]];
    const counts = kinds.map(([kind, words]) => ({ kind, words, count: pieces.filter((one) => one.in === kind).length })).filter(({ count }) => count > 0);
    const marks = counts.flatMap(({ kind, words, count }, k) => [k > 0 ? ", " : " ", node("span", { class: `swatch of_${kind}`, "aria-hidden": "true" }),
      pieces.length === 1 ? ` with a plane ${words}` : ` ${count} with a plane ${words}`]);
    const head = pieces.length === 0 ? "No time is proved free of contact." : pieces.length === 1 ? "One piece proves that they are apart:" : `${pieces.length} pieces prove that they are apart:`;
    const here = now && pieces.length > 1 ? ` Here it is piece ${(piece ?? 0) + 1}: its plane ${CARRIERS[now.in]}.` : "";
    this.view.words.replaceChildren(head, ...marks, pieces.length > 0 ? "." : "", here);
  }
}

/** What is proved of the spans of a path. @param {{words: HTMLElement, verdict: HTMLElement}} view @param {MotionTold} told */
function tellSpans({ words }, { spans = [], span = 0 }) {
  const closed = spans.filter((one) => one.closed).length;
  const here = spans[span];
  words.replaceChildren(node("span", { class: "swatch of_closed", "aria-hidden": "true" }), ` ${closed} proved, `, node("span", { class: "swatch of_open", "aria-hidden": "true" }),
    ` ${spans.length - closed} open. The span here is ${here.closed ? `proved: at least ${here.bound.toPrecision(3)} m apart` : "open: its bound holds the origin"}.`);
}
