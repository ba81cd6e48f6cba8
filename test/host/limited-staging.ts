/**
 * Stages a plugin (second parameter) into a store (first parameter) and says what went wrong; run where there is little
 * room. Uses the part itself: a whole host needs more room than there is.
 */
import { endBundler } from "../../host/plugins/packages/bundle.js";
import { StateRecord } from "../../host/plugins/plugin-state.js";
import { SnapshotStore } from "../../host/plugins/snapshots/snapshot-store.js";
import { stagePlugin } from "../../host/plugins/snapshots/snapshots.js";

const [folder = "", source = ""] = process.argv.slice(2);
const record = new StateRecord(source, { note: () => undefined, fault: (message) => console.log(message) });
const trust = async () => ({ signedBy: undefined });
const options = { store: new SnapshotStore(folder, "sdk"), sdkVersion: "1.0.0", trust };
await stagePlugin(source, record, options).catch((error: Error) => console.log(error.name, error.message));
await endBundler();
