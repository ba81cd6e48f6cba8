import { RequestError } from "../../schema/errors.js";
import type { LivePlugin, ServiceAnswer, ServiceCall } from "../calls/live-plugin.js";
import { pluginMistake } from "../calls/request-errors.js";
import type { ParametersOf } from "../messages/host-parameters.js";
import { findService, type OfferingPlugins, type ServiceMeasures } from "./find-service.js";
import { duringRequest, type ServiceContext } from "./service-context.js";

/** Maximum depth of nested service calls; stops plugins that call each other in a circle. */
const deepest = 5;

/**
 * Calls a service method of another plugin as part of the running request. `input` is JSON. The plugin is
 * held as soon as it is chosen, so that it still answers if it is replaced meanwhile.
 */
export async function callService(
  { plugins, measures }: { plugins: OfferingPlugins; measures?: ServiceMeasures | undefined },
  context: ServiceContext,
  wanted: ParametersOf<"service.call">,
  input: string,
): Promise<ServiceAnswer> {
  const caller = duringRequest(context);
  context.plugin.permits?.service(wanted.plugin);
  const { plugin, method } = findService(plugins(caller.origin.release), wanted);
  const what = `${plugin.name}@${plugin.version} ${method.service}.${method.method}`;
  if (caller.chain.length > deepest) throw tooDeep([...caller.chain, what]);
  const { requestId, client, release, locale, baseUrl, session } = caller.origin;
  if (method.session === "required" && session === undefined)
    throw pluginMistake(`The plugin called ${what}, which needs a session, for a request that has none.`);
  const { timeout = Number.POSITIVE_INFINITY } = method;
  const { work } = context;
  work.note({
    "slipway.plugin": plugin.name,
    "slipway.plugin.version": plugin.version,
    "slipway.service": `${method.service}.${method.method}`,
  });
  const letGo = plugin.hold();
  try {
    const call: ServiceCall = {
      requestId,
      client,
      release,
      locale,
      baseUrl,
      session: method.session === "none" ? undefined : session,
      signal: context.signal,
      deadline: Math.min(context.deadline, caller.clock.now() + timeout),
      service: method.service,
      method: method.method,
      input,
      caller,
      work,
    };
    return await measured(plugin, call, context.plugin, measures);
  } finally {
    letGo();
  }
}

async function measured(
  plugin: LivePlugin,
  call: ServiceCall,
  caller: ServiceContext["plugin"],
  measures: ServiceMeasures | undefined,
): Promise<ServiceAnswer> {
  const started = performance.now();
  const report = (hasFailed: boolean): void => {
    const { name, version } = plugin;
    const { service, method } = call;
    const seconds = (performance.now() - started) / 1000;
    measures?.serviceCalled({
      caller: caller.name,
      plugin: { name, version },
      service,
      method,
      hasFailed,
      seconds,
    });
  };
  try {
    const answer = await plugin.serve(call);
    report(false);
    return answer;
  } catch (error) {
    report(true);
    throw error;
  }
}

function tooDeep(chain: readonly string[]): RequestError {
  return new RequestError({
    id: "plugin-error",
    code: 500,
    message: `Plugins called each other more than ${deepest} times in a chain: ${chain.join(" -> ")}.`,
    additionalInformation: { chain },
  });
}
