// The door to the library without a server: as ../door.js, answered by a worker of this page.

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
/** Who waits for which answer. @type {Map<number, {resolve: (told: any) => void, reject: (error: Error) => void}>} */
const waiting = new Map();
let count = 0;

worker.onmessage = ({ data: { number, response, error } }) => {
  const { resolve, reject } = waiting.get(number) ?? { resolve() {}, reject() {} };
  waiting.delete(number);
  if (error === undefined) resolve(JSON.parse(response));
  else reject(new Error(error));
};
// A worker that does not start, as in a browser without module workers.
worker.onerror = (event) => {
  for (const { reject } of waiting.values()) reject(new Error(event.message || "this browser cannot run it"));
  waiting.clear();
};

/**
 * Asks the library.
 * @template {import("../types.js").Request} R
 * @param {R} request what `gjk_lab::respond` takes
 * @returns {Promise<import("../types.js").Answered<R>>} what it answers
 */
export function ask(request) {
  return new Promise((resolve, reject) => {
    count += 1;
    waiting.set(count, { resolve, reject });
    worker.postMessage({ number: count, request: JSON.stringify(request) });
  });
}
