/** The commands, and the streams of events, as admins and their scripts meet them. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { type EndedCommand, runCommand } from "../run-command.js";
import { cleanEnvironment, commandLine } from "../start-host.js";
import type { PluginEvent } from "./host-answers.js";
import { until } from "./plugins-support.js";

/** `slipway plugin` with parameters, until it ends. */
export const plugin = (...parameters: string[]): Promise<EndedCommand> =>
  runCommand(["plugin", ...parameters]);

export interface Following {
  process: ChildProcess;
  lines: string[];
  /** Waits for a line of its output. */
  said(pattern: RegExp): Promise<void>;
}

/** `slipway plugin events --follow` with parameters. */
export function following(...parameters: string[]): Following {
  const child = spawn(process.execPath, [commandLine, "plugin", "events", "--follow", ...parameters], {
    env: cleanEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on("line", (line) => void lines.push(line));
  return {
    process: child,
    lines,
    said: (pattern) => until(() => lines.some((line) => pattern.test(line))),
  };
}

export interface OpenStream {
  response: Response;
  /** So far. */
  events: PluginEvent[];
  /** Resolves when the host ends the stream well; rejects when the connection is torn. */
  ended: Promise<void>;
  leave(): void;
}

/** Follows the events of a host over server-sent events. */
export async function openStream(
  url: string,
  headers: Record<string, string> = {},
  query = "",
): Promise<OpenStream> {
  const controller = new AbortController();
  const response = await fetch(`${url}/api/events${query}`, {
    headers: { Accept: "text/event-stream", ...headers },
    signal: controller.signal,
  });
  const events: PluginEvent[] = [];
  const ended = read(response, events);
  ended.catch(() => undefined);
  return { response, events, ended, leave: () => controller.abort() };
}

async function read({ body }: Response, events: PluginEvent[]): Promise<void> {
  if (body === null) return;
  let rest = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const frames = `${rest}${piece}`.split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      const [, id, data] = /^id: (\d+)\nevent: plugin\ndata: (.*)$/.exec(frame) ?? [];
      if (data === undefined) continue;
      const event: PluginEvent = JSON.parse(data);
      if (event.id !== Number(id)) throw new Error(`${id} is not the id of ${data}`);
      events.push(event);
    }
  }
}
