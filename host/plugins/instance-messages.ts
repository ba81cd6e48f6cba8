/** What the host says to an instance, and what it believes of the answers: a plugin may have written them. */
import { pathToFileURL } from "node:url";
import { type Check, Validator } from "@slipway/sdk";
import type { LiveRoute, PluginAnswer, PluginCall } from "./live-plugin.js";
import type { Message, Received } from "./protocol/channel.js";
import {
  Answer,
  Fault,
  type Handle,
  Hello,
  PluginDescription,
  protocolVersion,
  type Start,
} from "./protocol/messages.js";
import type { Snapshot } from "./snapshot-store.js";

const validator = new Validator();
const checkHello = validator.compile(Hello, "hello");
const checkDescription = validator.compile(PluginDescription, "plugin");
const checkAnswer = validator.compile(Answer, "answer");
const checkFault: Check<Fault> = validator.compile(Fault, "fault");

/** Without content. */
export const plain: Message = { values: {}, parts: [] };

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

/** The routes of the answer to `startMessage`. Throws when it is none. */
export function describedRoutes({ parts }: Received): LiveRoute[] {
  const result = checkDescription(JSON.parse(parts[0]?.toString("utf8") ?? "null"));
  if (!result.ok) throw new Error("The plugin described itself in a way that the host does not understand.");
  const none = {
    body: undefined,
    query: undefined,
    params: undefined,
    response: undefined,
    timeout: undefined,
  };
  return result.value.routes.map((route) => ({ ...none, ...route }));
}

/** `request` is the number that the request has in this instance. */
export function handleMessage(call: PluginCall, request: number): Message {
  const { requestId, route, locale, session } = call;
  const values: Handle = { request, requestId, route, locale, ...(session === undefined ? {} : { session }) };
  return { values, parts: [call.body, call.query, call.params] };
}

/** The answer to `handleMessage`, or undefined when it is none. */
export function readAnswer({ values, parts }: Received): PluginAnswer | undefined {
  const result = checkAnswer(values);
  return result.ok ? { ...result.value, body: parts[0]?.toString("utf8") ?? "" } : undefined;
}

export function readFault(values: unknown): Fault | undefined {
  const result = checkFault(values);
  return result.ok ? result.value : undefined;
}
