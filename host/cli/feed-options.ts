import { type Command, InvalidArgumentError } from "commander";
import { fitted, jsonText, print, printJson } from "../system/terminal-text.js";
import { type CheckedFeed, followEvents } from "./follow-events.js";
import type { HostClient } from "./host-client.js";
import type { RunningHostOptions } from "./running-host-options.js";
import { endWithReader } from "./standard-output.js";

/** Options of commands that show a feed. */
export interface FeedOptions extends RunningHostOptions {
  follow?: true;
  limit: number;
  json?: true;
}

/** Adds the options of `showFeed`; `follow` is the help text of `--follow`. */
export function withFeedOptions(command: Command, follow: string): Command {
  return command
    .option("--follow", `${follow}; Ctrl+C ends it`)
    .option("--limit <number>", "how many, at most 1000", count, 20)
    .option("--json", "print the answer of the host as JSON; with --follow, one entry on each line");
}

/** Shows the last entries and, with `--follow`, later ones, even across restarts of the host. */
export async function showFeed<T extends { id: number }>(
  host: HostClient,
  feed: CheckedFeed<T>,
  { json, follow, limit }: FeedOptions,
  line: (entry: T) => string,
): Promise<void> {
  const query = new URLSearchParams([...feed.query, ["limit", String(limit)]]);
  const answer = await host.json(`${feed.path}?${query}`);
  const entries = feed.entries(answer);
  if (json && !follow) return printJson(answer);
  const show = (entry: T): void => print([json ? jsonText(entry) : fitted(line(entry))]);
  for (const entry of entries) show(entry);
  if (!follow) {
    if (entries.length === 0) print(["There is nothing to show."]);
    return;
  }
  endWithReader();
  const after = entries.at(-1)?.id ?? 0;
  const interrupted = (): void =>
    void process.stderr.write(`The connection to ${host.url} was lost; trying again…\n`);
  for await (const entry of followEvents(host, feed, after, interrupted)) show(entry);
}

function count(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 1000) return Number(text);
  throw new InvalidArgumentError("Expected a whole number from 1 to 1000.");
}
