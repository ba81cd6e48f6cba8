/** Converts calls to messages, and validates the answers, which the plugin may have written itself. */

import semver from "semver";
import { isRedirectTarget } from "../../plugin/reply.js";
import { checked, sdkCheck, Validator } from "../../schema/validation.js";
import type { Message, Received } from "../messages/message.js";
import type { PluginDescription } from "../messages/plugin-description.js";
import {
  type Answer,
  type Handle,
  type Run,
  type RunHook,
  type Serve,
  ServiceErrors,
} from "../messages/request-messages.js";
import type {
  CallOrigin,
  PluginAnswer,
  PluginCall,
  PluginOffer,
  ScheduleCall,
  ServiceAnswer,
  ServiceCall,
  SessionHookCall,
} from "./live-plugin.js";
import { pluginMistake } from "./request-errors.js";
import type { RequestFiles } from "./request-files.js";

const validator = new Validator({ lazy: true });
const checkDescription = sdkCheck<typeof PluginDescription>("plugin", "description");
const checkAnswer = sdkCheck<typeof Answer>("answer", "answer");
const checkErrors = validator.compile(ServiceErrors, "errors");

/** Parses the description that a plugin sends after its setup. Throws if it is invalid. */
export function describedOffer({ parts }: Received): PluginOffer {
  const {
    routes,
    services,
    requirements,
    schedules = [],
    sessionHooks = [],
  } = checked(
    checkDescription(JSON.parse(parts[0]?.toString("utf8") ?? "null")),
    "The plugin described itself in a way that the host does not understand",
  );
  // Checked here, not in the plugin process, which then need not load the version range parser.
  const wrong = requirements.find(({ plugin }) => wantedPlugin(plugin) === undefined);
  if (wrong !== undefined) {
    const asked = `host.service(${JSON.stringify(wrong.plugin)}, ${JSON.stringify(wrong.service)})`;
    throw new Error(`The plugin's setup failed: ${asked} must name a plugin such as "Reporter@^1.0.0"`);
  }
  const none = { timeout: undefined, produces: undefined, redirects: false };
  const noSchemas = { body: undefined, query: undefined, params: undefined, response: undefined };
  return {
    routes: routes.map((route) => ({ ...none, ...noSchemas, ...route })),
    services: services.map((method) => ({
      timeout: undefined,
      input: undefined,
      output: undefined,
      ...method,
    })),
    requirements,
    schedules: schedules.map((each) => ({ timeout: undefined, ...each })),
    sessionHooks: sessionHooks.map((each) => ({ timeout: undefined, ...each })),
  };
}

/** `request` is the number of the call in this instance. */
export function handleMessage(call: PluginCall, request: number): Message {
  const isFollowed = call.progress !== undefined;
  const values: Handle = {
    ...originFields(call, request),
    route: call.route,
    ...(isFollowed && { isFollowed }),
  };
  return { values, parts: [call.body, call.query, call.params] };
}

/** Like `handleMessage`, for a service call. */
export function serveMessage(call: ServiceCall, request: number): Message {
  const { service, method, caller } = call;
  const values: Serve = { ...originFields(call, request), service, method, caller: caller.plugin };
  return { values, parts: [call.input] };
}

/** Like `handleMessage`, for a run of a schedule. */
export function runMessage(call: ScheduleCall, request: number): Message {
  const { schedule, due, missed } = call;
  const values: Run = { ...originFields(call, request), schedule, due, missed };
  return { values, parts: [] };
}

/** Like `handleMessage`, for a run of a session hook. */
export function hookMessage(call: SessionHookCall, request: number): Message {
  const values: RunHook = { ...originFields(call, request), event: call.event };
  return { values, parts: [] };
}

function originFields({ requestId, locale, session }: CallOrigin, request: number) {
  return { request, requestId, locale, ...(session === undefined ? {} : { session }) };
}

/** Parses an answer to `handleMessage`; undefined if the message is not one. `files` are those of the call. */
export function readAnswer({ values, parts }: Received, files: RequestFiles): PluginAnswer | undefined {
  const result = checkAnswer(values);
  if (!result.ok) return undefined;
  const { headers, mediaType, file: id, location } = result.value;
  if (id !== undefined) {
    const file = files.made(id);
    if (file === undefined) throw pluginMistake("A reply has a file that its request did not create.");
    return { headers, content: { kind: "file", file } };
  }
  if (location !== undefined)
    return isRedirectTarget(location) ? { headers, content: { kind: "redirect", location } } : undefined;
  if (mediaType === undefined) return undefined;
  return { headers, content: { kind: "text", mediaType, body: parts[0]?.toString("utf8") ?? "" } };
}

/** Parses an answer to `serveMessage`; undefined if the message is not one. The caller checks the value. */
export function readServiceAnswer({ parts }: Received): ServiceAnswer | undefined {
  const [value, errors] = parts.map((part) => part.toString("utf8"));
  if (value === undefined || errors === undefined) return undefined;
  try {
    return checkErrors(JSON.parse(errors)).ok ? { value, errors } : undefined;
  } catch {
    return undefined;
  }
}

/** A reference to a plugin. */
export interface WantedPlugin {
  /** Name or alias. */
  name: string;
  /** Range of versions; default: "*". */
  range: string;
}

/** Parses a reference such as "Reporter@^1.0.0" or "Reporter"; undefined if it is invalid. */
export function wantedPlugin(text: string): WantedPlugin | undefined {
  const [, name = "", range = "*"] = /^([^@]*)(?:@(.*))?$/s.exec(text) ?? [];
  return name === "" || semver.validRange(range) === null ? undefined : { name, range };
}
