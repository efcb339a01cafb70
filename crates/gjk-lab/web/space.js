// Pictures of space: items as three.js objects, a free camera, and a gizmo that turns drags into edits. No geometry of the
// algorithm is computed here.

import * as three from "./vendor/three.js";

/** What each layer looks like: a colour of the style sheet, how much of it, how thick. */
/** @type {Record<string, import("./types.js").Look>} */
const LOOKS = {
  body_a: { colour: "--a", opacity: 0.55, edges: true },
  body_b: { colour: "--b", opacity: 0.55, edges: true },
  difference: { colour: "--dim", opacity: 0.14, edges: true, edge: 0.3 },
  cores: { colour: "--dim", opacity: 0.08, edges: false },
  origin: { colour: "--text", size: 9 },
  simplex: { colour: "--new", opacity: 0.45, edges: true, size: 8, width: 3 },
  enclosing: { colour: "--simplex", opacity: 0.55, edges: true, size: 8 },
  vertex: { colour: "--new", size: 9 },
  support: { colour: "--new", size: 12 },
  direction: { colour: "--new" },
  nearest: { colour: "--text", dashed: true },
  gap: { colour: "--text", dashed: true },
  polytope: { colour: "--polytope", opacity: 0.22, edges: true },
  facet: { colour: "--polytope", opacity: 0.9, edges: true, size: 8 },
  plane: { colour: "--good", opacity: 0.22 },
  witness: { colour: "--text", size: 10 },
  normal: { colour: "--text" },
  contact: { colour: "--text", size: 9, reach: 0.12 },
  start_a: { colour: "--a", opacity: 0.06, edges: true, edge: 0.25 },
  start_b: { colour: "--b", opacity: 0.06, edges: true, edge: 0.25 },
  end_a: { colour: "--a", opacity: 0.14, edges: true, edge: 0.5 },
  end_b: { colour: "--b", opacity: 0.14, edges: true, edge: 0.5 },
  path_a: { colour: "--a", dashed: true },
  path_b: { colour: "--b", dashed: true },
  face_a: { colour: "--a", opacity: 0.7, edges: true, size: 10, over: true },
  face_b: { colour: "--b", opacity: 0.7, edges: true, size: 10, over: true },
  shared: { colour: "--new", opacity: 0.6, edges: true, size: 9 },
  overlap: { colour: "--new", opacity: 0.15, edges: true, edge: 0.5, size: 4 },
  corner: { colour: "--new", size: 9 },
  corner_left: { colour: "--dim", size: 8 },
  kept_point: { colour: "--good", size: 8 },
  new_point: { colour: "--new", size: 10 },
  bearing: { colour: "--text", size: 10 },
  box_a: { colour: "--a", opacity: 0.8 },
  box_b: { colour: "--b", opacity: 0.8 },
  box_out_a: { colour: "--a", opacity: 0.18 },
  box_out_b: { colour: "--b", opacity: 0.18 },
  asked_a: { colour: "--a", opacity: 0.75, edges: true },
  asked_b: { colour: "--b", opacity: 0.75, edges: true },
  triangle_a: { colour: "--a", opacity: 1, edges: true, over: true },
  triangle_b: { colour: "--b", opacity: 1, edges: true, over: true },
  cell: { colour: "--new", size: 12 },
  common: { colour: "--new" },
  sphere: { colour: "--edge" },
  cone_a: { colour: "--a", opacity: 0.5, edges: true },
  cone_b: { colour: "--b", opacity: 0.5, edges: true },
  cone_inside_a: { colour: "--a", size: 5 },
  cone_inside_b: { colour: "--b", size: 5 },
  cone_both: { colour: "--new", size: 9 },
  cloud: { colour: "--bad", size: 4 },
  certificate: { colour: "--good", opacity: 0.3, edges: true, size: 11 },
  next_direction: { colour: "--a", reach: 0.6 },
  normal_in: { colour: "--good", reach: 0.22 },
  normal_out: { colour: "--bad", reach: 0.22 },
};

/** Many bodies, by number. */
const MOVERS = ["--a", "--b", "--simplex", "--polytope"];

/** @param {number[]} p */
const vector = (p) => new three.Vector3(p[0], p[1], p[2] ?? 0);

export class SpaceView {
  /** @param {HTMLElement} host @param {boolean} editable */
  constructor(host, editable) {
    this.host = host;
    this.renderer = new three.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    host.append(this.renderer.domElement);
    this.scene = new three.Scene();
    this.camera = new three.PerspectiveCamera(40, 1, 0.01, 1000);
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(6, -9, 6);
    this.scene.add(new three.AmbientLight(0xffffff, 1.6));
    const sun = new three.DirectionalLight(0xffffff, 1.8);
    sun.position.set(2, -3, 5);
    this.camera.add(sun);
    this.scene.add(this.camera);
    this.content = new three.Group();
    this.scene.add(this.content);
    /** Bodies that are made once and moved. */
    this.manyBodies = new three.Group();
    this.scene.add(this.manyBodies);
    this.controls = new three.OrbitControls(this.camera, this.renderer.domElement);
    this.controls.addEventListener("change", () => this.render());
    this.radius = 1;
    this.wire = false;
    /** @type {{words: HTMLElement, at: three.Vector3}[]} */
    this.labels = [];
    /** @type {(event: import("./types.js").SpaceDrag) => void} */
    this.onDrag = () => {};
    /** @type {import("./types.js").Item[]} */
    this.items = [];
    if (editable) this.#gizmo();
    new ResizeObserver(() => this.#resize()).observe(host);
    this.#resize();
  }

  /** Shows all of these points, over a ground with lines or none. @param {number[][]} points @param {boolean} [lined] */
  fit(points, lined = true) {
    const low = new three.Vector3(Infinity, Infinity, Infinity), high = low.clone().negate();
    for (const p of points) {
      low.min(vector(p));
      high.max(vector(p));
    }
    if (!(low.x <= high.x)) return;
    const centre = low.clone().add(high).multiplyScalar(0.5);
    this.radius = Math.max(high.distanceTo(low) / 2, 1e-30);
    const away = this.camera.position.clone().sub(this.controls.target).normalize();
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(away, (this.radius * 1.1) / Math.sin(Math.PI / 9) / Math.min(1, this.camera.aspect));
    this.camera.near = this.radius / 100;
    this.camera.far = this.radius * 100;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.grid?.removeFromParent();
    if (!lined) return;
    const step = 10 ** Math.ceil(Math.log10(this.radius / 5));
    this.grid = new three.GridHelper(20 * step, 20, this.#colour("--edge"), this.#colour("--grid"));
    this.grid.rotateX(Math.PI / 2);
    this.grid.position.z = low.z;
    this.scene.add(this.grid);
  }

  /** Makes many bodies; none ends it. @param {import("./many_body.js").Model[]} models */
  models(models) {
    this.#dispose(this.manyBodies);
    models.forEach((model, k) => {
      const wall = model.layer === "wall";
      const group = new three.Group();
      /** @type {import("./types.js").Look} */
      const look = wall ? { colour: "--dim", opacity: 0.04, edges: true, edge: 0.15 }
        : LOOKS[model.layer] ? { ...LOOKS[model.layer], opacity: 0.25, edge: 0.6 } : { colour: MOVERS[k % MOVERS.length], opacity: 1, edges: false };
      const colour = this.#colour(look.colour);
      group.add(...this.#solid(model, look, colour));
      for (const object of group.children) object.userData.layer = model.layer;
      group.matrixAutoUpdate = false;
      group.userData.colour = colour;
      this.manyBodies.add(group);
    });
    this.handle?.detach();
  }

  /** Puts them where they are. @param {import("./many_body.js").Place[]} places */
  place(places) {
    places.forEach(({ columns: [x, y, z], translation: t, hit }, k) => {
      const group = this.manyBodies.children[k];
      group.matrix.set(x[0], y[0], z[0], t[0], x[1], y[1], z[1], t[1], x[2], y[2], z[2], t[2], 0, 0, 0, 1);
      group.matrixWorldNeedsUpdate = true;
      const colour = hit ? this.#colour("--new") : group.userData.colour;
      for (const object of group.children) /** @type {any} */ (object).material.color.copy(colour);
    });
  }

  /** @param {three.Group} group */
  #dispose(group) {
    group.traverse((object) => {
      /** @type {any} */ (object).geometry?.dispose();
      /** @type {any} */ (object).material?.dispose?.();
    });
    group.clear();
  }

  /** @param {import("./plane.js").Item[]} items */
  draw(items) {
    this.items = items;
    this.#dispose(this.content);
    for (const item of items) for (const object of this.#objects(item)) {
      object.userData.layer = item.layer;
      this.content.add(object);
    }
    this.#name();
    this.render();
  }

  render() {
    this.renderer.render(this.scene, this.camera);
    this.#place();
  }

  /** The words beside what they name. */
  #name() {
    for (const label of this.labels) label.words.remove();
    this.labels = this.items.filter((item) => item.label).map((item) => {
      const points = item.points ?? [item.figure === "plane" ? item.through : item.from];
      const middle = points.reduce((sum, p) => sum.add(vector(p)), new three.Vector3()).divideScalar(points.length);
      // A body's name is above it, an arrow's at its head.
      if (item.figure === "mesh") middle.z = Math.max(...points.map((p) => p[2]));
      if (item.figure === "arrow") middle.addScaledVector(vector(item.direction), this.radius * 0.5);
      const words = document.createElement("span");
      words.className = "label";
      words.textContent = item.label ?? "";
      this.host.append(words);
      return { words, at: middle };
    });
  }

  #place() {
    const { clientWidth: width, clientHeight: height } = this.host;
    for (const { words, at } of this.labels) {
      const seen = at.clone().project(this.camera);
      words.hidden = seen.z > 1;
      words.style.left = `${((seen.x + 1) / 2) * width + 6}px`;
      words.style.top = `${((1 - seen.y) / 2) * height - 20}px`;
    }
  }

  /** A picture of what is shown. */
  picture() {
    this.render();
    return this.renderer.domElement.toDataURL("image/png");
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.render();
  }

  /** @param {string} name */
  #colour(name) {
    return new three.Color(getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  }

  /** @param {import("./types.js").Item} item @returns {three.Object3D[]} */
  #objects(item) {
    const look = LOOKS[item.layer] ?? { colour: "--text", opacity: 0.5, size: 8 };
    const colour = this.#colour(look.colour);
    switch (item.figure) {
      case "mesh":
      case "polygon":
        return this.#solid(item, look, colour);
      case "line": {
        const geometry = new three.BufferGeometry().setFromPoints(item.points.map(vector));
        const dash = this.radius / 40;
        const material = look.dashed
          ? new three.LineDashedMaterial({ color: colour, dashSize: dash, gapSize: dash, depthTest: false })
          : new three.LineBasicMaterial({ color: colour, depthTest: false });
        const line = new three.Line(geometry, material);
        line.computeLineDistances();
        return [line];
      }
      case "edges": {
        const ends = item.edges.flatMap((ends) => ends.map((k) => vector(item.points[k])));
        const lines = new three.BufferGeometry().setFromPoints(ends);
        return [new three.LineSegments(lines, new three.LineBasicMaterial({ color: colour, transparent: true, opacity: look.opacity ?? 1 }))];
      }
      case "dots": {
        const geometry = new three.BufferGeometry().setFromPoints(item.points.map(vector));
        return [new three.Points(geometry, new three.PointsMaterial({ color: colour, size: look.size ?? 8, sizeAttenuation: false, depthTest: false }))];
      }
      case "arrow":
        if (item.direction.every((x) => x === 0)) return [];
        return [new three.ArrowHelper(vector(item.direction), vector(item.from), this.radius * (look.reach ?? 0.45), colour, this.radius * 0.07, this.radius * 0.04)];
      case "plane": {
        const plane = new three.Mesh(new three.PlaneGeometry(this.radius * 1.3, this.radius * 1.3),
          new three.MeshBasicMaterial({ color: colour, opacity: look.opacity, transparent: true, side: three.DoubleSide, depthWrite: false }));
        plane.quaternion.setFromUnitVectors(new three.Vector3(0, 0, 1), vector(item.normal));
        plane.position.copy(vector(item.through));
        return [plane];
      }
      default:
        return [];
    }
  }

  /** @param {import("./types.js").Item & {points: number[][]}} item @param {import("./types.js").Look} look @param {three.Color} colour */
  #solid(item, look, colour) {
    const faces = item.faces ?? [item.points.map((_, k) => k)];
    /** @type {three.Vector3[]} */
    const corners = [];
    /** @type {three.Vector3[]} */
    const edges = [];
    for (const face of faces) {
      face.forEach((from, k) => edges.push(vector(item.points[from]), vector(item.points[face[(k + 1) % face.length]])));
      for (let k = 2; k < face.length; k++) corners.push(...[face[0], face[k - 1], face[k]].map((id) => vector(item.points[id])));
    }
    const geometry = new three.BufferGeometry().setFromPoints(corners);
    geometry.computeVertexNormals();
    const opacity = look.opacity ?? 0.5;
    const material = new three.MeshLambertMaterial({ color: colour, opacity, transparent: opacity < 1, side: three.DoubleSide,
      depthWrite: opacity === 1, flatShading: true });
    /** @type {three.Object3D[]} */
    const made = this.wire ? [] : [new three.Mesh(geometry, material)];
    // The edges of a fine mesh would hide its faces.
    const drawn = item.edges && !this.wire ? item.edges.flat().map((k) => vector(item.points[k])) : edges;
    if (this.wire || (look.edges && (item.edges || faces.length <= 200))) {
      const lines = new three.BufferGeometry().setFromPoints(drawn);
      made.push(new three.LineSegments(lines, new three.LineBasicMaterial({ color: colour, transparent: true, opacity: look.edge ?? 0.9 })));
    }
    return made;
  }

  // The gizmo stands at a body's origin; what it is moved, turned and scaled by becomes an edit of the query.
  #gizmo() {
    this.anchor = new three.Group();
    this.scene.add(this.anchor);
    this.handle = new three.TransformControls(this.camera, this.renderer.domElement);
    this.handle.setSize(0.8);
    this.scene.add(this.handle.getHelper());
    this.handle.addEventListener("change", () => this.render());
    this.handle.addEventListener("dragging-changed", (event) => {
      this.controls.enabled = !event.value;
      this.onDrag(event.value ? { kind: "begin" } : { kind: "end" });
    });
    this.handle.addEventListener("objectChange", () => this.#dragged());
    const ray = new three.Raycaster();
    let down = [0, 0];
    this.renderer.domElement.addEventListener("pointerdown", (event) => { down = [event.clientX, event.clientY]; });
    this.renderer.domElement.addEventListener("click", (event) => {
      // The end of a drag chooses nothing.
      if (Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
      const box = this.renderer.domElement.getBoundingClientRect();
      const at = new three.Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
      ray.setFromCamera(at, this.camera);
      const hit = ray.intersectObjects([...this.content.children, ...this.manyBodies.children]).find((found) => /^(body|end)_/.test(found.object.userData.layer ?? ""));
      if (!hit) return;
      const [, kind, body] = /^(body|end)_(.)$/.exec(hit.object.userData.layer) ?? [];
      this.onDrag({ kind: "choose", body: /** @type {import("./types.js").Held} */ (kind === "end" ? `${body}_end` : body) });
    });
  }

  /** Puts the gizmo at a body. @param {import("./types.js").Held} body @param {number[]} at @param {import("./types.js").Mode} mode */
  hold(body, at, mode) {
    const { anchor, handle } = this;
    if (!anchor || !handle) return;
    this.held = body;
    handle.setMode(mode);
    if (handle.dragging) return;
    anchor.position.set(at[0] ?? 0, at[1] ?? 0, at[2] ?? 0);
    anchor.quaternion.identity();
    anchor.scale.set(1, 1, 1);
    this.from = anchor.position.clone();
    handle.attach(anchor);
  }

  #dragged() {
    const { anchor, handle, held: body, from } = this;
    if (!anchor || !handle || !body || !from) return;
    const { position, quaternion, scale } = anchor;
    if (handle.mode === "translate") {
      this.onDrag({ kind: "edit", edit: { edit: "move", body, by: position.clone().sub(from).toArray() } });
    } else if (handle.mode === "rotate") {
      const half = Math.hypot(quaternion.x, quaternion.y, quaternion.z);
      if (half === 0) return;
      const axis = [quaternion.x / half, quaternion.y / half, quaternion.z / half];
      this.onDrag({ kind: "edit", edit: { edit: "turn", body, angle: 2 * Math.atan2(half, quaternion.w), axis } });
    } else {
      const by = scale.toArray().map((x) => (Math.abs(x) < 0.01 ? 0.01 : x));
      this.onDrag({ kind: "edit", edit: { edit: "scale", body, by } });
    }
  }
}
