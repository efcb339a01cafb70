// What the page carries: JSON, and numbers made small (crates/gjk-cli/src/check/pack.rs says how). One module with list.js,
// details.js and main.js, in this order.

/** @param {string} id */
const element = (id) => /** @type {any} */ (document.getElementById(id));
const report = JSON.parse(element("report").textContent);
const page = JSON.parse(element("page").textContent);

/** The bytes that an element holds. @param {string} id @returns {Promise<ArrayBuffer>} */
async function inflated(id) {
  const holder = element(id);
  const text = atob(holder.textContent);
  holder.remove();
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/** Reads numbers one after another: all first bytes stand together, then all second ones. */
class Unpack {
  /** @param {ArrayBuffer} buffer */
  constructor(buffer) {
    this.bytes = new Uint8Array(buffer);
    this.at = 0;
  }

  /** @param {number} count @param {number} width */
  #shuffled(count, width) {
    const numbers = new Uint8Array(count * width);
    for (let byte = 0; byte < width; byte++) {
      const from = this.at + byte * count;
      for (let k = 0; k < count; k++) numbers[k * width + byte] = this.bytes[from + k];
    }
    this.at += count * width;
    return numbers.buffer;
  }

  /** @param {number} count */
  singles(count) {
    return new Float32Array(this.#shuffled(count, 4));
  }

  /** @param {number} count */
  doubles(count) {
    return new Float64Array(this.#shuffled(count, 8));
  }

  /** @param {number} count */
  indices(count) {
    const words = new Uint32Array(this.#shuffled(count, 4));
    let last = 0;
    for (let k = 0; k < count; k++) {
      last = (last + ((words[k] >>> 1) ^ -(words[k] & 1))) >>> 0;
      words[k] = last;
    }
    return words;
  }
}

/** The forms and poses of the page. */
async function geometry() {
  const unpack = new Unpack(await inflated("geometry"));
  const { forms, parts, poses } = page.scene;
  /** @param {"corners" | "triangles" | "edges"} of */
  const total = (of) => forms.reduce((/** @type {number} */ sum, /** @type {any} */ form) => sum + form[of], 0);
  const corners = unpack.singles(3 * total("corners"));
  let from = 0;
  const made = forms.map((/** @type {any} */ form) => {
    const until = from + 3 * form.corners;
    const own = corners.subarray(from, until);
    from = until;
    return { corners: own, triangles: new Uint16Array(), edges: new Uint16Array() };
  });
  for (const [kind, each] of /** @type {["triangles" | "edges", number][]} */ ([["triangles", 3], ["edges", 2]])) {
    forms.forEach((/** @type {any} */ form, /** @type {number} */ k) => {
      const indices = unpack.indices(each * form[kind]);
      made[k][kind] = form.corners <= 65536 ? new Uint16Array(indices) : indices;
    });
  }
  return {
    forms: made, parts,
    columns: unpack.singles(9 * poses),
    translations: unpack.doubles(3 * poses),
    places: unpack.indices(page.states.length * parts.length),
  };
}

/** Loads what draws: each file may name those before it. */
async function pictureModule() {
  /** @type {[string, string][]} */
  const sources = JSON.parse(new TextDecoder().decode(await inflated("modules")));
  /** @type {[string, string][]} */
  const known = [];
  for (const [name, source] of sources) {
    const linked = known.reduce((text, [other, address]) => text.replaceAll(`"${other}"`, `"${address}"`), source);
    known.push([name, URL.createObjectURL(new Blob([linked], { type: "text/javascript" }))]);
  }
  const picture = await import(known[known.length - 1][1]);
  for (const [, address] of known) URL.revokeObjectURL(address);
  return picture;
}
