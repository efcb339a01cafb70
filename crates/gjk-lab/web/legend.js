// What each layer is called, what it means in a sentence, and which section of docs/ derives it; and the list of those that are drawn. What keys do.

import { element } from "./plane.js";

/** @type {Record<string, {name: string, tip: string, page: string, figure: "area" | "line" | "dot" | "cross"}>} */
const LAYERS = {
  body_a: { name: "A", figure: "area", page: "docs/conventions.html#shapes",
    tip: "The first body. Drag it, or its vertices; shift and drag turns it." },
  body_b: { name: "B", figure: "area", page: "docs/conventions.html#shapes",
    tip: "The second body." },
  difference: { name: "A − B", figure: "area", page: "docs/gjk.html#the-difference",
    tip: "The Minkowski difference: all a − b. It holds the origin exactly when the bodies share a point." },
  cores: { name: "of the cores", figure: "area", page: "docs/gjk.html#radii",
    tip: "The difference without the radii: what the loops search. The radii are taken off at the end." },
  origin: { name: "origin", figure: "cross", page: "docs/gjk.html#the-difference",
    tip: "Zero: where a point of A and a point of B are the same." },
  direction: { name: "direction d", figure: "line", page: "docs/gjk.html#the-descent",
    tip: "Where the next support point is asked: from the simplex towards the origin." },
  support: { name: "support point w", figure: "dot", page: "docs/gjk.html#the-difference",
    tip: "The farthest point along d: A's farthest along d less B's farthest against d." },
  simplex: { name: "simplex", figure: "area", page: "docs/simplex.html#only-faces-with-the-newest-vertex",
    tip: "Up to three support points (four in space) whose nearest point to the origin is the best known." },
  vertex: { name: "its vertices", figure: "dot", page: "docs/simplex.html#only-faces-with-the-newest-vertex",
    tip: "The simplex's vertices: support points of earlier steps that are still needed, and the newest." },
  enclosing: { name: "encloses the origin", figure: "area", page: "docs/simplex.html#full-simplex",
    tip: "A simplex around the origin: proof that the bodies overlap." },
  candidate: { name: "with the new point", figure: "line", page: "docs/simplex.html#only-faces-with-the-newest-vertex",
    tip: "The simplex with the new support point, before it is cut to its nearest face." },
  region_chosen: { name: "region chosen", figure: "area", page: "docs/simplex.html#edge-a-b",
    tip: "The Voronoi region that holds the origin: its face is what stays of the simplex." },
  region: { name: "other regions", figure: "line", page: "docs/simplex.html#edge-a-b",
    tip: "Regions of the plane by the face of the simplex that is nearest." },
  nearest: { name: "nearest point v", figure: "line", page: "docs/gjk.html#two-bounds",
    tip: "From the origin to the nearest point of the simplex; its length bounds the distance from above." },
  polytope: { name: "EPA's polytope", figure: "line", page: "docs/epa.html#two-bounds",
    tip: "Grown from the simplex inside the difference: its nearest facet bounds the depth from below." },
  facet: { name: "nearest facet", figure: "line", page: "docs/epa.html#proof",
    tip: "Where the polytope grows next. Once it is a facet of the difference itself, its distance is the depth." },
  plane: { name: "separating line", figure: "line", page: "docs/exactness.html#certificates",
    tip: "The certificate of separation: all of A on one side, all of B on the other." },
  witness: { name: "witness points", figure: "dot", page: "docs/gjk.html#witness-points",
    tip: "A point of each body, as far apart as the bodies are, or as deep as they overlap." },
  certificate: { name: "certificate", figure: "dot", page: "docs/conventions.html#certificates",
    tip: "The pairs of vertices that prove the verdict: around the origin, or on it. Anyone can check them." },
  cloud: { name: "all a − b", figure: "dot", page: "docs/gjk.html#the-difference",
    tip: "The differences of all pairs of vertices. Their hull is A − B." },
  next_direction: { name: "next direction", figure: "line", page: "docs/gjk.html#the-descent",
    tip: "Where the step after this one asks." },
  normal_in: { name: "normal, origin inside", figure: "line", page: "docs/simplex.html#full-simplex",
    tip: "The outward normal of a face that has the origin on its inner side." },
  normal_out: { name: "normal, origin outside", figure: "line", page: "docs/simplex.html#full-simplex",
    tip: "The outward normal of a face that has the origin on its outer side: the search goes on there." },
  contact: { name: "contact", figure: "dot", page: "docs/conventions.html#signs",
    tip: "The deepest points of two bodies that overlap, and the normal that parts them." },
  mover: { name: "body", figure: "area", page: "docs/conventions.html#shapes",
    tip: "A body that overlaps no other. In space neighbours differ in colour, to tell them apart." },
  mover_hit: { name: "overlapping", figure: "area", page: "docs/conventions.html#signs",
    tip: "A body that shares interior with another one, as the library proves." },
  wall: { name: "wall", figure: "area", page: "docs/conventions.html#shapes",
    tip: "A box that does not move: bodies turn back from it." },
  gap: { name: "shortest gap", figure: "line", page: "docs/gjk.html#witness-points",
    tip: "Between the witness points of two bodies that are apart: the shortest three of all." },
  box_a: { name: "box of A", figure: "line", page: "docs/meshes.html#which-triangles-are-asked",
    tip: "A box of A's tree that is still in question: some box of B is not proved too far away." },
  box_b: { name: "box of B", figure: "line", page: "docs/meshes.html#which-triangles-are-asked",
    tip: "A box of B's tree that is still in question." },
  box_out_a: { name: "left out, of A", figure: "line", page: "docs/meshes.html#which-triangles-are-asked",
    tip: "A box of A that all boxes of B it was compared with are too far from: nothing in it is asked." },
  box_out_b: { name: "left out, of B", figure: "line", page: "docs/meshes.html#which-triangles-are-asked",
    tip: "A box of B that all boxes of A it was compared with are too far from: nothing in it is asked." },
  asked_a: { name: "asked, of A", figure: "area", page: "docs/meshes.html#which-triangles-are-asked",
    tip: "Triangles of A that no box told apart from some of B: exact signs are asked of them." },
  asked_b: { name: "asked, of B", figure: "area", page: "docs/meshes.html#which-triangles-are-asked",
    tip: "Triangles of B that no box told apart from some of A." },
  triangle_a: { name: "triangle of A", figure: "area", page: "docs/meshes.html#two-triangles",
    tip: "A triangle of A that meets one of B, or holds the contact." },
  triangle_b: { name: "triangle of B", figure: "area", page: "docs/meshes.html#two-triangles",
    tip: "A triangle of B that meets one of A, or holds the contact." },
  cell: { name: "point", figure: "dot", page: "docs/meshes.html#the-relation-of-two-bodies",
    tip: "A point at which features of both bodies meet, or one of a shell that was asked by a ray." },
  common: { name: "direction that tells", figure: "line", page: "docs/meshes.html#the-relation-of-two-bodies",
    tip: "From the point: a direction about which it was seen who goes where; of an overlap, one at which the insides meet." },
  sphere: { name: "directions", figure: "line", page: "docs/meshes.html#the-relation-of-two-bodies",
    tip: "The sphere of all directions from the point." },
  cone_a: { name: "cone of A", figure: "area", page: "docs/meshes.html#the-relation-of-two-bodies",
    tip: "The sectors of A's surface at the point: near it A is this cone." },
  cone_b: { name: "cone of B", figure: "area", page: "docs/meshes.html#the-relation-of-two-bodies",
    tip: "The sectors of B's surface at the point." },
  cone_inside_a: { name: "into A only", figure: "dot", page: "docs/meshes.html#the-relation-of-two-bodies",
    tip: "Some of the directions that go into A and not into B: A leaves B there." },
  cone_inside_b: { name: "into B only", figure: "dot", page: "docs/meshes.html#the-relation-of-two-bodies",
    tip: "Some of the directions that go into B and not into A: B leaves A there." },
  cone_both: { name: "into both", figure: "dot", page: "docs/meshes.html#the-relation-of-two-bodies",
    tip: "Some of the directions that go into both bodies: their insides meet." },
  start_a: { name: "A at the start", figure: "area", page: "docs/toi.html#what-is-asked", tip: "Where A is at t = 0: its pose." },
  start_b: { name: "B at the start", figure: "area", page: "docs/toi.html#what-is-asked", tip: "Where B is at t = 0: its pose." },
  end_a: { name: "A at the end", figure: "area", page: "docs/toi.html#what-is-asked",
    tip: "Where A's motion ends, or the last time that is drawn. Drag it; shift and drag turns it." },
  end_b: { name: "B at the end", figure: "area", page: "docs/toi.html#what-is-asked",
    tip: "Where B's motion ends, or the last time that is drawn. Drag it; shift and drag turns it." },
  path_a: { name: "A's way", figure: "line", page: "docs/toi.html#what-is-asked", tip: "The way of the origin of A's own frame." },
  path_b: { name: "B's way", figure: "line", page: "docs/toi.html#what-is-asked", tip: "The way of the origin of B's own frame; of a ray its point." },
  link_a: { name: "A, a link", figure: "area", page: "docs/paths.html#the-bound-of-a-span", tip: "The first of the two links, where it is at this time." },
  link_b: { name: "B, a link", figure: "area", page: "docs/paths.html#the-bound-of-a-span", tip: "The second of the two links, where it is at this time." },
  link: { name: "the rest", figure: "area", page: "docs/paths.html#what-is-asked", tip: "The other links: pairs are proved one at a time." },
  link_far: { name: "start and end", figure: "line", page: "docs/paths.html#what-is-asked", tip: "The arm where the whole path begins and where it ends." },
  way: { name: "B's way", figure: "line", page: "docs/paths.html#what-is-asked", tip: "The way of B's middle over the whole path: joints go straight, and so it bends." },
  link_end_a: { name: "A at both ends", figure: "line", page: "docs/paths.html#the-bound-of-a-span", tip: "Where A is when the span begins and when it ends." },
  link_end_b: { name: "B at both ends", figure: "line", page: "docs/paths.html#the-bound-of-a-span", tip: "Where B is when the span begins and when it ends." },
  end_difference: { name: "A − B at both ends", figure: "area", page: "docs/paths.html#the-bound-of-a-span",
    tip: "All a − b when the span begins and when it ends, in the frame of the chain that leaves least over." },
  chord_hull: { name: "their hull", figure: "line", page: "docs/paths.html#the-bound-of-a-span",
    tip: "What the differences would pass if each went straight from its start to its end." },
  swept_bound: { name: "bound of the span", figure: "area", page: "docs/paths.html#the-bound-of-a-span",
    tip: "The hull, and a ball over it that holds how far the curves are from their chords: all differences of the span are in it. Apart where it has not the origin." },
  face_a: { name: "face of A", figure: "area", page: "docs/manifolds.html#how", tip: "The face, edge or vertex of A that bears on B." },
  face_b: { name: "face of B", figure: "area", page: "docs/manifolds.html#how", tip: "The face, edge or vertex of B that bears on A." },
  shared: { name: "intersection", figure: "area", page: "docs/manifolds.html#how",
    tip: "What both faces cover, seen along the normal: where the bodies bear on each other." },
  overlap: { name: "all of it", figure: "area", page: "docs/manifolds.html#how",
    tip: "The whole intersection within the prediction, of which only some corners are kept." },
  corner: { name: "its corners", figure: "dot", page: "docs/manifolds.html#how",
    tip: "Corners of the intersection, each named by what of A and of B meets there." },
  corner_left: { name: "left out", figure: "dot", page: "docs/manifolds.html#how",
    tip: "Corners that are farther apart than the prediction, or that add least to the area." },
  bearing: { name: "points", figure: "dot", page: "docs/manifolds.html#what-is-answered",
    tip: "The points of the manifold, on A and on B, with how far they are apart along the normal." },
  kept_point: { name: "point with its impulse", figure: "dot", page: "docs/manifolds.html#from-step-to-step",
    tip: "A point of a manifold whose id was there in the step before: it starts from the impulse that it had." },
  new_point: { name: "new point", figure: "dot", page: "docs/manifolds.html#from-step-to-step",
    tip: "A point whose id was not there in the step before: it starts from nothing." },
  normal: { name: "normal n", figure: "line", page: "docs/epa.html#the-epa-loop",
    tip: "From A to B. Moving B along it by the depth parts the bodies." },
};

/** What keys and the mouse do. */
export const KEYS = [["← →", "one step back or on"], ["Home End", "first step, the answer"], ["space", "play or pause"], ["← → Home End", "of a motion: a hundredth of the time back or on, the start, the end"], ["f", "fit the view"],
    ["Tab", "to a body, then arrow keys move it (Shift: farther), [ and ] turn it"], ["drag", "a body, a vertex, the ground"],
    ["Shift drag", "turns a body"], ["wheel", "zooms"], ["double-click", "on a body adds a vertex"], ["Alt click", "on a vertex removes it"],
    ["h", "hide the controls, or show them again"], ["m r s", "in space: move, turn or scale the body that is held"], ["w", "in space: wire frame or faces"]];

/** An element of a page. @param {string} name @param {Record<string, string>} attributes @param {...(Node | string)} children */
export function node(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Shows the entries of these layers in a list; an entry that stays keeps the focus. @param {HTMLElement} list @param {Set<string>} layers */
export function legend(list, layers) {
  if (list.children.length === 0) list.append(...Object.keys(LAYERS).map((layer) => entry(list.id, layer)));
  for (const item of list.querySelectorAll("li")) item.hidden = !layers.has(item.dataset.layer ?? "");
}

/** @param {string} list @param {string} layer */
function entry(list, layer) {
  const { name, tip, page, figure } = LAYERS[layer];
  const svg = element("svg", { viewBox: "0 0 26 16", "aria-hidden": "true" });
  const marks = {
    area: () => element("rect", { x: 2, y: 3, width: 22, height: 10, class: layer }),
    line: () => element("line", { x1: 2, y1: 8, x2: 24, y2: 8, class: layer }),
    dot: () => element("circle", { cx: 13, cy: 8, r: 5, class: layer }),
    cross: () => element("path", { d: "M5 8h16M13 0v16", class: layer }),
  };
  svg.append(marks[figure]());
  const why = node("a", { href: page, target: "_blank", rel: "noopener", "aria-label": `why: ${name}` }, "why");
  const said = node("span", { role: "tooltip", id: `${list}-${layer}` }, tip);
  const shown = node("span", { class: "entry", tabindex: "0", "aria-describedby": said.id }, svg, name);
  const item = node("li", { "data-layer": layer }, shown, node("div", { class: "tip" }, said, " ", why));
  item.onkeydown = (event) => {
    if (event.key === "Escape") /** @type {HTMLElement} */ (event.target).blur();
  };
  return item;
}
