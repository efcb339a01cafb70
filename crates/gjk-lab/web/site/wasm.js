// The library as a WebAssembly program: the request is its standard input, the response its standard output.
//
// A program is started anew for each request. A new instance takes 0.1 ms, but its memory keeps the browser's collector busy.
// So the instance stays, and its memory is set back to what it was before the first start. Nothing else of it changes: the
// only other state is the stack pointer, which is where it was when the program has returned.

/** Larger memories are given up and not set back: a C library may take new pages at each start. */
const MEMORY_MAX = 64 << 20;
/** WASI's words for: no such file, and for what there is not. */
const BADF = 8, NOTSUP = 58;

/** @typedef {{memory: WebAssembly.Memory, _start: () => void}} Exports */

/**
 * Compiles a program.
 * @param {URL} address where it is
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compile(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname}: ${response.status}`);
  // Some hosts do not know the media type, which the quicker way insists on.
  const isNamed = response.headers.get("content-type")?.startsWith("application/wasm");
  return isNamed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

export class Program {
  #module;
  /** @type {Exports | null} */
  #exports = null;
  /** The memory before the first start. */
  #first = new Uint8Array();
  #isNew = false;
  #input = new Uint8Array();
  /** What was written, by file descriptor: nothing is ever written to the first. @type {Uint8Array[][]} */
  #output = [];

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#module = module;
  }

  /**
   * Runs the program.
   * @param {string} request
   * @returns {string} the response
   */
  respond(request) {
    const program = this.renew();
    this.#input = new TextEncoder().encode(request);
    this.#output = [[], [], []];
    this.#isNew = false;
    try {
      program._start();
    } catch (error) {
      // It may have ended anywhere.
      this.#exports = null;
      throw new Error(this.#text(2) || String(error));
    }
    return this.#text(1);
  }

  /** Makes the program ready to start; does nothing where it is. */
  renew() {
    const last = this.#exports;
    if (last && this.#isNew) return last;
    this.#isNew = true;
    if (last && last.memory.buffer.byteLength <= MEMORY_MAX) {
      const used = new Uint8Array(last.memory.buffer);
      used.set(this.#first);
      used.fill(0, this.#first.length);
      return last;
    }
    this.#exports = null;
    const instance = new WebAssembly.Instance(this.#module, this.#system());
    // What a program of WASI exports.
    const made = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
    this.#exports = made;
    this.#first = this.#memory().slice();
    return made;
  }

  /** The memory as it is now: it moves when it grows. */
  #memory() {
    // Only a program that runs asks for it.
    return new Uint8Array(/** @type {Exports} */ (this.#exports).memory.buffer);
  }

  /** @param {number} file */
  #text(file) {
    const decoder = new TextDecoder();
    return this.#output[file].map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
  }

  /** What the program asks of the system: the functions that it imports, by module. */
  #system() {
    /** @type {Record<string, (...numbers: any[]) => number>} */
    const known = {
      fd_read: (file, parts, count, total) => (file === 0 ? this.#moved(parts, count, total, (part) => this.#take(part)) : BADF),
      fd_write: (file, parts, count, total) => {
        const output = this.#output[file];
        return output ? this.#moved(parts, count, total, (part) => output.push(part.slice()) && part.length) : BADF;
      },
      clock_time_get: (_clock, _precision, at) => {
        this.#view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      },
      random_get: (at, length) => {
        crypto.getRandomValues(this.#memory().subarray(at, at + length));
        return 0;
      },
      environ_sizes_get: (count, size) => this.#none(count, size),
      environ_get: () => 0,
      args_sizes_get: (count, size) => this.#none(count, size),
      args_get: () => 0,
      sched_yield: () => 0,
      proc_exit: (code) => {
        throw new Error(`the program ended with ${code}`);
      },
      // What a C library leaves to its host.
      realpath: () => 0,
    };
    /** @type {Record<string, Record<string, (...numbers: any[]) => number>>} */
    const imports = {};
    for (const { module, name } of WebAssembly.Module.imports(this.#module)) {
      // Another standard library may link more: there are no other files.
      (imports[module] ??= {})[name] = known[name] ?? (() => BADF);
    }
    return imports;
  }

  #view() {
    return new DataView(this.#memory().buffer);
  }

  /** Lists of nothing. @param {number} count @param {number} size */
  #none(count, size) {
    this.#view().setUint32(count, 0, true);
    this.#view().setUint32(size, 0, true);
    return 0;
  }

  /**
   * Reads or writes the parts of a list.
   * @param {number} parts @param {number} count @param {number} total where the number of moved bytes goes
   * @param {(part: Uint8Array) => number} move
   */
  #moved(parts, count, total, move) {
    const view = this.#view();
    let moved = 0;
    for (let k = 0; k < count; k += 1) {
      const at = view.getUint32(parts + 8 * k, true);
      moved += move(this.#memory().subarray(at, at + view.getUint32(parts + 8 * k + 4, true)));
    }
    view.setUint32(total, moved, true);
    return 0;
  }

  /** The next of the input. @param {Uint8Array} part */
  #take(part) {
    const taken = this.#input.subarray(0, part.length);
    part.set(taken);
    this.#input = this.#input.subarray(taken.length);
    return taken.length;
  }
}
