/**
 * Sessions: the door of this folder.
 *
 * In: project files (OBK, OBX, JSON, PDFs with an OBX inside), changes of a project, sessions of another EAIWS server.
 * Out: records of sessions, their projects and pictures, projects as files; events when sessions open and end.
 * Owns: the folder of sessions below `var`, lifetimes and limits of sessions, the process that opens large projects.
 *
 * `Sessions` applies the rules; `SessionStore` is the contract of all engines, and `createFileSessionStore` creates the store of a
 * single host.
 */
export { SessionCopies } from "./copies/session-copies.js";
export { createFileSessionStore } from "./file-session-store.js";
export * from "./open-sessions.js";
export { projectFormat } from "./project-format.js";
export { ProjectOpener } from "./project-opener.js";
export * from "./revisions.js";
export * from "./session-answer.js";
export * from "./session-store.js";
