import type { PluginOffer } from "@slipway/sdk/runtime/host";
import { errorMessage } from "../../system/errors.js";
import { tellLongWaits } from "../../system/long-waits.js";
import { settlesWithin } from "../../system/time.js";
import { Instance, type InstanceOptions } from "./instance.js";
import { runSmokeRequests, runWarmUpRequests } from "./start-requests.js";

/** What is told of a start. */
export interface StartProgress {
  /** Between setup and probe. */
  probing(): void;
  /** Only on a development host: what it has waited for longer than a second, as a sentence; once per wait. */
  waiting(reason: string): void;
}

export interface StartOptions extends InstanceOptions {
  /** Whether clients wait for the instance: it is then not warmed up. */
  isAwaited: boolean;
}

/**
 * Starts an instance, probes it and runs the requests of its manifest. When it is not ready in time or the signal aborts,
 * leaves nothing running and rejects with a sentence for admins.
 */
export async function startInstance(
  options: StartOptions,
  signal: AbortSignal,
  { probing, waiting }: StartProgress,
): Promise<{ instance: Instance; offer: PluginOffer }> {
  const instance = new Instance(options);
  const cancel = (): void => instance.kill("the host stops");
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  const { startTimeout, development, warmUp } = options.configuration;
  const current = () => ({ key: instance.unfinished, text: `Up to now, ${instance.unfinished}.` });
  const endTelling = development ? tellLongWaits(current, waiting) : undefined;
  const { snapshot, log } = options;
  const up = (async () => {
    const offer = await instance.start();
    probing();
    await instance.probe();
    const starting = { instance, offer, signal, timeout: startTimeout, log };
    await runSmokeRequests(starting, snapshot.smoke);
    return starting;
  })();
  try {
    if (!(await settlesWithin(up, startTimeout)))
      throw new Error(`It was not ready after ${startTimeout} ms: ${instance.unfinished}.`);
    const starting = await up;
    if (warmUp && !development && !options.isAwaited) await runWarmUpRequests(starting, snapshot.warmUp);
    if (instance.isLost) throw new Error(`Its process ended: ${await instance.gone}.`);
    return { instance, offer: starting.offer };
  } catch (error) {
    instance.kill("it did not start");
    await instance.gone;
    const reason = errorMessage(error);
    // Clients read the message; it must not contain the path of the host.
    throw new Error(reason.replaceAll(options.snapshot.folder, "."), { cause: error });
  } finally {
    endTelling?.();
    signal.removeEventListener("abort", cancel);
  }
}
