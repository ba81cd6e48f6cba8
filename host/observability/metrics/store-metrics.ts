import type { DiskRoom } from "../../system/free-disk.js";
import type { HostStatus } from "../host-status.js";
import { type AskedMetrics, askedOnce } from "./asked-metrics.js";

/** Sources of the sizes of stores and of their disk. */
export interface StoreNumbers {
  status: HostStatus;
  artifacts: { usage(): { evicted: number } };
  /** Since the host started. */
  sessions(): { opened: number; expired: number };
  disk(): Promise<DiskRoom | undefined>;
}

/** Shows what sessions and generated files take, and the disk below them. */
export function showStores(asked: AskedMetrics, { status, artifacts, sessions, disk }: StoreNumbers): void {
  const gauge = (name: string, help: string, ask: () => number | Promise<number>): void =>
    asked.gauge({ name, help, ask });
  const counter = (name: string, help: string, ask: () => number): void => asked.counter({ name, help, ask });
  const open = askedOnce(() => status.sessions());
  gauge("slipway_sessions_open", "Sessions that are open.", async () => (await open()).open);
  gauge("slipway_sessions_bytes", "Bytes of the projects of all sessions.", async () => (await open()).bytes);
  counter("slipway_sessions_opened_total", "Sessions that were opened.", () => sessions().opened);
  counter("slipway_sessions_expired_total", "Sessions that expired unused.", () => sessions().expired);
  gauge("slipway_files", "Generated files that can be fetched.", () => status.files().count);
  gauge("slipway_files_bytes", "Bytes of all generated files.", () => status.files().bytes);
  gauge("slipway_files_limit_bytes", "Maximum bytes of generated files.", () => status.files().maximumBytes);
  counter(
    "slipway_files_evicted_total",
    "Generated files deleted early for lack of space.",
    () => artifacts.usage().evicted,
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
