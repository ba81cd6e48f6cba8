import type { Printing } from "@slipway/sdk/runtime/host";

export interface PdfHealth {
  state: "starting" | "ready" | "degraded" | "unavailable" | "stopped";
  /** One sentence; for a problem, with its fix. */
  detail: string;
  executable: string | undefined;
  /** Of the browser, as it says itself. */
  version: string | undefined;
  /** Open ones, idle or not. */
  pages: number;
  restarts: number;
  queued: number;
  running: number;
}

/** Prints HTML with browsers of its own. */
export interface PdfService extends Printing {
  start(): Promise<void>;
  /** A document with pictures comes soon: starts what takes long to start. */
  startAhead(): void;
  health(): PdfHealth;
  stop(): Promise<void>;
}

/** Documents are loaded from names below this one, which lead nowhere outside of the host's own browser. */
export const internalDomain = "slipway.internal";
