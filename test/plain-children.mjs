/**
 * Loaded into each test file by tap (see .taprc). The processes that tests start run compiled JavaScript, as they do at a
 * user's; what tap would load into every one of them, for coverage, more than doubles the time that they take to start.
 */
import processOnSpawn from "process-on-spawn";
import t from "tap";

processOnSpawn.removeAllListeners();
delete process.env["NODE_OPTIONS"];

// The first teardown decides the order: hosts of a file stop before its folders are removed, not afterwards.
t.teardown(() => undefined);
