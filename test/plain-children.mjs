/**
 * Loaded into each test file by tap (see .taprc). The processes that tests start run compiled JavaScript, as they do at a
 * user's; what tap would load into every one of them, for a coverage that nobody asks for, more than doubles the time that
 * they take to start.
 */
import processOnSpawn from "process-on-spawn";

processOnSpawn.removeAllListeners();
delete process.env["NODE_OPTIONS"];
