/** The session hooks of a plugin: checked, described for the host, and run. */
import type { Log } from "../../plugin/handler-context.js";
import type {
  SessionClosedContext,
  SessionHookName,
  SessionHookOptions,
  SessionOpenedContext,
} from "../../plugin/session-hooks.js";
import { isRecord } from "../../schema/record.js";
import { type Message, plain } from "../messages/message.js";
import type { SessionHookDescription } from "../messages/plugin-description.js";
import type { RunHook } from "../messages/request-messages.js";
import { runHandler } from "./handler-errors.js";
import type { HostLink } from "./host-link.js";
import { milliseconds } from "./prepared-handlers.js";
import type { ProjectCache } from "./project-cache.js";
import { remoteSession } from "./remote-session.js";

/** The hooks of a plugin, each as an object. */
export interface PreparedSessionHooks {
  opened: SessionHookOptions<SessionOpenedContext> | undefined;
  closed: SessionHookOptions<SessionClosedContext> | undefined;
}

const names: readonly SessionHookName[] = ["opened", "closed"];

/** Runs the session hooks of a plugin for the host. */
export class SessionHookRunner {
  constructor(
    private readonly link: HostLink,
    private readonly log: Log,
    private readonly hooks: PreparedSessionHooks,
    private readonly projects: ProjectCache,
  ) {}

  /** Resolves without content when the handler is done. Rejects with a `RequestError`. */
  async run(call: RunHook, signal: AbortSignal): Promise<Message> {
    const { request, event } = call;
    return await runHandler(`Session hook ${event.hook}`, { request, signal }, this.log, async () => {
      await this.handled(call, signal);
      return plain;
    });
  }

  private async handled({ event, session }: RunHook, signal: AbortSignal): Promise<void> {
    const { opened, closed } = this.hooks;
    const common = { signal, log: this.log };
    if (event.hook === "closed" && closed !== undefined) {
      const { sessionId, reason } = event;
      await closed.handler({ ...common, sessionId, reason });
    } else if (event.hook === "opened" && opened !== undefined && session !== undefined) {
      await opened.handler({ ...common, session: remoteSession(this.link, this.projects, session) });
    } else throw new Error(`There is no session hook ${event.hook} for this call.`);
  }
}

/** The session hooks that `setup` returned. Throws on the first error, naming the member. */
export function preparedSessionHooks(hooks: unknown): PreparedSessionHooks {
  if (hooks === undefined) return { opened: undefined, closed: undefined };
  if (!isRecord(hooks)) throw new Error("`sessionHooks` must be an object");
  refuseUnknown("sessionHooks", hooks, names);
  return { opened: preparedHook(hooks, "opened"), closed: preparedHook(hooks, "closed") };
}

/** The descriptions of session hooks for the host. Throws for an invalid timeout. */
export function describeSessionHooks(hooks: PreparedSessionHooks): SessionHookDescription[] {
  return names.flatMap((hook) => {
    const found = hooks[hook];
    if (found === undefined) return [];
    const timeout = milliseconds(`sessionHooks.${hook}`, found.timeout);
    return [{ hook, ...(timeout === undefined ? {} : { timeout }) }];
  });
}

function preparedHook<C>(hooks: object, name: SessionHookName): SessionHookOptions<C> | undefined {
  const owner = `sessionHooks.${name}`;
  const hook: unknown = Reflect.get(hooks, name);
  if (hook === undefined) return undefined;
  if (isHandler<C>(hook)) return { handler: (context) => Reflect.apply(hook, hooks, [context]) };
  if (!isHookOptions<C>(hook))
    throw new Error(`\`${owner}\` must be a function, or an object with a function as \`handler\``);
  refuseUnknown(owner, hook, ["handler", "timeout"]);
  return hook;
}

function refuseUnknown(owner: string, value: object, known: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const expected = known.map((name) => `\`${name}\``).join(" and ");
  throw new Error(`\`${owner}\` may have only ${expected}, but has ${JSON.stringify(unknown)}`);
}

function isHandler<C>(value: unknown): value is SessionHookOptions<C>["handler"] {
  return typeof value === "function";
}

/** `milliseconds` checks the timeout. */
function isHookOptions<C>(value: unknown): value is SessionHookOptions<C> {
  return isRecord(value) && "handler" in value && typeof value.handler === "function";
}
