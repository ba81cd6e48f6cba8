import { setTimeout as pause } from "node:timers/promises";
import { type Command, InvalidArgumentError } from "commander";
import { serverEvents } from "../api/server-events.js";
import { fitted, jsonText, print, printJson } from "../system/terminal-text.js";
import type { HostClient } from "./host-client.js";
import { type RunningHostOptions, runningHostOf, withRunningHostOptions } from "./running-host-options.js";
import { endWithReader } from "./standard-output.js";

/** Options of commands that show a feed. */
interface FeedOptions extends RunningHostOptions {
  follow?: true;
  limit: number;
}

/** A list of numbered entries that is also available as server-sent events. */
interface Feed<T extends { id: number }, O> {
  /** Path in the host API, without a query. */
  path: string;
  query?(options: O): Record<string, string>;
  /** Validates a list. Throws when invalid. */
  entries(answer: unknown): readonly T[];
  /** Validates a streamed entry. Throws when invalid. */
  entry(data: unknown): T;
  /** Formats an entry as one line. */
  line(entry: T): string;
  /** Help text of `--follow`. */
  follow: string;
  help: string;
}

/** Makes a command show the last entries and, with `--follow`, later ones, even across restarts of the host. */
export function feedCommand<T extends { id: number }, O extends Record<string, unknown>>(
  command: Command,
  feed: Feed<T, O>,
): Command {
  command
    .option("--follow", `${feed.follow}; Ctrl+C ends it`)
    .option("--limit <number>", "how many, at most 1000", count, 20)
    .option("--json", "print the answer of the host as JSON; with --follow, one entry on each line")
    .addHelpText("after", feed.help);
  return withRunningHostOptions(command).action((options: FeedOptions & O) => showFeed(feed, options));
}

async function showFeed<T extends { id: number }, O>(
  feed: Feed<T, O>,
  options: FeedOptions & O,
): Promise<void> {
  const { json, follow, limit } = options;
  const host = runningHostOf(options);
  const wanted = feed.query?.(options) ?? {};
  const answer = await host.json(`${feed.path}?${new URLSearchParams({ ...wanted, limit: String(limit) })}`);
  const entries = feed.entries(answer);
  if (json && !follow) return printJson(answer);
  const show = (entry: T): void => print([json ? jsonText(entry) : fitted(feed.line(entry))]);
  for (const entry of entries) show(entry);
  if (!follow) {
    if (entries.length === 0) print(["There is nothing to show."]);
    return;
  }
  endWithReader();
  const after = entries.at(-1)?.id ?? 0;
  const interrupted = (): void =>
    void process.stderr.write(`The connection to ${host.url} was lost; trying again…\n`);
  const path = `${feed.path}?${new URLSearchParams(wanted)}`;
  for await (const entry of followEvents(host, path, feed.entry, { after, interrupted })) show(entry);
}

/** Where an entry is from, if several hosts share an engine. */
export function shownHost(host: string | undefined): string {
  return host === undefined ? "" : ` on ${host}`;
}

/** The value of an option such as `--limit`. */
export function count(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 1000) return Number(text);
  throw new InvalidArgumentError("Expected a whole number from 1 to 1000.");
}

const retryPause = 1000;

/**
 * Yields entries after an id endlessly, even across restarts of the host. Calls `interrupted` when a connection is
 * lost. Throws when the host refuses the request.
 */
async function* followEvents<T extends { id: number }>(
  host: HostClient,
  path: string,
  read: (data: unknown) => T,
  { after, interrupted }: { after: number; interrupted(): void },
): AsyncGenerator<T> {
  let last = after;
  for (let isFirst = true; ; isFirst = false) {
    const headers = { Accept: "text/event-stream", "Last-Event-ID": String(last) };
    const response = await host.request(path, { headers }).catch((error: unknown) => {
      if (isFirst) throw error;
      return undefined;
    });
    if (response?.ok === false && (isFirst || response.status !== 503)) throw await host.refusal(response);
    if (response?.ok) {
      for await (const data of serverData(response.body)) {
        const next = read(data);
        last = next.id;
        yield next;
      }
      interrupted();
    }
    await pause(retryPause);
  }
}

/** Yields the data of server-sent events; ends with the connection, even if it fails. */
export async function* serverData(body: Response["body"]): AsyncGenerator<unknown> {
  if (body === null) return;
  const events = serverEvents(body);
  try {
    for (;;) {
      const next = await events.next().catch(() => undefined);
      if (next === undefined || next.done) return;
      if (next.value !== undefined) yield JSON.parse(next.value.data);
    }
  } finally {
    await events.return(undefined);
  }
}
