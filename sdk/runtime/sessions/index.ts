/** What becomes of a project when it is opened: for the processes that do so, which need nothing else of a host. */
export * from "./project-references.js";
export * from "./take-assets.js";
