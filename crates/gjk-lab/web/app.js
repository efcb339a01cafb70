// The page: what is asked, which step is shown, and what the reader does to either.

import { bounds, verdict } from "./answer.js";
import { ManyBody } from "./many_body.js";
import { ask } from "./client.js";
import { MeshPair, isMeshes, packed } from "./mesh_pair.js";
import { KEYS, legend, node } from "./legend.js";
import { Motion, isArm, isMotion } from "./motion.js";
import { isManifold, manifoldVerdict } from "./manifold.js";
import { PlaneView } from "./plane.js";
import { RequestQueue } from "./request_queue.js";
import { SHAPES, SOLIDS } from "./shapes.js";

/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Query} Query */
/** @typedef {import("./types.js").MeshQuery} MeshQuery */

const by = /** @type {import("./types.js").By} */ ((/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id)));
const world = new PlaneView(by("world"));
const difference = new PlaneView(by("difference"));

/** @typedef {import("./space.js").SpaceView} SpaceView */
/** The views in space, made when they are first shown. @type {null | {world: SpaceView, difference: SpaceView}} */
let space = null;
/** What makes them: fetched when it is first needed, because it is large. @type {undefined | typeof import("./space.js").SpaceView} */
let View;
/** Fetches what views of this dimension need. @param {number} dim */
async function prepare(dim) {
  if (dim === 3) View ??= (await import("./space.js")).SpaceView;
}

const isSpace = () => state.told?.query.dim === 3;

/** @type {import("./types.js").Body[]} */
const BODIES = ["a", "b"];
const state = {
  /** @type {import("./types.js").Scene[]} */ scenes: [],
  /** @type {import("./types.js").CrowdEntry[]} */ crowds: [],
  /** @type {import("./types.js").MeshScene[]} */ meshes: [],
  /** @type {import("./types.js").Scene[]} */ motions: [],
  /** @type {import("./types.js").Scene[]} */ manifolds: [],
  /** @type {import("./types.js").Scene[]} */ arms: [],
  /** @type {import("./types.js").Stop[]} */ tour: [],
  /** The stop of the tour that is shown. @type {number | undefined} */ stop: undefined,
  normals: true,
  scene: "",
  /** As edited; there is one from the first answer on. */
  query: /** @type {Query | MeshQuery} */ (/** @type {unknown} */ (null)),
  algorithm: "distance",
  /** @type {number[] | undefined} */ direction: undefined,
  /** @type {import("./types.js").AnyTold | null} */ told: null,
  /** The dimension of the views. @type {number | undefined} */ shown: undefined,
  step: 0,
  /** @type {number | undefined} */ timer: undefined,
};

// Asking.

/** When the last request began. */
let asked = 0;

const meshPair = new MeshPair();
const motion = new Motion({ again: () => requests.again(), edit: (edit) => requests.edit(edit) });

const requests = new RequestQueue({
  ask: async (query, edits) => {
    const { algorithm, direction } = state;
    asked = performance.now();
    const told = isMeshes(query) ? await meshPair.ask(query, edits)
      : isMotion(query) ? await motion.ask(query, edits)
      : isManifold(query) ? await ask({ ask: "manifold", query, edits })
      : await ask({ ask: "query", query, edits, algorithm, ...(direction ? { direction } : {}) });
    if (!told.error) await prepare(told.query.dim);
    return told;
  },
  show: (told, isFirst) => {
    // Whoever looks at the answer keeps looking at it.
    const atEnd = !state.told || state.step >= state.told.frames.length - 1;
    state.told = told;
    state.query = told.query;
    const turned = state.shown !== told.query.dim;
    state.shown = told.query.dim;
    if (turned) face(told.query.dim);
    state.step = atEnd ? told.frames.length - 1 : Math.min(state.step, told.frames.length - 1);
    if (isFirst || turned || motion.isOtherSpan(told)) refit();
    draw();
    remember();
    by("frame-time").textContent = `asked, answered and drawn in ${(performance.now() - asked).toFixed(1)} ms`;
  },
  refuse: (refusal) => {
    const { at, message } = refusal?.error ?? { at: "", message: "" };
    complain(`${at ? `${at}: ` : ""}${message}`);
  },
  fail: (error) => complain(`The lab does not answer: ${words(error)}`),
});

/** @param {unknown} error */
const words = (error) => (error instanceof Error ? error.message : String(error));

/** @param {string} message */
function complain(message) {
  by("error").textContent = message;
  by("error").hidden = message === "";
}

function refit() {
  const background = state.told?.background ?? [];
  /** @param {string} space */
  const points = (space) => background.filter((item) => item.space === space).flatMap((item) => item.points ?? []);
  if (space && state.told && "places" in state.told) {
    meshPair.place(state.told, space.world);
    space.world.fit(meshPair.points);
    space.difference.fit([[-0.6, -0.6, -0.6], [0.6, 0.6, 0.6]], false);
  } else if (space && isSpace()) {
    space.world.fit(points("world"));
    space.difference.fit(points("difference"));
  } else {
    world.fit(points("world"));
    difference.fit(points("difference"));
  }
  // Seen along the normal everything is flat.
  if (isManifold(state.query)) difference.fit(state.told?.frames.flatMap(({ items }) => items).filter((item) => item.space === "across").flatMap((item) => item.points ?? []) ?? []);
}

/** Shows the views of a dimension, of a pair or of many bodies. @param {number} dim @param {boolean} alone */
function face(dim, alone = false) {
  const solid = dim === 3, meshes = !alone && isMeshes(state.query);
  const moves = !alone && isMotion(state.query), bears = !alone && isManifold(state.query);
  document.body.classList.toggle("meshes", meshes);
  for (const [kind, is] of /** @type {[string, boolean][]} */ ([["motions", moves], ["arms", moves && isArm(state.query)]])) document.body.classList.toggle(kind, is);
  document.body.classList.toggle("manifolds", bears);
  for (const id of ["world", "difference"]) {
    const flat = !solid || (bears && id === "difference");
    by(id).toggleAttribute("hidden", !flat);
    by(`${id}-space`).hidden = flat;
  }
  by("space-controls").hidden = !solid;
  const single = alone || (moves && !isArm(state.query)) || (bears && !solid);
  by("difference-figure").hidden = single;
  for (const option of by("hold").querySelectorAll("[value$=_end]")) /** @type {HTMLOptionElement} */ (option).hidden = !moves;
  by("hold").value = moves ? "b" : heldBody();
  by("pair").hidden = alone;
  by("crowd").hidden = !alone;
  by("transport").hidden = alone || moves;
  by("motion-bar").hidden = !moves;
  by("views").classList.toggle("alone", single);
  by("hint").textContent = alone || isArm(state.query) ? "" : moves && !solid ? "drag a body, or its end; shift and drag turns it" : solid ? "click a body to hold it; drag the ground to look around" : "drag a body or a vertex";
  if (solid && !space && View) {
    space = { world: new View(by("world-space"), true), difference: new View(by("difference-space"), false) };
    space.world.onDrag = (event) => {
      if (event.kind === "choose") by("hold").value = event.body;
      if (event.kind === "begin") requests.grab();
      if (event.kind === "end") requests.drop();
      if (event.kind === "edit") requests.drag(motion.edit(event.edit));
      else hold();
    };
  }
  if (alone || meshes) return;
  for (const body of BODIES) {
    const select = by(`shape-${body}`);
    select.replaceChildren(node("option", { value: "" }, "as it is"),
      ...Object.keys(solid ? SOLIDS : SHAPES).map((name) => node("option", { value: name }, name)));
  }
}

/** The body that is held, or whose end is. @returns {import("./types.js").Body} */
const heldBody = () => (by("hold").value.startsWith("b") ? "b" : "a");

/** Puts the gizmo at the body that is held. */
function hold() {
  if (!space) return;
  const body = by("hold").value;
  const at = motion.grip(state.told, body) ?? /** @type {any} */ (state.query)[body[0]].pose?.translation ?? [0, 0, 0];
  space.world.hold(body, at, by("mode").value);
  for (const k of [0, 1, 2]) if (document.activeElement !== by(`place-${k}`)) by(`place-${k}`).value = String(at[k]);
  space.world.render();
}

// Drawing.

function draw() {
  const { told, step } = state;
  if (!told) return;
  const frame = told.frames[step];
  /** @param {Item} item */
  const order = (item) => (item.layer.startsWith("region") ? 0 : 1);
  /** @param {string} space */
  const of = (space) => {
    /** @param {Item} item */
    const own = (item) => item.space === space && isShown(item.layer);
    const [back, front] = [told.background.filter(own), frame.items.filter(own)];
    // Regions lie under everything; the origin over the difference.
    return [...front.filter((item) => order(item) === 0), ...back, ...front.filter((item) => order(item) === 1)];
  };
  if (space && isSpace()) {
    if ("places" in told) meshPair.place(told, space.world);
    space.world.draw(of("world"));
    if (isManifold(told.query)) difference.draw(of("across"), []);
    else space.difference.draw(of("places" in told ? "directions" : "difference"));
    hold();
  } else {
    world.draw(of("world"), told.handles);
    difference.draw(of("difference"), []);
  }
  if ("places" in told) {
    meshPair.verdict(by("verdict"), told);
    meshPair.bodies(by("mesh-bodies"), told);
    by("no-cones").hidden = frame.items.some(isDirection);
    by("no-cones").textContent = told.frames.some(({ items }) => items.some(isDirection)) ? "Cones are compared in another step."
      : "No cones had to be compared: nothing meets, or an edge that passes through a face decides.";
  } else if ("pieces" in told) {
    motion.show(told);
    by("scalar").value = told.query.scalar;
  } else if (told.floats) {
    verdict({ told: by("verdict"), floats: by("floats") }, told);
    bounds(by("bounds"), told.frames, step);
    by("scalar").value = told.query.scalar;
  } else {
    manifoldVerdict(by("verdict"), told);
    by("scalar").value = told.query.scalar;
  }
  by("step-title").textContent = frame.title;
  by("step").textContent = frame.lines.join("\n");
  by("scrub").max = String(told.frames.length - 1);
  by("scrub").value = String(step);
  by("scrub").setAttribute("aria-valuetext", frame.title);
  by("count").textContent = `${step + 1} of ${told.frames.length}`;
  const bodies = "places" in told ? ["body_a", "body_b"] : [];
  legend(by("legend"), new Set([...bodies, ...[...told.background, ...frame.items].map((item) => item.layer).filter(isShown)]));
  by("algorithm").value = state.algorithm;
}

/** @param {Item} item */
const isDirection = (item) => item.space === "directions";

/** Whether a layer is wanted. @param {string} layer */
function isShown(layer) {
  const shown = by("shown").value;
  if (layer === "difference") return shown !== "cloud";
  if (layer === "cloud") return shown !== "hull";
  return state.normals || !layer.startsWith("normal_");
}

// Playing.

/** @param {number} to */
function go(to) {
  if (!state.told) return;
  state.step = Math.max(0, Math.min(to, state.told.frames.length - 1));
  draw();
  remember();
}

/** @param {boolean} on */
function play(on) {
  clearInterval(state.timer);
  state.timer = undefined;
  const atEnd = () => state.step >= (state.told?.frames.length ?? 0) - 1;
  if (on) {
    if (atEnd()) go(0);
    state.timer = setInterval(() => {
      go(state.step + 1);
      if (atEnd()) play(false);
    }, Number(by("speed").value));
  }
  by("play").textContent = on ? "⏸ Pause" : "▶ Play";
  by("play").setAttribute("aria-label", on ? "Pause" : "Play");
}

by("first").onclick = () => go(0);
by("back").onclick = () => go(state.step - 1);
by("next").onclick = () => go(state.step + 1);
by("last").onclick = () => go(Infinity);
by("play").onclick = () => play(state.timer === undefined);
by("scrub").oninput = () => go(Number(by("scrub").value));
by("speed").onchange = () => state.timer !== undefined && play(true);
document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (/^(INPUT|SELECT|TEXTAREA|BUTTON)$/.test(target.tagName) && event.key !== "Escape" || by("dialog").open) return;
  if (manyBody.entry) {
    if (event.key === " ") manyBody.toggle();
    if (event.key === "h") document.body.classList.toggle("bare");
    return;
  }
  /** @type {Record<string, () => void>} */
  const keys = { ArrowLeft: () => go(state.step - 1), ArrowRight: () => go(state.step + 1), Home: () => go(0), End: () => go(Infinity),
    " ": () => play(state.timer === undefined), f: () => { refit(); draw(); }, h: () => document.body.classList.toggle("bare"),
    ...(isMotion(state.query) ? { ArrowLeft: () => motion.step(-1), ArrowRight: () => motion.step(1), Home: () => motion.go(0),
      End: () => motion.go(Infinity), " ": () => motion.play() } : {}),
    ...(isSpace() ? { m: () => mode("translate"), r: () => mode("rotate"), s: () => mode("scale"), w: () => by("wire").click() } : {}) };
  if (keys[event.key] && !event.ctrlKey && !event.metaKey) {
    keys[event.key]();
    event.preventDefault();
  }
});

// Dragging.

world.onDrag = (event) => {
  const { kind, body, index, at } = event;
  if (kind === "begin") requests.grab();
  else if (kind === "end") requests.drop();
  else if (kind === "end_body") requests.drag(motion.edit({ edit: "move", body: `${body}_end`, by: event.by }));
  else if (kind === "end_turn") requests.drag(motion.edit({ edit: "turn", body: `${body}_end`, angle: event.by[0] * world.scale / 120 }));
  else if (kind === "add" && motion.isLater(state.told)) complain("A vertex is added where the motion starts: t = 0.");
  else if (kind === "body") requests.drag({ edit: "move", body, by: event.by });
  else if (kind === "turn") requests.drag({ edit: "turn", body, angle: event.by[0] * world.scale / 120 });
  else if (kind === "vertex") requests.drag({ edit: "move_vertex", body, index, to: at });
  else if (kind === "add") requests.edit({ edit: "add_vertex", body, at });
  else if (kind === "remove") requests.edit({ edit: "remove_vertex", body, index });
};
world.onBody = (edit) => requests.edit(edit);

// The request.

by("algorithm").onchange = () => { state.algorithm = by("algorithm").value; state.direction = undefined; requests.again(); };
by("scalar").onchange = () => requests.edit({ edit: "scalar", scalar: by("scalar").value });
by("swap").onclick = () => requests.edit({ edit: "swap" });
by("fit").onclick = by("fit-meshes").onclick = () => { refit(); draw(); };
by("swap-meshes").onclick = () => requests.edit({ edit: "swap" });
for (const k of [0, 1, 2]) {
  by(`place-${k}`).onchange = () => requests.edit({ edit: "place", body: heldBody(), axis: k, to: Number(by(`place-${k}`).value) });
}
for (const body of BODIES) {
  const select = by(`shape-${body}`);
  select.onchange = () => {
    if (!select.value) return;
    requests.edit({ edit: "shape", body, shape: (isSpace() ? SOLIDS : SHAPES)[select.value] });
    select.value = "";
  };
}

by("hold").onchange = hold;
by("mode").onchange = hold;
/** @param {import("./types.js").Mode} to */
function mode(to) {
  by("mode").value = to;
  hold();
}
by("wire").onclick = () => {
  if (!space) return;
  for (const view of [space.world, space.difference]) view.wire = !view.wire;
  by("wire").textContent = space.world.wire ? "Solid faces" : "Wire frame";
  draw();
};
by("normals").onclick = () => {
  state.normals = !state.normals;
  by("normals").setAttribute("aria-pressed", String(state.normals));
  draw();
};
by("shown").onchange = draw;
by("picture").onclick = () => {
  if (!space) return;
  const link = node("a", { href: space.world.picture(), download: `${state.query.id ?? "gjk-lab"}.png` });
  link.click();
};

// Sharing: the address holds what is shown; a query line goes in and out.

/** What an address holds at most; browsers cut longer ones, or refuse them. */
const ADDRESS_MAX = 200_000;

function remember() {
  const { query, algorithm, direction, step, told, stop } = state;
  if (!told) return;
  if ("pieces" in told) keep({ query, time: told.time });
  else keep({ query, algorithm, direction, step: step === told.frames.length - 1 ? undefined : step, tour: stop });
}

/** @param {object} shown */
function keep(shown) {
  const text = encodeURIComponent(JSON.stringify(shown));
  history.replaceState(null, "", text.length <= ADDRESS_MAX ? `#${text}` : location.pathname);
}

by("copy").onclick = async () => {
  const line = JSON.stringify(state.query);
  try {
    await navigator.clipboard.writeText(line);
    by("copy").textContent = "Copied";
    setTimeout(() => { by("copy").textContent = "Copy as query"; }, 1500);
  } catch {
    dialog("The pair as a query line", node("textarea", { readonly: "", "aria-label": "The query" }, line));
  }
};
by("paste").onclick = () => {
  const text = /** @type {HTMLTextAreaElement} */ (node("textarea", { "aria-label": "A line of the query format", placeholder: '{"dim":2,"a":{"shape":"ball","radius":1},"b":{…}}' }));
  dialog("A line of the query format", text, () => {
    try {
      load({ query: JSON.parse(text.value) });
    } catch (error) {
      complain(`That is no JSON: ${words(error)}`);
    }
  });
};
by("help").onclick = () => {
  dialog("Keys and mouse", node("dl", {}, ...KEYS.flatMap(([key, what]) => [node("dt", {}, node("kbd", {}, key)), node("dd", {}, what)])));
};

/** @param {string} title @param {Node} body @param {() => void} [load] */
function dialog(title, body, load) {
  by("dialog-title").textContent = title;
  by("dialog-body").replaceChildren(body);
  by("dialog-load").hidden = !load;
  by("dialog").onclose = () => by("dialog").returnValue === "load" && load?.();
  by("dialog").returnValue = "";
  by("dialog").showModal();
}

// Scenes.

/** @param {import("./types.js").Wanted} wanted */
async function load(wanted) {
  play(false);
  manyBody.stop();
  meshPair.forget();
  motion.begin(wanted.time);
  space?.world.models([]);
  state.told = null;
  delete by("verdict").dataset.query;
  state.shown = undefined;
  state.stop = wanted.tour;
  guide();
  state.scene = wanted.id ?? "";
  state.algorithm = wanted.algorithm ?? ("query" in wanted.query && wanted.query.query === "intersects" ? "boolean" : "distance");
  state.direction = wanted.direction;
  mark(wanted.about ?? "");
  const isShown = await requests.begin(wanted.query);
  if (isShown && wanted.step !== undefined && Number.isInteger(wanted.step)) go(wanted.step);
  return isShown;
}

function list() {
  let group = "";
  for (const scene of [...state.scenes, ...state.motions, ...state.arms, ...state.manifolds, ...state.meshes, ...state.crowds]) {
    if (scene.group !== group) {
      group = scene.group;
      by("scenes").append(node("h2", {}, group));
    }
    const button = node("button", { "data-scene": scene.id, title: scene.about, ...("request" in scene ? { "data-many": "" } : isArm(scene.query) ? { "data-arm": "" } : isMotion(scene.query) ? { "data-motion": "" } : {}) }, scene.title);
    button.onclick = () => ("request" in scene ? gather(scene) : load(scene).then((isShown) => isShown && !isManifold(scene.query) && go(0)));
    by("scenes").append(button);
  }
}

// Many bodies.

const manyBody = new ManyBody({
  plane: world,
  space: () => space?.world,
  prepare,
  show: (dim) => face(dim, true),
  open: (query, about) => load({ query, about }),
  complain,
  remember: keep,
});

/** @param {import("./types.js").CrowdEntry} entry @param {number[]} [joints] */
async function gather(entry, joints) {
  play(false);
  requests.end();
  state.told = null;
  state.stop = undefined;
  state.scene = entry.id;
  guide();
  mark(entry.about);
  space?.world.models([]);
  complain("");
  by("crowd-pause").hidden = by("crowd-again").hidden = entry.request.ask === "robot";
  by("crowd-pause").textContent = "Pause";
  await manyBody.start(entry, joints);
}

by("crowd-pause").onclick = () => {
  manyBody.toggle();
  by("crowd-pause").textContent = manyBody.paused ? "Go on" : "Pause";
};
by("crowd-again").onclick = () => manyBody.entry && gather(manyBody.entry);

/** Says which scene is shown. @param {string} about */
function mark(about) {
  by("about").textContent = about;
  for (const button of by("scenes").querySelectorAll("button")) {
    button.setAttribute("aria-current", String(button.dataset.scene === state.scene));
  }
}

// The tour.

/** @param {number} at */
async function visit(at) {
  const stop = state.tour[at];
  const isShown = await load({ ...stop, tour: at, id: "" });
  if (isShown && stop.step === undefined) go(Infinity);
}

function guide() {
  const at = state.stop ?? -1;
  const stop = state.tour[at];
  by("tour-card").hidden = !stop;
  if (!stop) return;
  by("tour-title").textContent = `${at + 1} of ${state.tour.length}: ${stop.title}`;
  by("tour-text").textContent = stop.text;
  by("tour-back").disabled = stop === state.tour[0];
  by("tour-next").hidden = stop === state.tour.at(-1);
}
by("tour").onclick = () => visit(0);
by("tour-back").onclick = () => visit((state.stop ?? 0) - 1);
by("tour-next").onclick = () => visit((state.stop ?? 0) + 1);
by("tour-end").onclick = () => {
  state.stop = undefined;
  guide();
  remember();
};

// Meshes from files.

/** @param {File} file */
async function take(file) {
  if (/\.jsonl?$/i.test(file.name)) {
    const line = (await file.text()).split("\n").find((text) => text.trim() !== "") ?? "";
    try {
      await load({ query: JSON.parse(line), about: `The first line of ${file.name}.` });
    } catch (error) {
      complain(`${file.name} holds no line of the query format: ${words(error)}`);
    }
    return;
  }
  const mesh = await packed(file);
  if (isMeshes(state.query) && state.told) {
    const body = heldBody();
    await load({ query: { ...state.query, id: file.name, [body]: { ...state.query[body], mesh } }, about: `${file.name} as it is.` });
    return;
  }
  const found = await ask({ ask: "mesh", ...mesh });
  if (found.error) {
    complain(found.error.message);
    return;
  }
  const body = isSpace() ? heldBody() : "a";
  /** @type {import("./types.js").Query["a"]} */
  const cube = { shape: "box", half_extents: [1, 1, 1] };
  const query = isSpace() && !isMotion(state.query) ? state.query : { id: file.name, dim: 3, a: cube, b: cube };
  const pose = isSpace() ? query[body].pose : undefined;
  await load({ query: { ...query, [body]: { ...found.shape, ...(pose ? { pose } : {}) } }, about: [found.about, ...found.warnings].join("; ") });
}

/** One file as a body or a query; two as a pair of meshes. @param {FileList | null | undefined} files */
async function takeAll(files) {
  const [file, other] = files ?? [];
  if (file && other) {
    const [a, b] = await Promise.all([file, other].map(packed));
    await load({ query: { id: `${a.name}, ${b.name}`, a: { mesh: a }, b: { mesh: b } }, about: `${a.name} and ${b.name} as they are.` });
  } else if (file) {
    await take(file);
  }
}

by("import").onclick = () => by("file").click();
by("file").onchange = async () => {
  await takeAll(by("file").files);
  by("file").value = "";
};
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
addEventListener("dragleave", () => document.body.classList.remove("dropping"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  takeAll(event.dataTransfer?.files);
});

/** Shows what the address says. */
async function follow() {
  if (location.hash.length > 1) {
    try {
      const wanted = JSON.parse(decodeURIComponent(location.hash.slice(1)));
      const entry = state.crowds.find((entry) => entry.id === wanted.crowd);
      const meshes = state.meshes.find((scene) => scene.id === wanted.meshes);
      await (entry ? gather(entry, wanted.joints) : load(meshes ?? wanted));
      return;
    } catch {
      complain("The address holds no query that this lab can read; here is a scene instead.");
    }
  }
  if (await load(state.scenes[0])) go(0);
}

async function start() {
  Object.assign(state, await ask({ ask: "scenes" }));
  list();
  await follow();
}

// An address that is pasted into an open page; the page's own changes of it say nothing.
addEventListener("hashchange", follow);

start().catch((error) => complain(`The lab does not start: ${words(error)}`));
