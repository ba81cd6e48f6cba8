/** Entry point of an instance: one plugin version in its own process. Only the host starts it. */

import { Console } from "node:console";
import { Socket } from "node:net";
import { Writable } from "node:stream";
import { inspect } from "node:util";
import { checked, type Plugin } from "@slipway/sdk";
import {
  deniedAccess,
  type Message,
  PluginRuntime,
  type Received,
  requestScope,
  requiredPlugin,
} from "@slipway/sdk/runtime";
import { hostCheck } from "../../../system/host-check.js";
import { IdleMemory } from "../../../system/idle-memory.js";
import {
  channelDescriptor,
  type InstanceArguments,
  markPrinted,
  type Start,
  type StartAssets,
} from "../messages.js";
import { type CallServer, HostConnection } from "./host-connection.js";

const checkStart = hostCheck<typeof Start>("start", "instance-start");
const checkAssets = hostCheck<typeof StartAssets>("assets", "start-assets");

/** Handles `start` and `stop`; passes other calls to the runtime. */
class InstanceCalls implements CallServer {
  private readonly memory = new IdleMemory();

  constructor(private readonly runtime: PluginRuntime) {}

  serve(method: string, message: Received, signal: AbortSignal): Promise<Message> {
    return this.memory.during(() => this.answer(method, message, signal));
  }

  private async answer(method: string, message: Received, signal: AbortSignal): Promise<Message> {
    if (method === "start") return await this.start(message);
    if (method !== "stop") return await this.runtime.serve(method, message, signal);
    await this.runtime.stop();
    return { values: {}, parts: [] };
  }

  private async start({ values, parts }: Received): Promise<Message> {
    const { entry, name, version, projectCache, folders } = checked(checkStart(values), "start");
    connection.showSourcesOf(entry);
    const started = this.runtime.start({
      load: () => loadPlugin(entry),
      name,
      version,
      config: JSON.parse(parts[0]?.toString("utf8") ?? "{}"),
      assets: checked(checkAssets(JSON.parse(parts[1]?.toString("utf8") ?? "")), "assets"),
      folders,
      projectCache,
      now: () => new Date(),
      begins: (step) => connection.begins(step),
      takes: (schema) => connection.takes(schema),
    });
    return await started.catch((error: unknown) => {
      if (error instanceof Error) error.message = connection.withSources(error.message);
      throw error;
    });
  }
}

/** The plugin that a bundle exports. Throws when the export is missing or invalid. */
async function loadPlugin(entry: string): Promise<Plugin> {
  const module: Record<string, unknown> = await import(entry);
  return requiredPlugin(module["default"]);
}

const maximumDetail = 8000;

/**
 * An uncaught exception does not end the process at once, for the sake of concurrent requests. The host receives a
 * fault, fails the request that caused it, and replaces this instance once the others are done.
 */
function reportFaults(connection: HostConnection): void {
  let reported = 0;
  const report = (error: unknown): void => {
    reported += 1;
    // One fault is enough for a replacement; a timer that keeps throwing must not flood the host.
    if (reported > 10) return;
    const hint = deniedAccess(error);
    const detail = `${hint === undefined ? "" : `${hint}\n`}${inspect(error)}`;
    connection.fault({ kind: "exception", detail: detail.slice(0, maximumDetail) });
  };
  process.on("uncaughtException", report);
  process.on("unhandledRejection", report);
  process.on("exit", (code) => {
    connection.fault({ kind: "exit", detail: `the plugin ended its process with exit code ${code}` });
  });
}

/** A console that marks each line with its request. It prints synchronously: a plugin may exit or hang right after. */
function requestConsole(): Console {
  return new Console({ stdout: marking(process.stdout), stderr: marking(process.stderr) });
}

function marking(target: NodeJS.WriteStream): Writable {
  return new Writable({
    decodeStrings: false,
    write(text: unknown, _encoding, done) {
      const request = requestScope.getStore()?.request;
      target.write(request === undefined ? String(text) : markPrinted(String(text), request));
      done();
    },
  });
}

const check = hostCheck<typeof InstanceArguments>("arguments", "instance-arguments");
const { maximumFrame } = checked(check(JSON.parse(process.argv[2] ?? "")), "arguments");

// Node.js has read it; processes that a plugin starts are none of the host's programs.
delete process.env["NODE_COMPILE_CACHE"];
globalThis.console = requestConsole();
const stream = new Socket({ fd: channelDescriptor, readable: true, writable: true });
const connection = new HostConnection(stream, maximumFrame);
reportFaults(connection);
const runtime = new PluginRuntime(connection);
connection.serveWith(new InstanceCalls(runtime));
// Service managers signal this process along with the host, which first finishes running requests.
process.on("SIGTERM", () => {
  if (runtime.stopped) process.exit(0);
});
