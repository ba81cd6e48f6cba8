/** How calls cross to a plugin, and what is believed of the answers: the plugin may have written them. */
import { checked, Validator } from "../../validation.js";
import type { Message, Received } from "../messages/message.js";
import { PluginDescription } from "../messages/plugin-description.js";
import { Answer, type Handle, type Serve, ServiceErrors } from "../messages/request-messages.js";
import type {
  CallOrigin,
  PluginAnswer,
  PluginCall,
  PluginOffer,
  ServiceAnswer,
  ServiceCall,
} from "./live-plugin.js";
import { wantedPlugin } from "./wanted-plugin.js";

const validator = new Validator({ lazy: true });
const checkDescription = validator.compile(PluginDescription, "plugin");
const checkAnswer = validator.compile(Answer, "answer");
const checkErrors = validator.compile(ServiceErrors, "errors");

/** Without content. */
export const plain: Message = { values: {}, parts: [] };

/** What a plugin that was set up says that it offers. Throws when it says nothing of the kind. */
export function describedOffer({ parts }: Received): PluginOffer {
  const { routes, services, requirements } = checked(
    checkDescription(JSON.parse(parts[0]?.toString("utf8") ?? "null")),
    "The plugin described itself in a way that the host does not understand",
  );
  // Here and not in the instance, which so need not load what understands ranges.
  const wrong = requirements.find(({ plugin }) => wantedPlugin(plugin) === undefined);
  if (wrong !== undefined) {
    const asked = `host.service(${JSON.stringify(wrong.plugin)}, ${JSON.stringify(wrong.service)})`;
    throw new Error(`The plugin's setup failed: ${asked}: expected a plugin such as "Reporter@^1.0.0"`);
  }
  const none = { timeout: undefined };
  const noSchemas = { body: undefined, query: undefined, params: undefined, response: undefined };
  return {
    routes: routes.map((route) => ({ ...none, ...noSchemas, ...route })),
    services: services.map((method) => ({
      ...none,
      input: undefined,
      output: undefined,
      ...method,
    })),
    requirements,
  };
}

/** `request` is the number that the request has in this instance. */
export function handleMessage(call: PluginCall, request: number): Message {
  const values: Handle = { ...originFields(call, request), route: call.route };
  return { values, parts: [call.body, call.query, call.params] };
}

/** The same for a call of a service. */
export function serveMessage(call: ServiceCall, request: number): Message {
  const { service, method, caller } = call;
  const values: Serve = { ...originFields(call, request), service, method, caller: caller.plugin };
  return { values, parts: [call.input] };
}

function originFields({ requestId, locale, session }: CallOrigin, request: number) {
  return { request, requestId, locale, ...(session === undefined ? {} : { session }) };
}

/** The answer to `handleMessage`, or undefined when it is none. */
export function readAnswer({ values, parts }: Received): PluginAnswer | undefined {
  const result = checkAnswer(values);
  return result.ok ? { ...result.value, body: parts[0]?.toString("utf8") ?? "" } : undefined;
}

/** The answer to `serveMessage`, or undefined when it is none. The value is the caller's to check. */
export function readServiceAnswer({ parts }: Received): ServiceAnswer | undefined {
  const [value, errors] = parts.map((part) => part.toString("utf8"));
  if (value === undefined || errors === undefined) return undefined;
  try {
    return checkErrors(JSON.parse(errors)).ok ? { value, errors } : undefined;
  } catch {
    return undefined;
  }
}
