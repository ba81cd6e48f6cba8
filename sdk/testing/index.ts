/** The test kit: runs a plugin in memory, without a server, under any test runner. */
export * from "./create-test-host.js";
export * from "./inspection/index.js";
export { readArchive } from "./memory/content-file.js";
export * from "./printing/index.js";
export * from "./projects/index.js";
export * from "./test-answer.js";
export * from "./test-clock.js";
export * from "./test-file.js";
export * from "./test-host.js";
export * from "./test-log.js";
export * from "./test-metrics.js";
export * from "./test-printer.js";
export * from "./test-session.js";
export * from "./test-templates.js";
