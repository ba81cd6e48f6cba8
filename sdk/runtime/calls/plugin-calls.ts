import type { Message, Received } from "../messages/message.js";
import {
  handleMessage,
  hookMessage,
  readAnswer,
  readServiceAnswer,
  runMessage,
  serveMessage,
} from "./call-messages.js";
import type {
  CallOrigin,
  PluginAnswer,
  PluginCall,
  ScheduleCall,
  ServiceAnswer,
  ServiceCall,
  ServiceCaller,
  SessionHookCall,
} from "./live-plugin.js";
import { pluginFailed } from "./request-errors.js";
import type { RequestFiles } from "./request-files.js";
import { RunningCall, type RunningCalls } from "./running-call.js";
import type { Clock } from "./work.js";

/** A call sent to a plugin. */
export interface SentCall {
  running: RunningCall;
  /** The number of the call in the plugin. */
  request: number;
}

/** The message of a call: for a request, another plugin, a schedule, or a session hook. */
export type AskedMethod = "handle" | "serve" | "run" | "hook";

/** The connection to a plugin in its own process, or in the process of a test. */
export interface PluginPeer {
  /** Name and version, such as "oex@1.6.0". */
  readonly label: string;
  /** The running calls of the plugin. */
  readonly running: RunningCalls;
  /** Default: the host's clock. */
  readonly clock?: Clock;
  /** Sends the call. Rejects as soon as the signal of the call aborts. */
  ask(method: AskedMethod, message: Message, call: SentCall): Promise<Received>;
  /** The error that the caller sees. */
  shown(error: unknown, request: number): unknown;
}

/** Calls a route of a plugin. The files of a failed call are removed. Rejects with the result of `shown`. */
export async function callPlugin(peer: PluginPeer, call: PluginCall): Promise<PluginAnswer> {
  const running = runningCall(peer, call, call.route);
  const answer = await run(peer, running, "handle", (request) => handleMessage(call, request), readAnswer);
  if (call.keepsFiles === false) running.files.discard();
  return answer;
}

/** Calls a service method for another plugin; otherwise like `callPlugin`. */
export async function callServiceOf(peer: PluginPeer, call: ServiceCall): Promise<ServiceAnswer> {
  const running = runningCall(peer, call, `${call.service}.${call.method}`, call.caller);
  return await run(peer, running, "serve", (request) => serveMessage(call, request), readServiceAnswer);
}

/** Default timeout of a schedule's run, in milliseconds. */
export const runTimeout = 5 * 60_000;

/** Runs a schedule of a plugin; otherwise like `callPlugin`. Files of a finished run stay. */
export async function runScheduleOf(peer: PluginPeer, call: ScheduleCall): Promise<void> {
  const running = runningCall(peer, call, `schedule ${call.schedule}`);
  await run(peer, running, "run", (request) => runMessage(call, request), withoutContent);
}

/** Default timeout of a session hook's run, in milliseconds. */
export const hookTimeout = 30_000;

/** Runs a session hook of a plugin; otherwise like `runScheduleOf`. */
export async function runSessionHookOf(peer: PluginPeer, call: SessionHookCall): Promise<void> {
  const running = runningCall(peer, call, `session hook ${call.event.hook}`);
  await run(peer, running, "hook", (request) => hookMessage(call, request), withoutContent);
}

const withoutContent = (): true => true;

function runningCall(
  { label, clock }: PluginPeer,
  call: CallOrigin,
  what: string,
  caller?: ServiceCaller,
): RunningCall {
  return new RunningCall(call, label, what, caller, clock);
}

async function run<A>(
  peer: PluginPeer,
  running: RunningCall,
  method: AskedMethod,
  message: (request: number) => Message,
  read: (received: Received, files: RequestFiles) => A | undefined,
): Promise<A> {
  return await peer.running.run(running, async (request) => {
    try {
      const answer = read(await peer.ask(method, message(request), { running, request }), running.files);
      if (answer === undefined) throw pluginFailed(peer.label, "its answer is invalid");
      return answer;
    } catch (error) {
      throw await peer.shown(error, request);
    }
  });
}
