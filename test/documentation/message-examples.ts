/**
 * An example of each message into which the code inserts something: what a test was answered, kept in
 * `message-examples.json`, and written by hand only where no test gets the message over HTTP.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../start-host.js";
import type { ErrorMessage } from "./error-messages.js";

const file = join(repository, "test", "documentation", "message-examples.json");
const longest = 300;

/** The examples by message; the messages without one, and kept ones whose message is no longer there, are mistakes. */
export function messageExamples(messages: readonly ErrorMessage[]): {
  examples: ReadonlyMap<string, string>;
  mistakes: string[];
} {
  const kept = readExamples();
  const recorded = recordedMessages();
  const examples = new Map<string, string>();
  const mistakes: string[] = [];
  for (const { id, text } of messages) {
    const pattern = patternOf(text);
    if (pattern === undefined || examples.has(text)) continue;
    const old = kept.get(text);
    const found = [old, ...recorded.filter((each) => each.id === id).map(({ message }) => message)];
    const example = found.find((each) => each !== undefined && pattern.test(each));
    if (example === undefined) mistakes.push(`${id}: no example of ${text}`);
    else examples.set(text, example);
  }
  for (const text of kept.keys()) if (!examples.has(text)) mistakes.push(`no such message: ${text}`);
  if (process.env["SLIPWAY_WRITE_MESSAGES"] === "1")
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(examples), undefined, 2)}\n`);
  return { examples, mistakes };
}

function readExamples(): Map<string, string> {
  return existsSync(file) ? new Map(Object.entries(JSON.parse(readFileSync(file, "utf8")))) : new Map();
}

/** Those of SLIPWAY_RECORD_MESSAGES, the shortest first. */
function recordedMessages(): { id: string; message: string }[] {
  const recorded = process.env["SLIPWAY_RECORD_MESSAGES"];
  if (recorded === undefined || !existsSync(recorded)) return [];
  const lines: { id: string; message: string }[] = readFileSync(recorded, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  return lines
    .filter(({ message }) => message.length <= longest)
    .sort(
      (one, other) => one.message.length - other.message.length || (one.message < other.message ? -1 : 1),
    );
}

/** Undefined for a message into which nothing is inserted. */
function patternOf(text: string): RegExp | undefined {
  const parts = text.split(/\{[\w…]*\}/u);
  if (parts.length === 1) return undefined;
  return new RegExp(
    `^${parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("[^]*")}$`,
    "u",
  );
}
