import type { DiskRoom } from "../../system/free-disk.js";
import { type HostStatus, MemberState, type PluginLoad } from "../host-status.js";
import { type CollectedMetrics, type Sample, singleFlight } from "./collected-metrics.js";

type LoadNumber = "working" | "waiting" | "concurrency" | "queue";

/** Metrics of the load and contents of the host. */
export function showLoad(collected: CollectedMetrics, status: HostStatus): void {
  collected.gauge("slipway_requests_running", "Requests of all kinds that have no whole answer yet.", () =>
    status.running(),
  );
  const ofPlugins = (name: string, help: string, number: LoadNumber): void =>
    collected.gauge(name, help, () => status.plugins().map((load) => samplesOf(load, number)), ["plugin"]);
  ofPlugins(
    "slipway_requests_working",
    "Running requests of a plugin, all its versions together.",
    "working",
  );
  ofPlugins("slipway_requests_waiting", "Requests that wait for their turn at a plugin.", "waiting");
  ofPlugins("slipway_requests_working_limit", "Requests that a plugin may work on at a time.", "concurrency");
  ofPlugins("slipway_requests_waiting_limit", "Requests that may wait for a plugin.", "queue");
  collected.counter(
    "slipway_requests_refused_total",
    "Requests that were refused at once, because too many waited for the plugin already.",
    () => status.plugins().map((load) => samplesOf(load, "refused")),
    ["plugin"],
  );
  showInstances(collected, status);
}

function samplesOf(load: PluginLoad, number: LoadNumber | "refused"): Sample<"plugin"> {
  return { labels: { plugin: load.plugin }, value: load[number] };
}

function showInstances(collected: CollectedMetrics, status: HostStatus): void {
  const instances = singleFlight(() => status.instances());
  collected.gauge(
    "slipway_instances",
    "Processes of a plugin version that serve, stand by or are being probed.",
    async () => summed((await instances()).map((each) => ({ ...each, value: 1 }))),
    ["plugin", "version"],
  );
  collected.gauge(
    "slipway_instance_memory_bytes",
    "Resident memory of the processes of a plugin version, where the system tells.",
    async () =>
      summed(
        (await instances()).flatMap(({ memory, ...each }) =>
          memory === undefined ? [] : { ...each, value: memory },
        ),
      ),
    ["plugin", "version"],
  );
}

/** Contents of the same version count together. */
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

/** Shows the size of sessions and generated files, and their disk. */
export function showStores(collected: CollectedMetrics, { status, sessions, disk }: StoreNumbers): void {
  const open = singleFlight(() => status.sessions());
  collected.gauge("slipway_sessions_open", "Sessions that are open.", async () => (await open()).open);
  collected.gauge(
    "slipway_sessions_bytes",
    "Bytes of the projects of all sessions.",
    async () => (await open()).bytes,
  );
  collected.counter("slipway_sessions_opened_total", "Sessions that were opened.", () => sessions().opened);
  collected.counter(
    "slipway_sessions_expired_total",
    "Sessions that expired unused.",
    () => sessions().expired,
  );
  const files = singleFlight(() => status.files());
  collected.gauge("slipway_files", "Generated files that can be fetched.", async () => (await files()).count);
  collected.gauge("slipway_files_bytes", "Bytes of all generated files.", async () => (await files()).bytes);
  collected.gauge(
    "slipway_files_limit_bytes",
    "Maximum bytes of generated files.",
    async () => (await files()).maximumBytes,
  );
  collected.counter(
    "slipway_files_evicted_total",
    "Generated files deleted early for lack of space.",
    async () => (await files()).evicted,
  );
  const room = singleFlight(disk);
  const ofDisk = (name: string, help: string, number: keyof DiskRoom): void =>
    collected.gauge(name, help, async () => (await room())?.[number]);
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

/** Shows the lease and the members of a shared engine. */
export function showEngine(collected: CollectedMetrics, engine: EngineNumbers, status: HostStatus): void {
  collected.gauge(
    "slipway_engine_lease_seconds",
    "Time until the lease of this host ends unless it is renewed; 0 without a lease.",
    () => [{ labels: { engine: engine.name }, value: engine.leaseLeft / 1000 }],
    ["engine"],
  );
  collected.gauge(
    "slipway_engine_members",
    "Hosts that share the engine, by state.",
    async () => {
      const members = (await status.members()) ?? [];
      return MemberState.enum.map((state) => ({
        labels: { state },
        value: members.filter((member) => member.state === state).length,
      }));
    },
    ["state"],
  );
}
