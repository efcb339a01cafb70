// What a body can be made: shapes of the query format, in the plane and in space.

/** @type {Record<string, import("./types.js").Shape>} */
export const SHAPES = {
  square: { shape: "box", half_extents: [1.5, 1.5] },
  triangle: { shape: "convex", points: [[-1.5, -1], [1.8, -0.8], [0, 1.8]] },
  hexagon: { shape: "convex", points: [[2, 0], [1, 1.7], [-1, 1.7], [-2, 0], [-1, -1.7], [1, -1.7]] },
  circle: { shape: "ball", radius: 1.5 },
  ellipse: { shape: "ellipsoid", radii: [2.4, 1.1] },
  capsule: { shape: "capsule", half_height: 1.4, radius: 0.7, axis: "x" },
  "rounded box": { shape: "rounded", core: { shape: "box", half_extents: [1.2, 0.8] }, radius: 0.5 },
  segment: { shape: "segment", a: [-1.5, -1], b: [1.5, 1] },
  point: { shape: "point", point: [0, 0] },
};

/** @type {Record<string, import("./types.js").Shape>} */
export const SOLIDS = {
  cube: { shape: "box", half_extents: [1, 1, 1] },
  ball: { shape: "ball", radius: 1.2 },
  capsule: { shape: "capsule", half_height: 1.2, radius: 0.6, axis: "z" },
  cylinder: { shape: "cylinder", half_height: 1, radius: 0.8, axis: "z" },
  cone: { shape: "cone", half_height: 1, radius: 1, axis: "z" },
  ellipsoid: { shape: "ellipsoid", radii: [1.6, 1, 0.7] },
  "rounded box": { shape: "rounded", core: { shape: "box", half_extents: [1, 0.7, 0.5] }, radius: 0.3 },
  tetrahedron: { shape: "convex", points: [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]] },
  triangle: { shape: "triangle", a: [-1.5, -1, 0], b: [1.5, -1, 0], c: [0, 1.5, 0] },
  segment: { shape: "segment", a: [-1.5, 0, -1], b: [1.5, 0, 1] },
  point: { shape: "point", point: [0, 0, 0] },
};
