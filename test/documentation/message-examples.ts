/**
 * Examples of the messages into which the code inserts something: what tests were answered over HTTP, kept in
 * `message-examples.json`.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../start-host.js";
import type { ErrorMessage } from "./error-messages.js";

const file = join(repository, "test", "documentation", "message-examples.json");
const longest = 300;

/** The examples by message, and the kept ones whose message is no longer there. */
export function messageExamples(messages: readonly ErrorMessage[]): {
  examples: ReadonlyMap<string, string>;
  outdated: string[];
} {
  const kept = readExamples();
  const recorded = recordedMessages();
  const examples = new Map<string, string>();
  for (const { id, text } of messages) {
    const pattern = patternOf(text);
    if (pattern === undefined || examples.has(text)) continue;
    const old = kept.get(text);
    const found = [old, ...recorded.filter((each) => each.id === id).map(({ message }) => message)];
    const example = found.find((each) => each !== undefined && pattern.test(each));
    if (example !== undefined) examples.set(text, example);
  }
  const outdated = [...kept.keys()].filter((text) => !examples.has(text));
  if (process.env["SLIPWAY_WRITE_MESSAGES"] === "1")
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(examples), undefined, 2)}\n`);
  return { examples, outdated };
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
