// The bodies in space: the lab's view of space, with forms that are made once and placed as often as they are used.

import { SpaceView } from "./space.js";
import * as three from "./vendor/three.js";

/** From where one looks at first: from the front, the right and above. */
const FROM = new three.Vector3(0.55, -1, 0.6).normalize();
/** How far a key turns, in radians. */
const TURN = 0.12;

/** @param {string} name */
const colour = (name) => new three.Color(getComputedStyle(document.documentElement).getPropertyValue(name).trim());

/** A face's material and an edge's. @param {number} opacity @param {number} edge */
function look(opacity, edge) {
  const isClear = opacity < 1;
  return {
    face: new three.MeshLambertMaterial({ opacity, transparent: isClear, depthWrite: !isClear, side: three.DoubleSide, flatShading: true,
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }),
    line: new three.LineBasicMaterial({ opacity: edge, transparent: true, depthWrite: false }),
  };
}

export class Picture extends SpaceView {
  /** @param {HTMLElement} host @param {any} scene the forms, parts and poses of the page */
  constructor(host, scene) {
    super(host, false);
    this.from = scene;
    this.controls.zoomToCursor = true;
    /** Of the smaller body, of the larger one, and of the others, faint and solid. */
    // The more bodies stand behind one another, the fainter each.
    const veil = Math.min(0.06, 0.2 / Math.sqrt(scene.parts.length));
    this.looks = { small: [look(1, 0.9), look(1, 0.9)], large: [look(0.38, 0.75), look(0.38, 0.75)], faint: look(veil, 2.5 * veil), solid: look(1, 0.45) };
    // The others veil nothing: what is chosen is drawn over them, the smaller body too.
    for (const { face } of this.looks.small) face.transparent = true;
    this.#light();
    this.mode = "faint";
    /** @type {number[]} */
    this.chosen = [];
    /** @type {any} */
    this.pair = null;
    /** @type {(body: number | null) => void} */
    this.onPick = () => {};
    this.#make();
    this.retint();
    this.#picking();
  }

  /** Draws with the next frame, once however often it is asked for. */
  render() {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(() => {
      this.isAsked = false;
      super.render();
    });
  }

  /** Less light from all around than the lab has, so that forms are plain; the rest comes over the left shoulder, wherever one looks. */
  #light() {
    this.scene.traverse((object) => {
      const light = /** @type {any} */ (object);
      if (light.isAmbientLight) light.intensity = 1.15;
      if (!light.isDirectionalLight) return;
      light.intensity = 2.3;
      light.position.set(-2, 3.5, 5);
    });
    for (const light of this.camera.children) {
      const { target } = /** @type {any} */ (light);
      if (target) this.camera.add(target);
    }
  }

  /** Forms as geometries, parts as groups of a mesh and its edges. */
  #make() {
    const forms = this.from.forms.map((/** @type {any} */ form) => {
      const corners = new three.BufferAttribute(form.corners, 3);
      const geometry = (/** @type {any} */ indices) => {
        const made = new three.BufferGeometry();
        made.setAttribute("position", corners);
        made.setIndex(new three.BufferAttribute(indices, 1));
        made.computeBoundingBox();
        made.computeBoundingSphere();
        return made;
      };
      const points = new three.BufferGeometry();
      points.setAttribute("position", corners);
      return { faces: geometry(form.triangles), edges: geometry(form.edges), points, isPoint: form.triangles.length + form.edges.length === 0 };
    });
    this.parts = this.from.parts.map((/** @type {any} */ { body, form: k }) => {
      const form = forms[k];
      const group = new three.Group();
      group.matrixAutoUpdate = false;
      const face = new three.Mesh(form.faces);
      const line = form.isPoint ? new three.Points(form.points, new three.PointsMaterial({ size: 6, sizeAttenuation: false })) : new three.LineSegments(form.edges);
      face.userData.body = body;
      group.add(face, line);
      this.manyBodies.add(group);
      return { body, group, face, line, isPoint: form.isPoint };
    });
  }

  /** The colours of the style sheet. */
  retint() {
    const { small, large, faint, solid } = this.looks;
    for (const pair of [small, large]) {
      pair.forEach(({ face, line }, k) => {
        face.color.copy(colour(k === 0 ? "--a" : "--b"));
        line.color.copy(face.color).lerp(colour("--text"), pair === small ? 0.45 : 0.25);
      });
    }
    faint.face.color.copy(colour("--rest"));
    faint.line.color.copy(colour("--rest"));
    solid.face.color.copy(colour("--rest"));
    solid.line.color.copy(colour("--text"));
    this.#contact();
    this.render();
  }

  /** Puts all parts where they are in a state, and lights two bodies. @param {number} state @param {number[]} bodies @param {any} pair */
  show(state, bodies, pair) {
    const { parts, columns: m, translations: t, places } = this.from;
    this.parts.forEach((/** @type {any} */ { group }, /** @type {number} */ k) => {
      const pose = places[state * parts.length + k];
      const [c, d] = [9 * pose, 3 * pose];
      group.matrix.set(m[c], m[c + 3], m[c + 6], t[d], m[c + 1], m[c + 4], m[c + 7], t[d + 1], m[c + 2], m[c + 5], m[c + 8], t[d + 2], 0, 0, 0, 1);
      group.matrixWorldNeedsUpdate = true;
    });
    this.scene.updateMatrixWorld(true);
    this.chosen = bodies;
    this.pair = pair;
    this.others(this.mode);
    this.#contact();
    this.render();
  }

  /** How the bodies look that are not chosen. @param {string} mode */
  others(mode) {
    this.mode = mode;
    const sizes = this.chosen.map((body) => this.#box(body).getSize(new three.Vector3()).length());
    for (const part of this.parts) {
      const which = this.chosen.indexOf(part.body);
      const isSmall = which >= 0 && (sizes[which] < sizes[1 - which] || (sizes[which] === sizes[1 - which] && which === 0));
      const rest = this.chosen.length === 0 || mode === "solid" ? this.looks.solid : this.looks.faint;
      const { face, line } = which < 0 ? rest : isSmall ? this.looks.small[which] : this.looks.large[which];
      part.group.visible = which >= 0 || mode !== "hidden" || this.chosen.length === 0;
      part.face.material = face;
      if (part.isPoint) part.line.material.color.copy(face.color);
      else part.line.material = line;
      // The others first, then the larger body, which is looked through.
      part.face.renderOrder = which < 0 ? 0 : isSmall ? 1 : 2;
      part.line.renderOrder = part.face.renderOrder;
    }
    this.render();
  }

  /** The box around a body in the world. @param {number} body */
  #box(body) {
    const low = new three.Vector3(Infinity, Infinity, Infinity), high = low.clone().negate();
    for (const part of this.parts) {
      if (part.body !== body && body >= 0) continue;
      const own = part.face.geometry.boundingBox;
      const ends = own.isEmpty() ? part.line.geometry.boundingBox ?? own : own;
      for (let k = 0; k < 8; k++) {
        const corner = new three.Vector3(k & 1 ? ends.max.x : ends.min.x, k & 2 ? ends.max.y : ends.min.y, k & 4 ? ends.max.z : ends.min.z);
        if (!Number.isFinite(corner.x)) corner.set(0, 0, 0);
        corner.applyMatrix4(part.group.matrix);
        low.min(corner);
        high.max(corner);
      }
    }
    return { min: low, max: high, getSize: (/** @type {any} */ to) => to.subVectors(high, low), getCenter: () => low.clone().add(high).multiplyScalar(0.5) };
  }

  /** The points of the pair, if it has them. @returns {number[][]} */
  #points() {
    return [this.pair?.point_a, this.pair?.point_b].filter((point) => Array.isArray(point));
  }

  /** Shows everything. */
  all() {
    const box = this.#box(-1);
    this.#look(box.getCenter(), box.getSize(new three.Vector3()).length() / 2 || 1);
  }

  /** Shows both bodies, of which the larger one maybe in part, or the place where they meet. @param {boolean} isClose */
  frame(isClose) {
    const boxes = (this.chosen.length > 0 ? this.chosen : [-1]).map((body) => this.#box(body));
    const sizes = boxes.map((box) => box.getSize(new three.Vector3()).length() / 2);
    const small = boxes[sizes.indexOf(Math.min(...sizes))];
    const points = this.#points().map((p) => new three.Vector3(...p));
    const low = boxes[0].min.clone(), high = boxes[0].max.clone();
    for (const box of boxes) {
      low.min(box.min);
      high.max(box.max);
    }
    const least = Math.min(...sizes) || Math.max(...sizes) || 1;
    let centre = low.clone().add(high).multiplyScalar(0.5), radius = high.distanceTo(low) / 2 || least;
    if (radius > 2.2 * least) {
      centre = small.getCenter();
      radius = 2.2 * least;
      for (const point of points) radius = Math.max(radius, Math.min(centre.distanceTo(point) * 1.3, high.distanceTo(low) / 2));
    }
    if (isClose && points.length > 0) {
      const apart = points.length > 1 ? points[0].distanceTo(points[1]) : 0;
      centre = points[0].clone().add(points[points.length - 1]).multiplyScalar(0.5);
      radius = Math.max(2 * apart, 0.2 * least);
    }
    this.#look(centre, radius);
  }

  /** Looks at a ball from the side of the normal. @param {any} centre @param {number} radius */
  #look(centre, radius) {
    const from = FROM.clone();
    const normal = this.pair?.normal;
    if (Array.isArray(normal)) {
      const n = new three.Vector3(...normal);
      from.addScaledVector(n, -0.8 * from.dot(n));
      if (from.length() < 0.3) from.copy(FROM);
    }
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).add(from.normalize());
    // A little nearer than the ball around everything asks for: few bodies are balls.
    const half = (0.8 * radius) / Math.sqrt(3);
    const corner = (/** @type {number} */ sign) => [centre.x + sign * half, centre.y + sign * half, centre.z + sign * half];
    this.fit([corner(-1), corner(1)]);
    this.grid?.removeFromParent();
    this.camera.far = this.radius * 1000;
    this.camera.updateProjectionMatrix();
    this.#contact();
    this.render();
  }

  /** The points and the normal of the pair. They are drawn about the first point, so that they keep their digits. */
  #contact() {
    const points = this.#points();
    const origin = points[0] ?? [0, 0, 0];
    this.content.position.set(origin[0], origin[1], origin[2]);
    const [a, b] = points.map((p) => p.map((x, k) => x - origin[k]));
    /** @type {any[]} */
    const items = [];
    if (a && b && this.pair.signed_distance?.lower > 0) items.push({ layer: "gap", space: "world", figure: "line", points: [a, b] });
    if (a && Array.isArray(this.pair.normal)) items.push({ layer: "contact", space: "world", figure: "arrow", from: a, direction: this.pair.normal });
    const dots = [a, b].filter(Boolean);
    if (dots.length > 0) items.push({ layer: "witness", space: "world", figure: "dots", points: dots });
    this.draw(items);
    // After the bodies, which are clear, and before them all.
    this.content.traverse((object) => {
      object.renderOrder = 9;
      const { material } = /** @type {any} */ (object);
      if (material) Object.assign(material, { transparent: true, depthTest: false });
    });
  }

  /** What a key does while the picture has the focus: true where it does something. @param {string} key */
  key(key) {
    const away = this.camera.position.clone().sub(this.controls.target);
    const flat = Math.hypot(away.x, away.y);
    let [turn, rise, length] = [Math.atan2(away.y, away.x), Math.atan2(away.z, flat), away.length()];
    if (key === "ArrowLeft") turn -= TURN;
    else if (key === "ArrowRight") turn += TURN;
    else if (key === "ArrowUp") rise = Math.min(rise + TURN, 1.55);
    else if (key === "ArrowDown") rise = Math.max(rise - TURN, -1.55);
    else if (key === "+" || key === "=") length /= 1.2;
    else if (key === "-") length *= 1.2;
    else return false;
    this.camera.position.copy(this.controls.target).add(new three.Vector3(Math.cos(rise) * Math.cos(turn), Math.cos(rise) * Math.sin(turn), Math.sin(rise)).multiplyScalar(length));
    this.controls.update();
    this.render();
    return true;
  }

  /** A click names the body under it; a drag does not. */
  #picking() {
    const canvas = this.renderer.domElement;
    const ray = new three.Raycaster();
    let start = [0, 0];
    canvas.addEventListener("pointerdown", (event) => (start = [event.clientX, event.clientY]));
    canvas.addEventListener("click", (event) => {
      if (Math.hypot(event.clientX - start[0], event.clientY - start[1]) > 4) return;
      const box = canvas.getBoundingClientRect();
      ray.setFromCamera(new three.Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2), this.camera);
      const seen = this.parts.filter((/** @type {any} */ part) => part.group.visible).map((/** @type {any} */ part) => part.face);
      const hits = ray.intersectObjects(seen, false);
      // What is lit is meant, where the ray meets it at all.
      const hit = hits.find((found) => this.chosen.includes(found.object.userData.body)) ?? hits[0];
      this.onPick(hit ? hit.object.userData.body : null);
    });
  }
}
