// The client of the library: one request in JSON, one response in JSON.

/**
 * Asks the library.
 * @template {import("./types.js").Request} R
 * @param {R} request what `gjk_lab::respond` takes
 * @returns {Promise<import("./types.js").Answered<R>>} what it answers
 */
export async function ask(request) {
  const response = await fetch("respond", { method: "POST", body: JSON.stringify(request) });
  if (!response.ok) throw new Error(`the lab's server says: ${await response.text()}`);
  return response.json();
}
