/**
 * Runs a plugin's routes and services in its own process, or in a test. For hosts and the test kit; not part of the stable
 * API.
 */

export { builtCheck } from "../schema/validation.js";
export * from "./messages/host-parameters.js";
export * from "./messages/message.js";
export * from "./messages/metric-report.js";
export * from "./messages/plugin-description.js";
export * from "./messages/request-messages.js";
export * from "./plugin/denied-access.js";
export * from "./plugin/host-link.js";
export * from "./plugin/plugin-assets.js";
export * from "./plugin/plugin-runtime.js";
