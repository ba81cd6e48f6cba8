/** What the host says to an instance beside requests, and what it believes of the answers: a plugin may have written them. */
import { pathToFileURL } from "node:url";
import { type Check, Validator } from "@slipway/sdk";
import type { Message } from "@slipway/sdk/runtime";
import type { Snapshot } from "../snapshots/snapshot.js";
import { Fault, Hello, protocolVersion, type Start } from "./messages.js";

const validator = new Validator();
const checkHello = validator.compile(Hello, "hello");
const checkFault: Check<Fault> = validator.compile(Fault, "fault");

export function speaksOurProtocol(values: unknown): boolean {
  const hello = checkHello(values);
  return hello.ok && hello.value.protocol === protocolVersion;
}

export function startMessage(
  snapshot: Snapshot,
  settings: Record<string, unknown>,
  projectCache: number,
): Message {
  const { name, version, entry } = snapshot;
  const values: Start = { entry: pathToFileURL(entry).href, name, version, projectCache };
  return { values, parts: [JSON.stringify(settings)] };
}

export function readFault(values: unknown): Fault | undefined {
  const result = checkFault(values);
  return result.ok ? result.value : undefined;
}
