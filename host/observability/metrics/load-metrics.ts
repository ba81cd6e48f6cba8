import type { DiskRoom } from "../../system/free-disk.js";
import { type HostStatus, MemberState, type PluginLoad } from "../host-status.js";
import { type AskedMetrics, askedOnce, type Sample } from "./asked-metrics.js";

type LoadNumber = "working" | "waiting" | "concurrency" | "queue";

/** Metrics of the load and contents of the host. */
export function showLoad(asked: AskedMetrics, status: HostStatus): void {
  asked.gauge({
    name: "slipway_requests_running",
    help: "Requests of all kinds that have no whole answer yet.",
    ask: () => status.running(),
  });
  const ofPlugins = (name: string, help: string, number: LoadNumber): void =>
    asked.gauge({
      name,
      help,
      labels: ["plugin"],
      ask: () => status.plugins().map((load) => samplesOf(load, number)),
    });
  ofPlugins(
    "slipway_requests_working",
    "Running requests of a plugin, all its versions together.",
    "working",
  );
  ofPlugins("slipway_requests_waiting", "Requests that wait for their turn at a plugin.", "waiting");
  ofPlugins("slipway_requests_working_limit", "Requests that a plugin may work on at a time.", "concurrency");
  ofPlugins("slipway_requests_waiting_limit", "Requests that may wait for a plugin.", "queue");
  asked.counter({
    name: "slipway_requests_refused_total",
    help: "Requests that were refused at once, because too many waited for the plugin already.",
    labels: ["plugin"],
    ask: () => status.plugins().map((load) => samplesOf(load, "refused")),
  });
  showInstances(asked, status);
}

function samplesOf(load: PluginLoad, number: LoadNumber | "refused"): Sample<"plugin"> {
  return { labels: { plugin: load.plugin }, value: load[number] };
}

function showInstances(asked: AskedMetrics, status: HostStatus): void {
  const instances = askedOnce(() => status.instances());
  asked.gauge({
    name: "slipway_instances",
    help: "Processes of a plugin version that serve, stand by or are being probed.",
    labels: ["plugin", "version"],
    ask: async () => summed((await instances()).map((each) => ({ ...each, value: 1 }))),
  });
  asked.gauge({
    name: "slipway_instance_memory_bytes",
    help: "Resident memory of the processes of a plugin version, where the system tells.",
    labels: ["plugin", "version"],
    ask: async () =>
      summed(
        (await instances()).flatMap(({ memory, ...each }) =>
          memory === undefined ? [] : { ...each, value: memory },
        ),
      ),
  });
}

/** Two contents under one version count together. */
function summed(
  numbers: readonly { plugin: string; version: string; value: number }[],
): Sample<"plugin" | "version">[] {
  const sums = new Map<string, Sample<"plugin" | "version">>();
  for (const { plugin, version, value } of numbers) {
    const key = `${plugin}@${version}`;
    const before = sums.get(key)?.value ?? 0;
    sums.set(key, { labels: { plugin, version }, value: before + value });
  }
  return [...sums.values()];
}

/** Sources of the sizes of stores and of their disk. */
export interface StoreNumbers {
  status: HostStatus;
  /** Since the host started. */
  sessions(): { opened: number; expired: number };
  disk(): Promise<DiskRoom | undefined>;
}

/** Shows what sessions and generated files take, and the disk below them. */
export function showStores(asked: AskedMetrics, { status, sessions, disk }: StoreNumbers): void {
  const gauge = (name: string, help: string, ask: () => number | Promise<number>): void =>
    asked.gauge({ name, help, ask });
  const counter = (name: string, help: string, ask: () => number | Promise<number>): void =>
    asked.counter({ name, help, ask });
  const open = askedOnce(() => status.sessions());
  gauge("slipway_sessions_open", "Sessions that are open.", async () => (await open()).open);
  gauge("slipway_sessions_bytes", "Bytes of the projects of all sessions.", async () => (await open()).bytes);
  counter("slipway_sessions_opened_total", "Sessions that were opened.", () => sessions().opened);
  counter("slipway_sessions_expired_total", "Sessions that expired unused.", () => sessions().expired);
  const files = askedOnce(() => status.files());
  gauge("slipway_files", "Generated files that can be fetched.", async () => (await files()).count);
  gauge("slipway_files_bytes", "Bytes of all generated files.", async () => (await files()).bytes);
  gauge(
    "slipway_files_limit_bytes",
    "Maximum bytes of generated files.",
    async () => (await files()).maximumBytes,
  );
  counter(
    "slipway_files_evicted_total",
    "Generated files deleted early for lack of space.",
    async () => (await files()).evicted,
  );
  const room = askedOnce(disk);
  const ofDisk = (name: string, help: string, number: keyof DiskRoom): void =>
    asked.gauge({
      name,
      help,
      ask: async () => (await room())?.[number],
    });
  ofDisk("slipway_disk_free_bytes", "Bytes that the host may still write below its folder var.", "free");
  ofDisk("slipway_disk_size_bytes", "Bytes of the disk of the folder var.", "total");
}

/** The engine that several hosts share, and the lease of this one. */
export interface EngineNumbers {
  /** Such as "PostgreSQL at db1:5432/slipway". */
  name: string;
  /** Milliseconds. */
  readonly leaseLeft: number;
}

/** Shows what an engine that several hosts share says. */
export function showEngine(asked: AskedMetrics, engine: EngineNumbers, status: HostStatus): void {
  asked.gauge({
    name: "slipway_engine_lease_seconds",
    help: "Time until the lease of this host ends unless it is renewed; 0 without a lease.",
    labels: ["engine"],
    ask: () => [{ labels: { engine: engine.name }, value: engine.leaseLeft / 1000 }],
  });
  asked.gauge({
    name: "slipway_engine_members",
    help: "Hosts that share the engine, by state.",
    labels: ["state"],
    ask: async () => {
      const members = (await status.members()) ?? [];
      return MemberState.enum.map((state) => ({
        labels: { state },
        value: members.filter((member) => member.state === state).length,
      }));
    },
  });
}
