// What each layer is called, and what it means in a sentence.

/** @type {Record<string, {name: string, tip: string, figure: "area" | "line" | "dot" | "cross"}>} */
export const LAYERS = {
  body_a: { name: "A", figure: "area", tip: "The first body. Drag it, or its vertices; shift and drag turns it." },
  body_b: { name: "B", figure: "area", tip: "The second body." },
  difference: { name: "A − B", figure: "area", tip: "The Minkowski difference: all a − b. It holds the origin exactly when the bodies share a point." },
  cores: { name: "of the cores", figure: "area", tip: "The difference without the radii: what the loops search. The radii are taken off at the end." },
  origin: { name: "origin", figure: "cross", tip: "Zero: where a point of A and a point of B are the same." },
  direction: { name: "direction d", figure: "line", tip: "Where the next support point is asked: from the simplex towards the origin." },
  support: { name: "support point w", figure: "dot", tip: "The farthest point along d: A's farthest along d less B's farthest against d." },
  simplex: { name: "simplex", figure: "area", tip: "Up to three support points (four in space) whose nearest point to the origin is the best known." },
  enclosing: { name: "encloses the origin", figure: "area", tip: "A simplex around the origin: proof that the bodies overlap." },
  candidate: { name: "with the new point", figure: "line", tip: "The simplex with the new support point, before it is cut to its nearest face." },
  region_chosen: { name: "region chosen", figure: "area", tip: "The Voronoi region that holds the origin: its face is what stays of the simplex." },
  region: { name: "other regions", figure: "line", tip: "Regions of the plane by the face of the simplex that is nearest." },
  nearest: { name: "nearest point v", figure: "line", tip: "From the origin to the nearest point of the simplex; its length bounds the distance from above." },
  polytope: { name: "EPA's polytope", figure: "line", tip: "Grown from the simplex inside the difference: its nearest facet bounds the depth from below." },
  facet: { name: "nearest facet", figure: "line", tip: "Where the polytope grows next. Once it is a facet of the difference itself, its distance is the depth." },
  plane: { name: "separating line", figure: "line", tip: "The certificate of separation: all of A on one side, all of B on the other." },
  witness: { name: "witness points", figure: "dot", tip: "A point of each body, as far apart as the bodies are, or as deep as they overlap." },
  certificate: { name: "certificate", figure: "dot", tip: "The pairs of vertices that prove the verdict: around the origin, or on it. Anyone can check them." },
  cloud: { name: "all a − b", figure: "dot", tip: "The differences of all pairs of vertices. Their hull is A − B." },
  next_direction: { name: "next direction", figure: "line", tip: "Where the step after this one asks." },
  normal_in: { name: "normal, origin inside", figure: "line", tip: "The outward normal of a face that has the origin on its inner side." },
  normal_out: { name: "normal, origin outside", figure: "line", tip: "The outward normal of a face that has the origin on its outer side: the search goes on there." },
  normal: { name: "normal n", figure: "line", tip: "From A to B. Moving B along it by the depth parts the bodies." },
};
