/** The test kit: runs a plugin in memory, without a server, under any test runner. */
export * from "./create-test-host.js";
export * from "./inspection/index.js";
export { readArchive } from "./memory/content-file.js";
export * from "./printing/index.js";
export * from "./projects/index.js";
export * from "./test-answer.js";
export * from "./test-host.js";
