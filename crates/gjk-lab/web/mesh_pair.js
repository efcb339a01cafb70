// A pair of meshes: how it is asked, what the page says of it, and where its bodies are. The steps are frames as those of a pair of
// shapes; what a mesh looks like comes once and is moved.

import { ask } from "./client.js";
import { node } from "./legend.js";
import { placed } from "./many_body.js";

/** @typedef {import("./types.js").MeshQuery} MeshQuery */
/** @typedef {import("./types.js").MeshTold} MeshTold */

/** What a relation looks like, beside its word. @type {Record<string, string>} */
const MARKS = { separated: "○ ○", touching: "○|○", overlapping: "(●)", crossing: "╳", inside: "A⊂B", contains: "A⊃B", equal: "A=B" };

/** Whether a query is of two meshes. @param {import("./types.js").Query | MeshQuery | null} query @returns {query is MeshQuery} */
export const isMeshes = (query) => query !== null && "a" in query && "mesh" in query.a;

export class MeshPair {
  /** The meshes that are shown, in their own frames. @type {import("./types.js").Model[]} */
  models = [];
  /** Where they are from. */
  #from = "";
  /** What the last answer had. @type {MeshTold | undefined} */
  #told;

  /** Asks for the relation; for the meshes only where others are shown. @param {MeshQuery} query @param {import("./types.js").Edit[]} edits */
  async ask(query, edits) {
    // An exchange is the only edit of the sources.
    const from = JSON.stringify([query.a.mesh, query.b.mesh, edits.filter((x) => x.edit === "swap").length % 2]);
    const told = await ask({ ask: "meshes", query, edits, models: from !== this.#from });
    if (!told.error && told.models) this.#from = from;
    return told;
  }

  /** Other meshes, or others than these, are shown from now on. */
  forget() {
    this.#from = "";
    this.models = [];
  }

  /** Puts the bodies where they are. @param {MeshTold} told @param {import("./space.js").SpaceView} view */
  place(told, view) {
    if (this.#told === told) return;
    this.#told = told;
    if (told.models) {
      this.models = told.models;
      view.models(this.models);
    }
    view.place(told.places);
  }

  /** All corners where they are, to fit the view. */
  get points() {
    const places = this.#told?.places ?? [];
    return this.models.flatMap((model, k) => model.points.map((point) => placed(places[k], point)));
  }

  /** Says the relation and its reason. @param {HTMLElement} view @param {MeshTold} told */
  verdict(view, { query, answer }) {
    view.className = answer.verdict;
    view.dataset.query = query.id;
    const proof = answer.exact ? "Proved by exact signs of the vertices." : "What is known at least: rounding made a shell cross itself, or no ray avoids all edges.";
    view.replaceChildren(node("span", { class: "mark", "aria-hidden": "true" }, MARKS[answer.relation] ?? "?"), node("div", {},
      node("strong", {}, answer.relation), node("span", { class: "small" }, `${answer.sentence} ${proof}`)));
  }

  /** Says what the bodies are. @param {HTMLElement} view @param {MeshTold} told */
  bodies(view, { answer }) {
    view.replaceChildren(...answer.bodies.map((text, k) => node("li", { class: `of_${"ab"[k]}` }, `${"AB"[k]}: ${text}`)),
      ...answer.warnings.map((text) => node("li", {}, text)));
  }
}

/** What a request has of a file. @param {File} file */
export async function packed(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return { name: file.name, base64: btoa(text) };
}
