import type { GeneratedFiles } from "@slipway/sdk/runtime/host";

/** What the store holds. */
export interface ArtifactUsage {
  /** Complete files. */
  count: number;
  /** Of complete files and of those that are being written. */
  bytes: number;
  /** As configured. */
  maximumBytes: number;
  /** Files that had to go before their time since the store was opened, because room was short. */
  evicted: number;
}

/**
 * Generated files with a lifetime. Where room is short, the oldest files go that nobody reads and that are older than
 * `files.minimumLifetime`; `create` rejects with 503 `request-overloaded` when that is not enough.
 */
export interface ArtifactStore extends GeneratedFiles {
  /** Reads what earlier runs left, and sweeps what is incomplete. */
  open(): Promise<void>;
  removeExpired(now: number): Promise<number>;
  usage(): ArtifactUsage;
}
