import { checked, type Plugin, Validator } from "@slipway/sdk";
import { type Message, type PluginRuntime, type Received, requiredPlugin } from "@slipway/sdk/runtime";
import { Start } from "../messages.js";
import type { CallServer } from "./host-connection.js";

const checkStart = new Validator({ lazy: true }).compile(Start, "start");

/** Answers the host: start and stop, and what the plugin answers itself. */
export class InstanceCalls implements CallServer {
  constructor(private readonly runtime: PluginRuntime) {}

  async serve(method: string, message: Received, signal: AbortSignal): Promise<Message> {
    if (method === "start") return await this.start(message);
    if (method !== "stop") return await this.runtime.serve(method, message, signal);
    await this.runtime.stop();
    return { values: {}, parts: [] };
  }

  private async start({ values, parts }: Received): Promise<Message> {
    const { entry, name, version, projectCache } = checked(checkStart(values), "start");
    return await this.runtime.start({
      load: () => loadPlugin(entry),
      name,
      version,
      config: JSON.parse(parts[0]?.toString("utf8") ?? "{}"),
      projectCache,
      now: () => new Date(),
    });
  }
}

/** The plugin that a bundle exports. Throws with what is missing. */
async function loadPlugin(entry: string): Promise<Plugin> {
  const module: Record<string, unknown> = await import(entry);
  return requiredPlugin(module["default"]);
}
