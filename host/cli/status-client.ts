import { checked, type Static, Type, Validator } from "@slipway/sdk";
import { BrowserStatus, FilesStatus, InstanceStatus, PluginLoad, SessionsStatus } from "../host-status.js";
import { type HostClient, unknownAnswer } from "./host-client.js";

const Status = Type.Object({
  version: Type.String(),
  sdkVersion: Type.String(),
  started: Type.String(),
  ready: Type.Boolean(),
  reasons: Type.Array(Type.String()),
  releases: Type.Record(Type.String(), Type.Record(Type.String(), Type.String())),
  defaultRelease: Type.String(),
  process: Type.Object({
    id: Type.Integer(),
    memory: Type.Number(),
    heap: Type.Number(),
    eventLoopDelay: Type.Object({ mean: Type.Number(), p99: Type.Number(), max: Type.Number() }),
  }),
  requests: Type.Object({ running: Type.Integer(), plugins: Type.Array(PluginLoad) }),
  browser: BrowserStatus,
  sessions: SessionsStatus,
  files: FilesStatus,
  instances: Type.Array(InstanceStatus),
});
export type Status = Static<typeof Status>;

const checkStatus = new Validator().compile(Status, "answer");

/** How a host is doing. */
export async function hostStatus(host: HostClient): Promise<Status> {
  return checked(checkStatus(await host.json("/api/status")), unknownAnswer);
}
