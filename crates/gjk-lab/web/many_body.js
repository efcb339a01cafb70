// Many bodies: "bounce", where they move by themselves, and robots, whose joints have sliders. Where everything is, what meets and
// how long that took to find out comes from the library; this file keeps the time and draws.

import { ask } from "./client.js";
import { legend } from "./legend.js";
import { element } from "./plane.js";

const FRAMES_SHOWN = 120;

/**
 * @typedef {import("./types.js").Model} Model
 * @typedef {import("./types.js").Place} Place
 * @typedef {import("./types.js").Crowded} Crowded
 */

/** A point of a model where the model is. @param {Place} place @param {number[]} point */
export function placed({ columns, translation }, point) {
  return translation.map((t, row) => columns.reduce((sum, column, k) => sum + column[row] * point[k], t));
}

export class ManyBody {
  /**
   * @param {{plane: import("./plane.js").PlaneView, space: () => import("./space.js").SpaceView | undefined,
   *   prepare: (dim: number) => Promise<void>, show: (dim: number) => void, open: (query: import("./types.js").Query, about: string) => void,
   *   complain: (message: string) => void, remember: (state: object) => void}} page
   */
  constructor(page) {
    this.page = page;
    /** Whether the user holds it; also while it is loaded. */ this.paused = false;
    /** What is shown. @type {import("./types.js").CrowdEntry | undefined} */ this.entry = undefined;
    /** @type {Model[]} */ this.models = [];
    /** @type {import("./types.js").Slider[]} */ this.sliders = [];
    /** @type {number[]} */ this.joints = [];
    /** @type {object | undefined} */ this.state = undefined;
    this.dim = 2;
    this.asking = false;
    /** @type {number[]} */ this.times = [];
    /** @type {number[]} */ this.moments = [];
    const by = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
    this.view = { told: by("crowd-told"), chart: by("crowd-chart"), sliders: by("crowd-sliders"), pairs: by("crowd-pairs"), legend: by("crowd-legend") };
  }

  /** Shows many bodies. @param {import("./types.js").CrowdEntry} entry what the library listed @param {number[]} [joints] */
  async start(entry, joints) {
    this.stop();
    this.entry = entry;
    this.paused = false;
    this.view.told.textContent = "";
    const shown = await ask(entry.request);
    if (shown.error) {
      this.page.complain(shown.error.message);
      return;
    }
    const models = shown.models ?? [];
    const dim = models[0]?.points[0]?.length ?? 3;
    await this.page.prepare(dim);
    // Something else may have been chosen by now.
    if (this.entry !== entry) return;
    this.models = models;
    this.sliders = shown.sliders ?? [];
    this.dim = dim;
    this.times = [];
    this.moments = [];
    this.page.show(this.dim);
    this.#makeSliders(shown);
    if (this.dim === 3) this.page.space()?.models(this.models);
    this.#draw(shown, true);
    this.state = shown.state;
    if (joints && this.sliders.length > 0) await this.#move(joints);
    else this.page.remember({ crowd: entry.id, joints: shown.joints });
    if (this.running) this.#loop(performance.now());
  }

  stop() {
    this.entry = undefined;
    this.state = undefined;
  }

  /** Whether frames go by. */
  get running() {
    return this.entry !== undefined && this.state !== undefined && !this.paused;
  }

  /** Stands still, or goes on. */
  toggle() {
    if (!this.entry) return;
    this.paused = !this.paused;
    if (this.running) this.#loop(performance.now());
  }

  /** @param {number} before */
  async #loop(before) {
    const entry = this.entry;
    while (this.running && entry && this.entry === entry && entry.request.ask !== "robot") {
      const now = await new Promise(requestAnimationFrame);
      const shown = await ask({ ...entry.request, state: this.state, seconds: (now - before) / 1000 });
      if (!this.running || this.entry !== entry) return;
      if (shown.error) {
        this.page.complain(shown.error.message);
        return;
      }
      before = now;
      this.state = shown.state;
      this.#draw(shown, false);
    }
  }

  /** @param {Crowded} shown @param {boolean} fit */
  #draw(shown, fit) {
    this.moments.push(performance.now());
    this.times.push(shown.asked.seconds);
    if (this.moments.length > FRAMES_SHOWN) {
      this.moments.shift();
      this.times.shift();
    }
    const points = this.models.flatMap((model, k) => model.points.map((point) => placed(shown.places[k], point)));
    const layers = this.models.map(({ layer }, k) => (shown.places[k].hit ? `${layer}_hit` : layer));
    legend(this.view.legend, new Set([...layers, ...shown.items.map((item) => item.layer)]));
    if (this.dim === 3) {
      if (fit) this.page.space()?.fit(points);
      this.page.space()?.place(shown.places);
      this.page.space()?.draw(shown.items);
    } else {
      if (fit) this.page.plane.fit(points);
      const models = this.models.map((model, k) => ({
        ...model, layer: layers[k], space: /** @type {const} */ ("world"),
        points: model.points.map((point) => placed(shown.places[k], point)),
      }));
      this.page.plane.draw([...models, ...shown.items], []);
    }
    this.#tell(shown);
  }

  /** @param {Crowded} shown */
  #tell({ asked, pairs }) {
    const points = asked.points === undefined ? "" : ` They bear on ${asked.points} points, of which ${asked.known} start from the impulse of the step before.`;
    const span = (this.moments.at(-1) ?? 0) - this.moments[0];
    const rate = this.running && span > 0 ? `${Math.round(((this.moments.length - 1) * 1000) / span)} frames a second. ` : "";
    const each = asked.pairs > 0 ? ` (${((asked.seconds * 1e6) / asked.pairs).toFixed(1)} µs each)` : "";
    this.view.told.textContent =
      `${rate}${asked.pairs} ${asked.pairs === 1 ? "pair" : "pairs"} asked in ${(asked.seconds * 1e3).toFixed(2)} ms${each}; ${asked.contacts} ${asked.contacts === 1 ? "touches or overlaps" : "touch or overlap"}.${points}`;
    this.#chart();
    if (!pairs) {
      this.view.pairs.replaceChildren();
      return;
    }
    this.view.pairs.replaceChildren(...pairs.map((pair) => {
      const button = document.createElement("button");
      const value = pair.lower === pair.upper ? pair.lower : (pair.lower + pair.upper) / 2;
      button.append(Object.assign(document.createElement("span"), { textContent: pair.names.join(" · ") }),
        Object.assign(document.createElement("span"), { className: pair.verdict, textContent: `${pair.verdict} ${Number(value.toPrecision(4))}` }));
      button.title = `Signed distance in [${pair.lower}, ${pair.upper}]: open this pair`;
      button.onclick = () => this.#open(pair);
      return button;
    }));
  }

  /** How long the queries of the last frames took. */
  #chart() {
    const { chart } = this.view;
    const { width, height } = chart.getBoundingClientRect();
    const top = Math.max(...this.times, 1e-9) * 1.15;
    const at = (/** @type {number} */ seconds, /** @type {number} */ k) =>
      `${((k / (FRAMES_SHOWN - 1)) * width).toFixed(1)},${(height - (seconds / top) * height).toFixed(1)}`;
    const label = element("text", { x: 4, y: 11, class: "tick" });
    label.textContent = `${(top * 1e3).toPrecision(2)} ms`;
    chart.replaceChildren(element("polyline", { points: this.times.map(at).join(" "), class: "chart" }), label);
  }

  /** @param {Crowded} shown */
  #makeSliders(shown) {
    this.joints = shown.joints ?? [];
    this.view.sliders.replaceChildren(...this.sliders.map((slider) => {
      const label = document.createElement("label");
      const output = document.createElement("output");
      const input = document.createElement("input");
      Object.assign(input, { type: "range", min: slider.lower, max: slider.upper, step: "any" });
      input.value = String(this.joints[slider.joint]);
      input.dataset.joint = String(slider.joint);
      const tell = () => { output.textContent = `${Number(input.value).toFixed(3)} ${slider.unit}`; };
      tell();
      input.oninput = () => {
        tell();
        const joints = [...this.joints];
        joints[slider.joint] = Number(input.value);
        this.#move(joints);
      };
      label.append(slider.name, output, input);
      return label;
    }));
  }

  /** Of the states that wait only the last is asked. @param {number[]} joints */
  async #move(joints) {
    this.joints = joints;
    for (const input of this.view.sliders.querySelectorAll("input")) input.value = String(joints[Number(input.dataset.joint)]);
    const entry = this.entry;
    if (this.asking || entry?.request.ask !== "robot") return;
    this.asking = true;
    for (let asked = null; asked !== this.joints && this.entry === entry;) {
      asked = this.joints;
      const shown = await ask({ ...entry.request, joints: asked });
      if (this.entry !== entry) break;
      if (shown.error) this.page.complain(shown.error.message);
      else this.#draw(shown, false);
    }
    this.asking = false;
    if (this.entry === entry) this.page.remember({ crowd: entry.id, joints: this.joints });
  }

  /** Opens a pair of the list as a query. @param {import("./types.js").Listed} pair */
  async #open(pair) {
    const entry = this.entry;
    if (entry?.request.ask !== "robot") return;
    const query = await ask({ ask: "pair", of: entry.request.of, joints: this.joints, bodies: pair.bodies });
    if (query.error) this.page.complain(query.error.message);
    else this.page.open(query, `${pair.names.join(" and ")}, of ${entry.title}.`);
  }
}
