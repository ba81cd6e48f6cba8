import type { PluginOffer } from "@slipway/sdk/runtime/host";
import { errorMessage } from "../../system/errors.js";
import type { StateRecord } from "../plugin-state.js";
import { settlesWithin } from "../timing.js";
import { Instance, type InstanceOptions } from "./instance.js";
import { runSmokeRequests } from "./smoke-requests.js";

/**
 * Starts an instance, probes it, and has it answer the smoke requests of its manifest. Rejects with a sentence for admins,
 * and leaves nothing running, when it does not come up in time or the signal aborts.
 */
export async function bringUp(
  options: InstanceOptions,
  record: StateRecord,
  signal: AbortSignal,
  first: boolean,
): Promise<{ instance: Instance; offer: PluginOffer }> {
  // While another instance serves, the version as a whole stays what it is.
  if (first) record.transition("starting", whyAgain(record));
  const instance = new Instance(options);
  const cancel = (): void => instance.kill("the host stops");
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  const { startTimeout } = options.configuration;
  const up = (async () => {
    const offer = await instance.start();
    if (first) record.transition("probing");
    await instance.probe();
    const { smoke } = options.snapshot;
    const limits = { signal, timeout: startTimeout, log: options.log };
    await runSmokeRequests(offer, (call) => instance.call(call), smoke, limits);
    return { instance, offer };
  })();
  try {
    if (!(await settlesWithin(up, startTimeout)))
      throw new Error(`It was not ready after ${startTimeout} ms.`);
    return await up;
  } catch (error) {
    instance.kill("it did not come up");
    await instance.gone;
    const reason = errorMessage(error);
    // Clients read it too, and they need not know where the host lies.
    throw new Error(reason.replaceAll(options.snapshot.folder, "."), { cause: error });
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** Why an instance is started again; undefined for the first one. */
function whyAgain({ current: { stage, reason } }: StateRecord): string | undefined {
  return stage === "starting" ? reason : undefined;
}
