import { isAborted, RefusedRequest } from "../../preview/refused-request.js";
import { type ServerEvent, serverEvents } from "../../preview/server-events.js";
import type { HostClient } from "./host-client.js";

const firstPause = 1000;
const longestPause = 15_000;
/** Milliseconds; the host says something every 15 seconds, and be it nothing. */
const longestSilence = 40_000;

/** The events of a path as they come, and undefined for what is none, until the connection ends or nothing comes any more. */
export async function* streamOf(
  host: HostClient,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent | undefined> {
  const silence = new AbortController();
  const body = await host.stream(path, AbortSignal.any([signal, silence.signal]));
  let watch: ReturnType<typeof setTimeout> | undefined;
  try {
    for await (const event of serverEvents(body)) {
      clearTimeout(watch);
      watch = setTimeout(() => silence.abort(new Error("The host is silent.")), longestSilence);
      yield event;
    }
  } finally {
    clearTimeout(watch);
  }
}

/**
 * Does something that lasts as long as a connection, again and again until `signal` aborts, with pauses that grow until it
 * calls `isWell`. `refused` hears what the host has against it.
 */
export async function keepFollowing(
  host: HostClient,
  signal: AbortSignal,
  follow: (isWell: () => void) => Promise<void>,
  refused: (error: RefusedRequest) => void,
): Promise<void> {
  let pause = firstPause;
  while (!signal.aborted) {
    try {
      await host.connection.present();
      await follow(() => {
        pause = firstPause;
      });
    } catch (error) {
      if (signal.aborted || isAborted(error)) return;
      if (error instanceof RefusedRequest && error.error.code !== 0) refused(error);
    }
    // Where a host goes, its streams go first; whether it has gone, the next request says.
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, longestPause);
  }
}
