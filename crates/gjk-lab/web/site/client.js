// The client of the library without a server: as ../client.js, answered by workers of this page. The library comes in two programs, and
// what there is to look at as a file: pairs are asked from the first moment, many bodies and files when somebody wants them.

/** @typedef {import("../types.js").Request} Request */

/** Which program answers what; the scenes are in a file. @type {Record<Exclude<Request["ask"], "scenes">, "pairs" | "bodies">} */
const PROGRAMS = { query: "pairs", simulation: "bodies", stack: "bodies", robot: "bodies", pair: "bodies", mesh: "bodies", meshes: "bodies", motion: "bodies", manifold: "bodies", arm: "bodies" };

/** A worker that runs a program. */
class Runner {
  /** Who waits for which answer. @type {Map<number, {resolve: (told: any) => void, reject: (error: Error) => void}>} */
  #waiting = new Map();
  #count = 0;
  #worker;

  /** @param {string} name the program's */
  constructor(name) {
    this.#worker = new Worker(new URL("worker.js", import.meta.url), { type: "module", name });
    this.#worker.onmessage = ({ data: { number, response, error } }) => {
      const { resolve, reject } = this.#waiting.get(number) ?? { resolve() {}, reject() {} };
      this.#waiting.delete(number);
      if (error === undefined) resolve(JSON.parse(response));
      else reject(new Error(error));
    };
    // A worker that does not start, as in a browser without module workers.
    this.#worker.onerror = (event) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(event.message || "this browser cannot run it"));
      this.#waiting.clear();
    };
  }

  /** @param {Request} request */
  ask(request) {
    return new Promise((resolve, reject) => {
      this.#count += 1;
      this.#waiting.set(this.#count, { resolve, reject });
      this.#worker.postMessage({ number: this.#count, request: JSON.stringify(request) });
    });
  }
}

/** Those that were needed so far. @type {Record<string, Runner>} */
const runners = { pairs: new Runner("pairs") };

/**
 * Asks the library.
 * @template {Request} R
 * @param {R} request what `gjk_lab::respond` takes
 * @returns {Promise<import("../types.js").Answered<R>>} what it answers
 */
export async function ask(request) {
  if (request.ask === "scenes") {
    const response = await fetch(new URL("scenes.json", import.meta.url));
    if (!response.ok) throw new Error(`scenes.json: ${response.status}`);
    return response.json();
  }
  const name = PROGRAMS[request.ask];
  runners[name] ??= new Runner(name);
  return runners[name].ask(request);
}
