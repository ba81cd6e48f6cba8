import {
  callService,
  RunningCall,
  RunningCalls,
  type ServiceAnswer,
  unavailable,
} from "@slipway/sdk/runtime/host";
import type { Configuration } from "../../configuration/configuration.js";
import { findSession } from "../../http/request-session.js";
import { callOrigin, type RequestContext } from "../../http/request-state.js";
import { livePlugins, type RouteTable } from "../../plugins/routes/routes.js";
import type { Sessions } from "../../sessions/sessions.js";
import { hostVersion } from "../../system/installation.js";
import { longestTimer } from "../../system/time.js";
import type { Development } from "./development.js";

/** What a trial needs of the host. */
export interface TrialParts {
  development: Development;
  sessions: Pick<Sessions, "use" | "find">;
  configuration: Pick<Configuration, "publicUrl" | "requests">;
  table(): RouteTable;
}

/** A service method of the plugin in development, and what it is called with. */
export interface ServiceTrial {
  service: string;
  method: string;
  sessionId: string | undefined;
  /** JSON; not validated yet. */
  input: unknown;
}

/** The caller that logs and errors name. */
const caller = { name: "plugin-dev", version: hostVersion };

/**
 * Calls a service method of the plugin in development as part of the request. Rejects with a `RequestError`, as for a
 * plugin that calls it.
 */
export async function tryService(
  ctx: RequestContext,
  { development, sessions, configuration, table }: TrialParts,
  { service, method, sessionId, input }: ServiceTrial,
): Promise<ServiceAnswer> {
  const { place, isDebugged } = development.plugin;
  const { name, version } = development.serving() ?? {};
  if (name === undefined) throw unavailable(place);
  if (sessionId !== undefined) ctx.state.session = await findSession(sessions, sessionId, ctx.state.log);
  const current = table();
  const own = livePlugins(current).filter((each) => each.name === name && each.version === version);
  const deadline = ctx.state.arrived + (isDebugged ? longestTimer : configuration.requests.timeout);
  const origin = callOrigin(ctx, {
    release: current.defaultRelease,
    deadline,
    publicUrl: configuration.publicUrl,
  });
  const what = `${service}.${method}`;
  return await origin.work.step(`${name} ${what}`, async (work) => {
    const call = new RunningCall({ ...origin, work }, `${caller.name}@${caller.version}`, what, undefined);
    const context = { plugin: caller, call, signal: call.signal, deadline, work };
    const wanted = { plugin: `${name}@${version}`, service, method };
    return await new RunningCalls().run(call, () =>
      callService({ plugins: () => [own] }, context, wanted, JSON.stringify(input)),
    );
  });
}
