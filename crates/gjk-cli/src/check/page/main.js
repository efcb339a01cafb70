// The page: the chosen pair, its state, the keys, light and dark.

/** @type {any} */
let picture = null;
let row = -1;
/** The place of the state in the page's list of states. */
let stateAt = 0;

const placeNow = () => pairIn(row, page.states[stateAt]);

/** Shows the chosen pair in the chosen state. @param {boolean} moves whether the camera goes there */
function show(moves) {
  const state = page.states[stateAt];
  list.at(state);
  element("state").value = String(opensOnPath ? page.view.states[stateAt].at : stateAt);
  element("state").setAttribute("aria-valuetext", opensOnPath ? `${stateName(stateAt)}. ${curve?.said(stateAt) ?? ""}` : `state ${state}`);
  element("state-name").textContent = stateName(stateAt);
  curve?.show(stateAt);
  if (row >= 0) showDetails(row, state, placeNow());
  element("space").setAttribute("aria-label", `The bodies in space. ${element("says").textContent}`);
  if (!picture) return;
  const place = row >= 0 ? placeNow() : undefined;
  const bodies = row >= 0 ? page.pairs[page.rows[row].pair].bodies : [];
  picture.show(stateAt, bodies, place === undefined ? null : report.pairs[place]);
  if (moves) picture.frame(false);
}

/** Where the chosen pair was found, as a strip under the slider. */
function showTicks() {
  const count = page.states.length;
  // Halfway to the states beside; as bands of equal width where states have no time.
  const between = (/** @type {number} */ k) => (k === 0 ? 0 : k === count ? 1 : opensOnPath ? (stateShare(k - 1) + stateShare(k)) / 2 : k / count);
  const stops = page.states.map((/** @type {number} */ state, /** @type {number} */ k) => {
    const place = row >= 0 ? pairIn(row, state) : undefined;
    const isApart = opensOnPath && place !== undefined && page.pairs[place].word === "separated";
    const colour = place === undefined || isApart ? "transparent" : page.pairs[place].fails ? "var(--bad)" : "var(--warn)";
    return `${colour} ${100 * between(k)}% ${100 * between(k + 1)}%`;
  });
  element("ticks").style.backgroundImage = `linear-gradient(to right, ${stops.join(", ")})`;
}

/** @param {number} chosen */
function chooseRow(chosen) {
  row = chosen;
  const place = list.pairOf(row) ?? page.rows[row].pair;
  stateAt = Math.max(page.states.indexOf(report.pairs[place].state), 0);
  element("picked").hidden = true;
  if (hasStates) showTicks();
  matrix?.mark(row);
  show(true);
}

/** @param {number} next */
function goToState(next) {
  stateAt = Math.min(Math.max(next, 0), page.states.length - 1);
  show(false);
}

/** The bodies, drawn after the list is there. */
async function startPicture() {
  const refused = element("no-picture");
  try {
    if (typeof DecompressionStream === "undefined") throw new Error("this browser cannot unpack it (no DecompressionStream)");
    if (!document.createElement("canvas").getContext("webgl2")) throw new Error("this browser has no WebGL 2, or it is switched off");
    const [{ Picture }, forms] = await Promise.all([pictureModule(), geometry()]);
    picture = new Picture(element("space"), forms);
    picture.onPick = picked;
    show(true);
    if (row < 0) picture.frame(false);
    refused.hidden = true;
    document.querySelector(".views")?.removeAttribute("hidden");
    document.documentElement.dataset.picture = "ready";
    performance.mark("picture");
  } catch (error) {
    picture = null;
    refused.hidden = false;
    refused.textContent = `There is no picture: ${error instanceof Error ? error.message : error}. The list has all the numbers.`;
    document.documentElement.dataset.picture = "none";
  }
}

/** A body of the picture was clicked. @param {number | null} body */
function picked(body) {
  const box = element("picked");
  box.hidden = body === null;
  if (body === null) return;
  const count = page.rows.filter((/** @type {any} */ one) => page.pairs[one.pair].bodies.includes(body)).length;
  box.querySelector("span").textContent = `${names[body]}: ${count === 1 ? "1 pair" : `${count} pairs`}`;
  box.querySelector("button").hidden = count === 0;
  box.querySelector("button").onclick = () => {
    if (matrix) element("as-list").click();
    element("filter").value = names[body];
    element("filter").dispatchEvent(new Event("input"));
    box.hidden = true;
  };
}

function nextOthers() {
  const select = element("others");
  select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
  picture?.others(select.value);
}

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowUp: () => list.step(-1),
  ArrowDown: () => list.step(1),
  f: () => picture?.frame(false),
  c: () => picture?.frame(true),
  a: () => picture?.all(),
  o: nextOthers,
  "[": () => goToState(stateAt - 1),
  "]": () => goToState(stateAt + 1),
  "/": () => element("filter").focus(),
  "?": () => element("keys").showModal(),
};

/** @param {KeyboardEvent} event */
function pressed(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || element("keys").open) return;
  if (target.matches("input[type=search], select")) {
    if (event.key === "Escape") target.blur();
    return;
  }
  // The slider's own; that of time goes from state to state.
  const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
  if (opensOnPath && target.id === "state" && by) {
    event.preventDefault();
    goToState(stateAt + by);
    return;
  }
  if (target.matches("input[type=range]") && event.key.startsWith("Arrow")) return;
  // The list's, which is not there while the matrix is.
  const isOfList = event.key === "ArrowUp" || event.key === "ArrowDown" || event.key === "/";
  if (isOfList && element("list").hidden) return;
  if (!hasStates && (event.key === "[" || event.key === "]")) return;
  const focused = /** @type {HTMLElement | null} */ (target.closest("tr[data-row]"));
  if (focused && (event.key === "Enter" || event.key === " ")) {
    list.choose(Number(focused.dataset.row), Number(focused.dataset.at));
    event.preventDefault();
    return;
  }
  if (target.id === "space" && picture?.key(event.key)) {
    event.preventDefault();
    return;
  }
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

/** @param {boolean} isDark */
function theme(isDark) {
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  element("theme").setAttribute("aria-pressed", String(isDark));
  picture?.retint();
}

/** The matrix stands first, also for who reads or goes by keys; the list is one button away. */
function openOnMatrix() {
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  main.classList.add("of-matrix");
  main.prepend(element("found"));
  element("found").setAttribute("aria-label", "Pairs of links");
  element("keys-of-matrix").hidden = false;
  element("tabs").hidden = false;
  const turn = (/** @type {boolean} */ isMatrix) => {
    element("as-matrix").setAttribute("aria-pressed", String(isMatrix));
    element("as-list").setAttribute("aria-pressed", String(!isMatrix));
    element("matrix").hidden = !isMatrix;
    element("list").hidden = isMatrix;
    /** @type {HTMLElement} */ (document.querySelector(".filters")).hidden = isMatrix;
  };
  element("as-matrix").addEventListener("click", () => turn(true));
  element("as-list").addEventListener("click", () => turn(false));
  turn(true);
}

/** The slider is one of time. */
function openOnPath() {
  element("state").step = "any";
  element("states").querySelector("label").textContent = "Time";
  element("state-before").setAttribute("aria-label", "The moment before");
  element("state-after").setAttribute("aria-label", "The moment after");
  document.documentElement.dataset.opens = "path";
}

/** Shows two links at a moment. @param {number[]} bodies @param {number} at */
function goToEvent(bodies, at) {
  const found = page.rows.findIndex((/** @type {any} */ one) => String(page.pairs[one.pair].bodies) === String(bodies));
  if (found >= 0) list.choose(found);
  goToState(at);
  picture?.frame(false);
}

const darkness = matchMedia("(prefers-color-scheme: dark)");
theme(darkness.matches);
darkness.addEventListener("change", () => theme(darkness.matches));
element("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme !== "dark"));

// Where the list is below, the numbers would stand between it and the picture.
if (matchMedia("(max-width: 62rem)").matches) element(opensOnMatrix ? "meanings" : "numbers").open = false;
showHead();
showFoot();
const list = new PairList(chooseRow, (kinds) => matrix?.dim(kinds));
const matrix = opensOnMatrix ? new Matrix((chosen) => list.choose(chosen)) : null;
if (matrix) openOnMatrix();
/** @type {Curve | null} */
const curve = opensOnPath ? new Curve(goToState, goToEvent) : null;
element("now-label").hidden = !hasStates;
element("states").hidden = element("keys-of-states").hidden = !hasStates;
element("state").max = String(opensOnPath ? page.view.end : page.states.length - 1);
if (opensOnPath) openOnPath();
element("state").addEventListener("input", () => goToState(curve ? curve.nearest(Number(element("state").value)) : Number(element("state").value)));
element("state-before").addEventListener("click", () => goToState(stateAt - 1));
element("state-after").addEventListener("click", () => goToState(stateAt + 1));
element("state-worst").addEventListener("click", () => row >= 0 && chooseRow(row));
element("help").addEventListener("click", () => element("keys").showModal());
element("frame").addEventListener("click", () => picture?.frame(false));
element("close").addEventListener("click", () => picture?.frame(true));
element("all").addEventListener("click", () => picture?.all());
element("others").addEventListener("change", () => picture?.others(element("others").value));
document.addEventListener("keydown", pressed);
const firstEvent = opensOnPath ? page.view.events.find((/** @type {any} */ event) => event.state !== undefined) : undefined;
if (page.rows.length > 0) list.choose(0, 0);
if (firstEvent) goToEvent(firstEvent.bodies, firstEvent.state);
else if (page.rows.length === 0) {
  element("says").textContent = `Nothing was found: ${page.headline}`;
  for (const id of ["frame", "close", "others-label", "state-worst"]) element(id).hidden = true;
  show(false);
}
startPicture();
