/**
 * What stands in front of plugins: finds the route of a request, checks what it brings, and serves what plugins ask their host
 * for. For hosts and the test kit; outside of the promise of stability.
 */
export { trimmedEnd } from "../trimmed-end.js";
export * from "./browsers/browser-places.js";
export * from "./calls/call-errors.js";
export * from "./calls/call-messages.js";
export * from "./calls/generated-files.js";
export * from "./calls/live-plugin.js";
export * from "./calls/plugin-calls.js";
export * from "./calls/request-errors.js";
export * from "./calls/running-call.js";
export * from "./calls/running-calls.js";
export * from "./calls/service-measures.js";
export * from "./calls/wanted-plugin.js";
export * from "./calls/work.js";
export * from "./request/match-route.js";
export * from "./request/plugin-call.js";
export * from "./request/request-id.js";
export * from "./request/requested-route.js";
export * from "./request/requested-session.js";
export * from "./request/valid-input.js";
export * from "./services/find-service.js";
export * from "./services/host-services.js";
export * from "./services/outgoing-link.js";
export * from "./services/printing.js";
export * from "./services/service-access.js";
export * from "./services/session-contents.js";
export * from "./services/stored-file.js";
export * from "./services/template-source.js";
export * from "./sessions/index.js";
