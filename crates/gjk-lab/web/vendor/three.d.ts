// Types of the bundle, for the check of the page by `npm run types`.
export * from "../../vendor/entry.js";
export type { Object3D } from "three";
