// Types of the page: what `gjk_lab::respond` takes and gives (crates/gjk-lab/src/{respond,playback,draw,edit,scenes}.rs), and what
// the views tell. For the check by `npm run types` alone; the page does not load this file.

export type Body = "a" | "b";
/** What a gizmo is at: a body, or where its motion ends. */
export type Held = Body | "a_end" | "b_end";
export type Verdict = "separated" | "touching" | "overlapping" | "undecided";

/** A shape of the query format; the page passes it on. */
export interface Shape {
  shape: string;
  [size: string]: unknown;
}

export interface Pose {
  translation?: number[];
  rotation?: unknown;
  rotation_matrix?: number[][];
  scale?: number[];
}

/** A line of the query format. */
export interface Query {
  id?: string;
  dim: number;
  scalar?: string;
  query?: string;
  a: Shape & { pose?: Pose; motion?: object };
  /** A ray has none. */
  b: Shape & { pose?: Pose; motion?: object };
  ray?: { origin: number[]; direction: number[] };
  options?: Record<string, unknown>;
}

export type Edit =
  | { edit: "move_end"; body: Body; by: number[]; at: number }
  | { edit: "turn_end"; body: Body; angle: number; axis?: number[]; at: number }
  | { edit: "move"; body: Body; by: number[] }
  | { edit: "place"; body: Body; axis: number; to: number }
  | { edit: "turn"; body: Body; angle: number; axis?: number[] }
  | { edit: "scale"; body: Body; by: number[] }
  | { edit: "move_vertex"; body: Body; index: number; to: number[] }
  | { edit: "add_vertex"; body: Body; at: number[] }
  | { edit: "remove_vertex"; body: Body; index: number }
  | { edit: "shape"; body: Body; shape: Shape }
  | { edit: "scalar"; scalar: string }
  | { edit: "split"; at: number }
  | { edit: "prove" | "whole" }
  | { edit: "swap" };

export interface Scene {
  id: string;
  group: string;
  title: string;
  about: string;
  query: Query;
  algorithm: string;
  direction?: number[];
}

/** What an address or a paste may hold: less than a scene, a step, a stop of the tour. */
export type Wanted = Partial<Omit<Scene, "query">> & { query: Query | MeshQuery; step?: number; tour?: number; time?: number };

/** A mesh of a pair: where it is from, and where it is. */
export interface MeshBody {
  mesh: { example: string } | { file: number } | { name: string; base64: string };
  pose?: Pose;
}

/** Two meshes. */
export interface MeshQuery {
  id?: string;
  dim?: number;
  scalar?: undefined;
  a: MeshBody;
  b: MeshBody;
}

/** A pair of meshes of the list. */
export interface MeshScene {
  id: string;
  group: string;
  title: string;
  about: string;
  query: MeshQuery;
}

/** What came of two meshes. */
export interface MeshTold {
  error?: undefined;
  query: MeshQuery & { id: string; dim: number };
  answer: { relation: string; verdict: Verdict; exact: boolean; flush: boolean; sentence: string; bodies: string[]; warnings: string[]; signed_distance?: undefined };
  floats?: undefined;
  background: Item[];
  frames: Frame[];
  handles: Handle[];
  places: Place[];
  /** Where they were asked for. */
  models?: Model[];
}

/** A scene of many bodies. */
export interface CrowdEntry {
  id: string;
  group: string;
  title: string;
  about: string;
  request: { ask: "simulation"; dim: number } | { ask: "stack"; dim: number; warm: boolean } | { ask: "robot"; of: "example" | "file" };
}

/** A stop of the tour. */
export interface Stop {
  title: string;
  text: string;
  query: Query;
  algorithm: string;
  direction?: number[];
  step?: number;
}

/** A part of many bodies, in its own frame. */
export type Model = Exclude<Item, { figure: "arrow" | "plane" | "edges" }> & { name: string };

/** Where a part is, and whether something is in it. */
export interface Place {
  columns: number[][];
  translation: number[];
  hit: boolean;
}

export interface Slider {
  joint: number;
  name: string;
  lower: number;
  upper: number;
  unit: string;
}

export interface Listed {
  bodies: [number, number];
  names: [string, string];
  verdict: Verdict;
  exact: boolean;
  lower: number;
  upper: number;
}

/** Many bodies at one moment. */
export interface Crowded {
  error?: undefined;
  places: Place[];
  items: Item[];
  asked: { pairs: number; contacts: number; seconds: number; points?: number; known?: number };
  /** At the beginning. */
  models?: Model[];
  sliders?: Slider[];
  /** Of what moves by itself. */
  state?: object;
  /** Of robots. */
  joints?: number[];
  pairs?: Listed[];
}

/** The hull of a mesh. */
export interface Meshed {
  error?: undefined;
  shape: Shape;
  about: string;
  warnings: string[];
}

/** A number that JSON does not have is null. */
export interface Bounds {
  lower: number | null;
  upper: number | null;
}

interface Drawn {
  layer: string;
  space: "world" | "difference" | "directions" | "across";
  label?: string;
  points?: undefined;
  faces?: undefined;
  from?: undefined;
  edges?: number[][];
}
type Points = Omit<Drawn, "points"> & { points: number[][] };

export type Item =
  | (Points & { figure: "polygon" | "line" | "dots" })
  | (Omit<Points, "faces"> & { figure: "mesh"; faces: number[][] })
  | (Omit<Points, "edges"> & { figure: "edges"; edges: number[][] })
  | (Omit<Drawn, "from"> & { figure: "arrow"; from: number[]; direction: number[] })
  | (Drawn & { figure: "plane"; through: number[]; normal: number[] });

export interface Frame {
  stage: string;
  title: string;
  lines: string[];
  region?: string;
  bounds?: [number, number];
  items: Item[];
}

export interface Handle {
  body: Body;
  index: number;
  at: number[];
}

/** What came of a query. */
export interface Told {
  error?: undefined;
  query: Query & { id: string; scalar: string; query: string };
  answer: { verdict: Verdict; exact: boolean; signed_distance?: Bounds };
  floats: { verdict: Verdict; signed_distance?: Bounds };
  background: Item[];
  frames: Frame[];
  handles: Handle[];
}

/** A time on which planes of one direction separate the bodies. */
export interface ApartPiece {
  from: number;
  /** Of a motion without an end null. */
  to: number | null;
  in: "world" | "a" | "b" | "edges";
}

/** What came of bodies in motion, at a time. */
export interface MotionTold {
  error?: undefined;
  query: Query & { id: string; scalar: string; query: string };
  answer: { verdict: string; exact: boolean; time?: Bounds; signed_distance?: Bounds };
  floats?: undefined;
  sentence: string;
  time: number;
  end: number;
  pieces: ApartPiece[];
  piece?: number;
  /** Of a path of an arm, which has no pieces and no grips. */
  spans?: { from: number; to: number; bound: number; closed: boolean }[];
  span?: number;
  grips: { now: number[]; end: number[]; moves: boolean }[];
  background: Item[];
  frames: Frame[];
  handles: Handle[];
  steps: string[];
}

/** What came of a manifold. */
export interface ManifoldTold {
  error?: undefined;
  query: Query & { id: string; scalar: string; query: string };
  answer: { verdict: Verdict; exact: boolean; signed_distance: Bounds; kind: string; points: unknown[] };
  floats?: undefined;
  sentence: string;
  background: Item[];
  frames: Frame[];
  handles: Handle[];
}

export type AnyTold = Told | MeshTold | MotionTold | ManifoldTold;

/** What is wrong with a request. */
export interface Refusal {
  error: { kind: string; at: string; message: string };
}

export type Request =
  | { ask: "scenes" }
  | { ask: "simulation"; dim: number; state?: object; seconds?: number }
  | { ask: "stack"; dim: number; warm?: boolean; state?: object; seconds?: number }
  | { ask: "robot"; of: "example" | "file"; joints?: number[] }
  | { ask: "pair"; of: "example" | "file"; joints: number[]; bodies: [number, number] }
  | { ask: "meshes"; query: MeshQuery; edits: Edit[]; models: boolean }
  | { ask: "mesh"; name: string; base64: string }
  | { ask: "motion" | "arm"; query: Query; edits: Edit[]; time?: number }
  | { ask: "manifold"; query: Query; edits: Edit[] }
  | { ask: "query"; query: Query; edits: Edit[]; algorithm: string; direction?: number[] };

/** What a request is answered with. */
export type Answered<R extends Request> = R extends { ask: "scenes" }
  ? { scenes: Scene[]; crowds: CrowdEntry[]; meshes: MeshScene[]; motions: Scene[]; manifolds: Scene[]; arms: Scene[]; tour: Stop[] }
  : (R extends { ask: "query" } ? Told : R extends { ask: "motion" | "arm" } ? MotionTold : R extends { ask: "manifold" } ? ManifoldTold : R extends { ask: "meshes" } ? MeshTold : R extends { ask: "mesh" } ? Meshed : R extends { ask: "pair" } ? Query & { error?: undefined } : Crowded) | Refusal;

/** What a pointer does in the plane, in world coordinates. */
export type PlaneDrag =
  | { kind: "begin" | "end"; at: number[]; body?: undefined; index?: undefined }
  | { kind: "body" | "turn" | "end_body" | "end_turn"; body: Body; at: number[]; by: number[]; index?: undefined }
  | { kind: "vertex"; body: Body; index: number; at: number[]; by: number[] }
  | { kind: "remove"; body: Body; index: number; at: number[] }
  | { kind: "add"; body: Body; at: number[]; index?: undefined };

/** What a pointer does in space. */
export type SpaceDrag = { kind: "begin" | "end" } | { kind: "choose"; body: Held } | { kind: "edit"; edit: HeldEdit };

/** An edit of what a gizmo is at, which may be where a motion ends. */
export type HeldEdit = { edit: "move" | "turn" | "scale"; body: Held; by?: number[]; angle?: number; axis?: number[] };

/** What a layer looks like in space. */
export interface Look {
  colour: string;
  opacity?: number;
  edges?: boolean;
  edge?: number;
  size?: number;
  width?: number;
  dashed?: boolean;
  /** Of arrows, in radii of the view. */
  reach?: number;
  /** Drawn over what is nearer. */
  over?: boolean;
}

export type Mode = "translate" | "rotate" | "scale";

/** The page's elements that are more than an `HTMLElement`, by id. */
export interface Elements {
  world: SVGSVGElement;
  difference: SVGSVGElement;
  bounds: SVGSVGElement;
  scrub: HTMLInputElement;
  speed: HTMLSelectElement;
  algorithm: HTMLSelectElement;
  scalar: HTMLSelectElement;
  "shape-a": HTMLSelectElement;
  "shape-b": HTMLSelectElement;
  hold: Choice<Held>;
  time: HTMLInputElement;
  pieces: SVGSVGElement;
  mode: Choice<Mode>;
  dialog: HTMLDialogElement;
  shown: HTMLSelectElement;
  file: HTMLInputElement;
  "tour-back": HTMLButtonElement;
  "crowd-chart": SVGSVGElement;
}
type Choice<T extends string> = Omit<HTMLSelectElement, "value"> & { value: T };

/** An element of the page, which index.html has. */
export interface By {
  <K extends keyof Elements>(id: K): Elements[K];
  (id: `place-${number}`): HTMLInputElement;
  (id: string): HTMLElement;
}
