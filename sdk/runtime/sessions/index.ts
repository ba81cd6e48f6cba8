/** Opens projects: for processes that do only that. */
export * from "./project-references.js";
export * from "./take-assets.js";
