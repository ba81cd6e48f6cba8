import { RequestError } from "@slipway/sdk";
import type { PluginOffer } from "../live-plugin.js";
import type { StateRecord } from "../plugin-state.js";
import { Instance, type InstanceOptions } from "../process/instance.js";
import { settlesWithin } from "../timing.js";

/**
 * Starts an instance and probes it. Rejects with a sentence for admins, and leaves nothing running, when it does not
 * come up in time or the signal aborts.
 */
export async function bringUp(
  options: InstanceOptions,
  record: StateRecord,
  signal: AbortSignal,
  first: boolean,
): Promise<{ instance: Instance; offer: PluginOffer }> {
  // While another instance serves, the version as a whole stays what it is.
  if (first) record.enter("starting", record.current.reason);
  const instance = new Instance(options);
  const cancel = (): void => instance.kill("the host stops");
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  const up = (async () => {
    const offer = await instance.start();
    if (first) record.enter("probing");
    await instance.probe();
    return { instance, offer };
  })();
  try {
    const { startTimeout } = options.configuration;
    if (!(await settlesWithin(up, startTimeout)))
      throw new Error(`It was not ready after ${startTimeout} ms.`);
    return await up;
  } catch (error) {
    instance.kill("it did not come up");
    await instance.gone;
    throw new Error(error instanceof RequestError || error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
