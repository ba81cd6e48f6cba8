/**
 * Examples of the messages into which the code inserts something: what tests received over HTTP, kept in
 * `message-examples.json`, else those of `written-examples.json`.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../start-host.js";
import type { ErrorMessage } from "./error-messages.js";

const folder = join(repository, "test", "documentation");
const receivedFile = join(folder, "message-examples.json");
const writtenFile = join(folder, "written-examples.json");
const longest = 300;
/** A message with less of its own passes another one on. */
const leastLetters = 4;

export interface MessageExamples {
  /** By `exampleKey`. */
  readonly examples: ReadonlyMap<string, string>;
  /** The keys of kept examples that fit no message. */
  readonly outdated: readonly string[];
  /** The keys of messages without an example. */
  readonly missing: readonly string[];
}

/** An id may say several things, and several ids the same. */
export function exampleKey({ id, text }: ErrorMessage): string {
  return `${id}: ${text}`;
}

export function messageExamples(messages: readonly ErrorMessage[]): MessageExamples {
  const kept = readExamples(receivedFile);
  const written = readExamples(writtenFile);
  const recorded = recordedMessages();
  const received = new Map<string, string>();
  const examples = new Map<string, string>();
  const missing: string[] = [];
  for (const message of messages) {
    const pattern = patternOf(message.text);
    if (pattern === undefined) continue;
    const key = exampleKey(message);
    const fits = (example: string | undefined) => example !== undefined && pattern.test(example);
    const own = recorded.filter(({ id }) => id === message.id).map((each) => each.message);
    const answer = [kept.get(key), ...own].find(fits);
    if (answer !== undefined) received.set(key, answer);
    const example = [answer, written.get(key)].find(fits);
    if (example === undefined) missing.push(key);
    else examples.set(key, example);
  }
  if (process.env["SLIPWAY_WRITE_MESSAGES"] === "1")
    writeFileSync(receivedFile, `${JSON.stringify(Object.fromEntries(received), undefined, 2)}\n`);
  const outdated = [...kept.keys(), ...written.keys()].filter((key) => !examples.has(key));
  return { examples, outdated, missing };
}

function readExamples(file: string): Map<string, string> {
  return new Map(Object.entries(JSON.parse(readFileSync(file, "utf8"))));
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

/** Undefined for a message into which nothing is inserted, and for one that passes another on. */
function patternOf(text: string): RegExp | undefined {
  const parts = text.split(/\{[\w…]*\}/u);
  const letters = parts.join("").replaceAll(/\P{L}/gu, "");
  if (parts.length === 1 || letters.length < leastLetters) return undefined;
  return new RegExp(
    `^${parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("[^]*")}$`,
    "u",
  );
}
