/**
 * The host's side of plugins: finds the route of a request, validates its input, and serves the host services. For hosts and
 * the test kit; not part of the stable API.
 */

export { isSystemFile, systemFolder } from "../formats/obk/system-files.js";
export { topFolderId, topItemId } from "../formats/obx/stable-id.js";
export { checkProcedureSchema } from "../project/check-procedure-schema.js";
export { deepestNesting, isJsonTooDeep } from "../schema/nesting.js";
export { trimmedEnd } from "../schema/text.js";
export { sdkCheck } from "../schema/validation.js";
export * from "./assets/asset-globs.js";
export * from "./assets/find-assets.js";
export * from "./assets/ignored-names.js";
export * from "./assets/media-types.js";
export * from "./browsers/browser-places.js";
export * from "./calls/call-messages.js";
export * from "./calls/generated-files.js";
export * from "./calls/live-plugin.js";
export * from "./calls/plugin-calls.js";
export * from "./calls/request-errors.js";
export * from "./calls/running-call.js";
export * from "./calls/time-limit.js";
export * from "./calls/work.js";
export { plain } from "./messages/message.js";
export type { SessionEvent } from "./messages/request-messages.js";
export * from "./plugin/plugin-config.js";
export * from "./request/match-route.js";
export * from "./request/plugin-call.js";
export * from "./request/requested-session.js";
export * from "./request/valid-input.js";
export * from "./services/call-service.js";
export * from "./services/find-service.js";
export * from "./services/host-services.js";
export * from "./services/outgoing-link.js";
export * from "./services/plugin-values.js";
export * from "./services/printing.js";
export * from "./services/service-access.js";
export type { PluginPermits } from "./services/service-context.js";
export * from "./services/session-contents.js";
export * from "./services/shown-pictures.js";
export * from "./services/stored-file.js";
export * from "./sessions/index.js";
