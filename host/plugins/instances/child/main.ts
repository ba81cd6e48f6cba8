/** The program of an instance: one plugin version in a process of its own. Started by the host only. */
import { Socket } from "node:net";
import { checked, Validator } from "@slipway/sdk";
import { PluginRuntime } from "@slipway/sdk/runtime";
import { endProcessGroup, guardAgainstOrphanhood } from "../../../system/child-process.js";
import { channelDescriptor, InstanceArguments } from "../messages.js";
import { HostConnection } from "./host-connection.js";
import { InstanceCalls } from "./instance-calls.js";
import { reportFaults } from "./report-faults.js";
import { requestConsole } from "./request-console.js";

const check = new Validator({ lazy: true }).compile(InstanceArguments, "arguments");
const { hostProcess, maximumFrame } = checked(check(JSON.parse(process.argv[2] ?? "")), "arguments");

guardAgainstOrphanhood(hostProcess, endProcessGroup);
globalThis.console = requestConsole();
const stream = new Socket({ fd: channelDescriptor, readable: true, writable: true });
const connection = new HostConnection(stream, maximumFrame);
reportFaults(connection);
const runtime = new PluginRuntime(connection);
connection.serveWith(new InstanceCalls(runtime));
// Service managers signal this process along with the host, which first lets running requests finish.
process.on("SIGTERM", () => {
  if (runtime.stopped) process.exit(0);
});
