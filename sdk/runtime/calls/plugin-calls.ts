import type { Message, Received } from "../messages/message.js";
import { pluginFailed } from "./call-errors.js";
import { handleMessage, readAnswer, readServiceAnswer, serveMessage } from "./call-messages.js";
import type { PluginAnswer, PluginCall, ServiceAnswer, ServiceCall } from "./live-plugin.js";
import { RunningCall } from "./running-call.js";
import type { RunningCalls } from "./running-calls.js";
import { type Clock, monotonicClock } from "./work.js";

/** A call on its way to a plugin. */
export interface SentCall {
  running: RunningCall;
  /** The number of the call in the plugin. */
  request: number;
}

/** How a plugin is reached: in a process of its own, or in the process of a test. */
export interface PluginPeer {
  /** Name and version, such as "oex@1.6.0". */
  readonly label: string;
  /** The calls that the plugin works on. */
  readonly running: RunningCalls;
  /** By default that of the host. */
  readonly clock?: Clock;
  /** Asks the plugin. Rejects as soon as the signal of the call aborts. */
  ask(method: "handle" | "serve", message: Message, call: SentCall): Promise<Received>;
  /** What the caller gets to see of what went wrong. */
  shown(error: unknown, request: number): unknown;
}

/** Has a plugin answer a request. Nothing is left of the files of one that fails. Rejects with what `shown` gives. */
export async function callPlugin(peer: PluginPeer, call: PluginCall): Promise<PluginAnswer> {
  const running = new RunningCall(call, peer.label, call.route, undefined, peer.clock ?? monotonicClock);
  return await run(peer, running, "handle", (request) => handleMessage(call, request), readAnswer);
}

/** Has a plugin run a service method for another one; otherwise as `callPlugin`. */
export async function callServiceOf(peer: PluginPeer, call: ServiceCall): Promise<ServiceAnswer> {
  const what = `${call.service}.${call.method}`;
  const running = new RunningCall(call, peer.label, what, call.caller, peer.clock ?? monotonicClock);
  return await run(peer, running, "serve", (request) => serveMessage(call, request), readServiceAnswer);
}

async function run<A>(
  peer: PluginPeer,
  running: RunningCall,
  method: "handle" | "serve",
  message: (request: number) => Message,
  read: (received: Received) => A | undefined,
): Promise<A> {
  return await peer.running.run(running, async (request) => {
    try {
      const answer = read(await peer.ask(method, message(request), { running, request }));
      if (answer === undefined) throw pluginFailed(peer.label, "its answer is invalid");
      return answer;
    } catch (error) {
      throw await peer.shown(error, request);
    }
  });
}
