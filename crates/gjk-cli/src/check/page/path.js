// The clearance over the time of a path, which `gjk path --html` has above its slider: what is proved of each slice of time.

const opensOnPath = page.view?.opens === "path";
/** Room under and over the curve, for marks. */
const [CURVE_TOP, CURVE_FOOT] = [16, 9];
const SVG = "http://www.w3.org/2000/svg";

/** A time of a path, as long as it is. @param {number} time */
const seconds = (time) => `${time.toFixed(page.view.end >= 100 ? 2 : page.view.end >= 1 ? 3 : 6)}\u00a0s`;

/** A trajectory and what is of it. @param {string | undefined} place @param {string} what */
const within = (place, what) => (place ? `${place}, ${what}` : what);

/** A state of the page in words: where on the path it is, or its number. @param {number} at the place in the page's list of states */
function stateName(at) {
  if (!opensOnPath) return `#${page.states[at]} of ${page.states_checked}`;
  const { time, place } = page.view.states[at];
  return within(place, seconds(time));
}

/** Where a state is between the first and the last, from 0 to 1. @param {number} at */
function stateShare(at) {
  return opensOnPath ? page.view.states[at].at / (page.view.end || 1) : at / (page.states.length - 1 || 1);
}

class Curve {
  /** @param {(state: number) => void} onGo @param {(bodies: number[], state: number) => void} onEvent */
  constructor(onGo, onEvent) {
    this.onGo = onGo;
    this.onEvent = onEvent;
    this.host = element("curve");
    this.host.hidden = page.view.slices.length === 0 || page.view.end <= 0;
    element("events").hidden = page.view.events.length === 0;
    this.at = 0;
    this.#events();
    if (this.host.hidden) return;
    const highest = Math.max(...page.view.slices.map((/** @type {any} */ slice) => slice.upper ?? 0), page.view.clearance);
    this.highest = highest;
    this.top = highest > 0 ? highest * 1.06 : 1;
    new ResizeObserver(() => this.draw()).observe(this.host);
    const go = (/** @type {any} */ event) => {
      const box = this.host.getBoundingClientRect();
      this.onGo(this.nearest(((event.clientX - box.left) / box.width) * page.view.end));
    };
    this.host.addEventListener("pointerdown", (/** @type {any} */ event) => {
      this.host.setPointerCapture(event.pointerId);
      go(event);
    });
    this.host.addEventListener("pointermove", (/** @type {any} */ event) => event.buttons === 1 && go(event));
    this.draw();
  }

  /** The state that is nearest to a time of the page. @param {number} time */
  nearest(time) {
    let best = 0;
    page.view.states.forEach((/** @type {any} */ { at }, /** @type {number} */ k) => {
      if (Math.abs(at - time) < Math.abs(page.view.states[best].at - time)) best = k;
    });
    return best;
  }

  /** The slice that a state is in: of two that meet there the nearer one. @param {number} state */
  slice(state) {
    const { at, path } = page.view.states[state];
    const around = page.view.slices.filter((/** @type {any} */ slice) => slice.path === path && slice.from <= at && at <= slice.to);
    return around.sort((/** @type {any} */ a, /** @type {any} */ b) => (a.upper ?? Infinity) - (b.upper ?? Infinity))[0];
  }

  /** What is proved of the slice around a state. @param {number} state */
  said(state) {
    const slice = this.slice(state);
    if (!slice) return "";
    const when = `from ${seconds(slice.time[0])} to ${seconds(slice.time[1])}`;
    if (!slice.bodies) return `No pair is checked ${when}.`;
    const who = `${names[slice.bodies[0]]} and ${names[slice.bodies[1]]}`;
    if (slice.upper <= 0) return `${when}: ${who} meet.`;
    if (!slice.proved) return `${when}: nothing is proved; ${who} come as near as ${short(slice.upper)}${LENGTH}.`;
    return `${when}: all pairs at least ${short(slice.lower)}${LENGTH} apart, proved; ${who} come as near as ${short(slice.upper)}${LENGTH}.`;
  }

  /** What happens, as buttons that go there. */
  #events() {
    const buttons = page.view.events.map((/** @type {any} */ event) => {
      const { verdict, from, bodies, state, deepest, segment, place, time: [begin, end] } = event;
      const who = `${names[bodies[0]]} and ${names[bodies[1]]}`;
      const isFirst = state !== undefined;
      const says = verdict === "hit" ? "collide from" : verdict === "close" ? `closer than ${short(page.view.clearance)}${LENGTH} from` : verdict === "touch" ? "touch from" : "not decided from";
      const sign = isFirst ? "✗" : "?";
      const go = (/** @type {number} */ where) => () => this.onEvent(bodies, where);
      const button = made("button", { type: "button", "data-verdict": verdict }, made("span", { class: isFirst ? "bad" : "warn", "aria-hidden": "true" }, `${sign} `),
        page.view.points.length > 2 ? `${within(place, `segment ${segment}`)}: ` : "", `${who} ${says} ${seconds(isFirst ? end : begin)}${isFirst ? "" : ` to ${seconds(end)}`}`);
      button.addEventListener("click", go(state ?? this.nearest(from)));
      if (deepest === undefined || deepest === state) return [button];
      const deep = made("button", { type: "button" }, "deepest");
      deep.addEventListener("click", go(deepest));
      return [button, deep];
    });
    element("events").replaceChildren(...buttons.slice(0, 20).flat());
    if (buttons.length > 20) element("events").append(`and ${buttons.length - 20} more in the report`);
  }

  /** @param {string} tag @param {Record<string, string | number>} with_ */
  #drawn(tag, with_) {
    const node = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(with_)) node.setAttribute(key, String(value));
    return node;
  }

  /** The slices, what happens, and where the slider is. */
  draw() {
    if (this.host.hidden) return;
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0) return;
    const x = (/** @type {number} */ time) => (time / page.view.end) * width;
    const ground = height - CURVE_FOOT;
    const y = (/** @type {number} */ length) => ground - (Math.min(length, this.top ?? 1) / (this.top ?? 1)) * (ground - CURVE_TOP);
    const svg = this.#drawn("svg", { width, height, role: "img", "aria-label": this.#summary() });
    const box = (/** @type {string} */ kind, /** @type {number[]} */ [from, to], /** @type {number[]} */ [low, high]) =>
      this.#drawn("rect", { class: kind, x: x(from), width: Math.max(x(to) - x(from), 0.5), y: high, height: Math.max(low - high, 0) });
    for (const { from, to, lower, upper, proved, bodies } of page.view.slices) {
      if (!bodies) continue;
      if (upper <= 0) svg.append(box("met", [from, to], [ground, CURVE_TOP]));
      else svg.append(box("free", [from, to], [ground, y(lower)]), box(proved ? "band" : "unproved", [from, to], [y(lower), Math.min(y(upper), y(lower) - 1.5)]));
    }
    for (const at of page.view.points) svg.append(this.#drawn("line", { class: "point", x1: x(at), x2: x(at), y1: ground, y2: ground + 4 }));
    svg.append(this.#drawn("line", { class: "ground", x1: 0, x2: width, y1: ground, y2: ground }));
    const { clearance } = page.view;
    if (clearance > 0) svg.append(this.#drawn("line", { class: "clearance", x1: 0, x2: width, y1: y(clearance), y2: y(clearance) }));
    for (const { state, from, to } of page.view.events) {
      if (state === undefined) svg.append(box("open", [from, to], [ground, CURVE_TOP]));
      else svg.append(this.#drawn("line", { class: "hit", x1: x(to), x2: x(to), y1: CURVE_TOP, y2: ground }), this.#cross(x(to)));
    }
    this.cursor = this.#drawn("line", { class: "cursor", y1: 2, y2: height });
    svg.append(this.cursor);
    const top = made("span", { class: "top", "aria-hidden": "true" }, `clearance up to ${short(this.highest ?? 0, 3)}${LENGTH}`);
    this.host.replaceChildren(svg, ...(this.highest ? [top] : []));
    this.show(this.at);
  }

  /** A cross over the first meeting. @param {number} x */
  #cross(x) {
    const [low, high] = [CURVE_TOP - 3, CURVE_TOP - 12];
    return this.#drawn("path", { class: "cross", d: `M${x - 4.5},${low} L${x + 4.5},${high} M${x - 4.5},${high} L${x + 4.5},${low}` });
  }

  #summary() {
    const uppers = page.view.slices.filter((/** @type {any} */ slice) => slice.bodies);
    const least = uppers.reduce((/** @type {any} */ best, /** @type {any} */ slice) => (best && best.upper <= slice.upper ? best : slice), undefined);
    return least ? `Least clearance over time: ${short(least.upper)}${LENGTH} between ${seconds(least.from)} and ${seconds(least.to)}` : "Clearance over time";
  }

  /** Where the slider is. @param {number} state */
  show(state) {
    this.at = state;
    const said = this.host.hidden ? "" : this.said(state);
    element("clearance").textContent = said.charAt(0).toUpperCase() + said.slice(1);
    const x = String(stateShare(state) * this.host.clientWidth);
    this.cursor?.setAttribute("x1", x);
    this.cursor?.setAttribute("x2", x);
  }
}
