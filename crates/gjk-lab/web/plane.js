// Pictures of the plane: items as SVG, with a view that pans and zooms. No geometry of the algorithm is computed here.

const SVG = "http://www.w3.org/2000/svg";
const ARROW = 56;

/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Body} Body */

/** An SVG element. @param {string} name @param {Record<string, string | number>} attributes */
export function element(name, attributes = {}) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

export class PlaneView {
  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    this.svg = svg;
    this.centre = [0, 0];
    this.scale = 1; // pixels a unit
    /** @type {Item[]} */
    this.items = [];
    /** @type {import("./types.js").Handle[]} */
    this.handles = [];
    /** @type {(event: import("./types.js").PlaneDrag) => void} */
    this.onDrag = () => {};
    /** @type {(edit: import("./types.js").Edit) => void} */
    this.onBody = () => {};
    this.#listen();
    new ResizeObserver(() => this.draw(this.items, this.handles)).observe(svg);
  }

  get size() {
    const box = this.svg.getBoundingClientRect();
    return [Math.max(box.width, 1), Math.max(box.height, 1)];
  }

  /** @param {number[]} p */
  place([x, y]) {
    const [w, h] = this.size;
    return [w / 2 + (x - this.centre[0]) * this.scale, h / 2 - (y - this.centre[1]) * this.scale];
  }

  /** @param {number} px @param {number} py */
  unplace(px, py) {
    const [w, h] = this.size;
    return [this.centre[0] + (px - w / 2) / this.scale, this.centre[1] - (py - h / 2) / this.scale];
  }

  /** Shows all of these points. @param {number[][]} points */
  fit(points) {
    const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
    for (const p of points) for (const k of [0, 1]) {
      low[k] = Math.min(low[k], p[k]);
      high[k] = Math.max(high[k], p[k]);
    }
    if (!(low[0] <= high[0])) return;
    const [w, h] = this.size;
    this.centre = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    const spread = [Math.max(high[0] - low[0], 1e-300), Math.max(high[1] - low[1], 1e-300)];
    this.scale = Math.min((w * 0.72) / spread[0], (h * 0.72) / spread[1]);
    if (!Number.isFinite(this.scale)) this.scale = 1;
  }

  /** @param {Item[]} items @param {import("./types.js").Handle[]} handles */
  draw(items, handles) {
    this.items = items;
    this.handles = handles;
    const focused = document.activeElement?.getAttribute?.("data-body");
    const labels = [];
    this.svg.replaceChildren(this.#grid());
    for (const item of items) {
      for (const made of this.#figure(item)) {
        made.classList.add(item.layer);
        if (/^end_[ab]$/.test(item.layer)) made.setAttribute("data-end", item.layer.slice(4));
        if (item.layer === "body_a" || item.layer === "body_b") {
          made.setAttribute("data-body", item.layer.slice(5));
          made.setAttribute("tabindex", "0");
          made.setAttribute("aria-label", `Body ${item.label}: arrow keys move it, brackets turn it`);
        }
        this.svg.append(made);
      }
      if (item.label) labels.push(this.#label(item));
    }
    this.svg.append(...labels.filter((label) => label !== null));
    for (const handle of handles) {
      const [cx, cy] = this.place(handle.at);
      const made = element("circle", { cx, cy, r: 5, class: `handle of_${handle.body}` });
      made.setAttribute("data-handle", `${handle.body} ${handle.index}`);
      const title = element("title");
      title.textContent = `${handle.body.toUpperCase()}${handle.index}: drag it; alt-click removes it`;
      made.append(title);
      this.svg.append(made);
    }
    if (focused) /** @type {any} */ (this.svg.querySelector(`[data-body="${focused}"]`))?.focus();
  }

  #grid() {
    const group = element("g");
    const [w, h] = this.size;
    const unit = 10 ** Math.floor(Math.log10(90 / this.scale));
    const step = [1, 2, 5, 10].map((m) => m * unit).find((s) => s * this.scale >= 36) ?? unit;
    if (!(step > 0 && Number.isFinite(step))) return group;
    const [low, high] = [this.unplace(0, h), this.unplace(w, 0)];
    for (const k of [0, 1]) {
      const first = Math.ceil(low[k] / step);
      const count = Math.min(Math.floor(high[k] / step) - first, 200);
      for (let i = 0; i <= count; i++) {
        const x = (first + i) * step;
        const [px, py] = this.place(k === 0 ? [x, this.centre[1]] : [this.centre[0], x]);
        const line = k === 0 ? { x1: px, x2: px, y1: 0, y2: h } : { x1: 0, x2: w, y1: py, y2: py };
        group.append(element("line", { ...line, class: first + i === 0 ? "axis" : "grid" }));
        const text = element("text", { class: "tick", x: k === 0 ? px + 3 : 3, y: k === 0 ? h - 4 : py - 3 });
        text.textContent = String(Number(x.toPrecision(6)));
        group.append(text);
      }
    }
    return group;
  }

  /** @param {Item} item @returns {SVGElement[]} */
  #figure(item) {
    /** @param {number[][]} points */
    const text = (points) => points.map((p) => this.place(p).map((x) => x.toFixed(2)).join(",")).join(" ");
    switch (item.figure) {
      case "polygon":
        return [element("polygon", { points: text(item.points), "stroke-linejoin": "round" })];
      case "line":
        return [element("polyline", { points: text(item.points), fill: "none" })];
      case "dots":
        return item.points.map((p) => {
          const [x, y] = this.place(p);
          if (item.layer === "origin") {
            return element("path", { d: `M${x - 8} ${y}h16M${x} ${y - 8}v16M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0` });
          }
          const made = element("circle", { cx: x, cy: y, r: item.layer === "support" ? 6 : 4 });
          made.classList.add("dots");
          return made;
        });
      case "arrow": {
        if (item.direction.every((x) => x === 0)) return [];
        const [x, y] = this.place(item.from);
        const [dx, dy] = [item.direction[0], -item.direction[1]];
        const [tx, ty] = [x + dx * ARROW, y + dy * ARROW];
        const head = `M${tx} ${ty}L${tx - 9 * dx + 4 * dy} ${ty - 9 * dy - 4 * dx}L${tx - 9 * dx - 4 * dy} ${ty - 9 * dy + 4 * dx}Z`;
        const shaft = element("line", { x1: x, y1: y, x2: tx - 8 * dx, y2: ty - 8 * dy });
        return [shaft, element("path", { d: head, "stroke-dasharray": "none" })];
      }
      case "plane": {
        const [x, y] = this.place(item.through);
        const [nx, ny] = [item.normal[0], -item.normal[1]];
        const far = this.size[0] + this.size[1];
        return [element("line", { x1: x - ny * far, y1: y + nx * far, x2: x + ny * far, y2: y - nx * far })];
      }
      default:
        return [];
    }
  }

  /** @param {Item} item */
  #label(item) {
    const words = item.label ?? "";
    let anchor = item.points?.[0] ?? item.from;
    if (item.figure === "polygon" || item.figure === "line") {
      anchor = [0, 1].map((k) => item.points.reduce((sum, p) => sum + p[k], 0) / item.points.length);
    }
    if (!anchor) return null;
    let [x, y] = this.place(anchor);
    if (item.figure === "arrow") [x, y] = [x + item.direction[0] * ARROW * 1.15, y - item.direction[1] * ARROW * 1.15];
    if (item.layer === "difference" && item.points) [x, y] = this.place(item.points.reduce((top, p) => (p[1] > top[1] ? p : top)));
    const [w, h] = this.size;
    // Beside what it names, and in the picture.
    const width = 7.5 * words.length + 14;
    [x, y] = [Math.min(Math.max(x, 0), w - width), Math.min(Math.max(y, 22), h - 4)];
    const made = element("text", { x: x + 9, y: y - 8, class: `label ${item.layer.startsWith("region") ? item.layer : ""}` });
    made.textContent = words;
    return made;
  }

  #listen() {
    const svg = this.svg;
    /** @param {MouseEvent} event */
    const at = (event) => {
      const box = svg.getBoundingClientRect();
      return this.unplace(event.clientX - box.left, event.clientY - box.top);
    };
    /** The body that an element stands for. @param {EventTarget | null} target */
    const bodyOf = (target) => /** @type {Body | null} */ (/** @type {Element} */ (target).getAttribute("data-body"));
    /** @type {null | {kind: "pan" | "body" | "turn" | "vertex" | "end_body" | "end_turn", body?: Body, index?: number, from: number[], pointer: number}} */
    let drag = null;
    svg.addEventListener("pointerdown", (event) => {
      const handle = /** @type {Element} */ (event.target).getAttribute("data-handle")?.split(" ");
      const body = handle ? /** @type {Body} */ (handle[0]) : bodyOf(event.target);
      if (handle && body && event.altKey) {
        this.onDrag({ kind: "remove", body, index: Number(handle[1]), at: at(event) });
        return;
      }
      const end = /** @type {Body | null} */ (/** @type {Element} */ (event.target).getAttribute("data-end"));
      const kind = handle ? "vertex" : body ? (event.shiftKey ? "turn" : "body") : end ? (event.shiftKey ? "end_turn" : "end_body") : "pan";
      drag = { kind, body: body ?? end ?? undefined, index: Number(handle?.[1]), from: at(event), pointer: event.pointerId };
      svg.setPointerCapture(event.pointerId);
      if (kind !== "pan") this.onDrag({ kind: "begin", at: drag.from });
    });
    svg.addEventListener("pointermove", (event) => {
      if (!drag || drag.pointer !== event.pointerId) return;
      const now = at(event);
      const { kind, body, index, from } = drag;
      if (kind === "pan") {
        this.centre = [0, 1].map((k) => this.centre[k] - (now[k] - from[k]));
        this.draw(this.items, this.handles);
        return;
      }
      const by = [0, 1].map((k) => now[k] - from[k]);
      this.onDrag(/** @type {import("./types.js").PlaneDrag} */ ({ kind, body, index, at: now, by }));
    });
    const end = () => {
      if (drag && drag.kind !== "pan") this.onDrag({ kind: "end", at: drag.from });
      drag = null;
    };
    svg.addEventListener("pointerup", end);
    svg.addEventListener("pointercancel", end);
    svg.addEventListener("dblclick", (event) => {
      const body = bodyOf(event.target);
      if (body) this.onDrag({ kind: "add", body, at: at(event) });
    });
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const fixed = at(event);
      const factor = Math.exp(-event.deltaY * 0.0015);
      this.scale *= factor;
      this.centre = [0, 1].map((k) => fixed[k] + (this.centre[k] - fixed[k]) / factor);
      this.draw(this.items, this.handles);
    }, { passive: false });
    svg.addEventListener("keydown", (event) => {
      const body = bodyOf(event.target);
      if (!body) return;
      const step = (event.shiftKey ? 40 : 8) / this.scale;
      /** @type {Record<string, number[]>} */
      const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
      /** @type {Record<string, number>} */
      const turns = { "[": 0.05, "]": -0.05 };
      if (moves[event.key]) this.onBody({ edit: "move", body, by: moves[event.key] });
      else if (turns[event.key]) this.onBody({ edit: "turn", body, angle: turns[event.key] });
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }
}
