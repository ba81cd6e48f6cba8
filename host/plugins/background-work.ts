/** Work of plugins without a client: schedules, session hooks, and the requests at a start. */
import { randomUUID } from "node:crypto";
import type { Log } from "@slipway/sdk";
import { type CallOrigin, type LivePlugin, localeWithoutSession, untraced } from "@slipway/sdk/runtime/host";
import { logWith } from "../observability/log.js";
import { longestTimer, monotonicTime, settlesWithin } from "../system/time.js";

/** The version of a plugin that does its work. */
export interface WorkingVersion {
  plugin: LivePlugin;
  /** The release that decides which versions of other plugins are called. */
  release: string;
}

export interface BackgroundOptions {
  /** For absolute URLs. */
  baseUrl: string;
  log: Log;
}

/** One call of a plugin without a client. */
interface BackgroundCall {
  /** Undefined for an instance that does not serve yet. */
  release: string | undefined;
  signal: AbortSignal;
  /** Milliseconds. */
  timeout: number;
  /** For each line of its log. */
  fields: Record<string, unknown>;
}

/** The origin of a call without client and session; its log has the fields and the id of the call. */
export function backgroundOrigin({ baseUrl, log }: BackgroundOptions, call: BackgroundCall): CallOrigin {
  const { release, signal, timeout, fields } = call;
  const requestId = randomUUID();
  return {
    requestId,
    client: undefined,
    release,
    session: undefined,
    locale: localeWithoutSession,
    baseUrl,
    signal,
    deadline: monotonicTime() + Math.min(timeout, longestTimer),
    work: untraced(logWith(log, { requestId, ...fields })),
  };
}

/** Work of one plugin, over its versions. */
export interface Background {
  /** Resolves when nothing runs. */
  idle(): Promise<void>;
  /** Ends what runs: the host stops. */
  end(): void;
}

/** Waits until nothing runs; ends unfinished work after some milliseconds. Resolves when it has ended. */
export async function drainBackground(works: readonly Background[], milliseconds: number): Promise<void> {
  const idle = Promise.all(works.map((work) => work.idle()));
  if (await settlesWithin(idle, milliseconds)) return;
  // An instance that is being replaced would wait for them.
  for (const work of works) work.end();
  await idle;
}
