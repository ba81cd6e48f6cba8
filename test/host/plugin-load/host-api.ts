/** What admins ask of a running host. */
import type { PluginState, Rollback } from "../host-answers.js";
import { until } from "../plugins-support.js";

/** What lies and runs, as `GET /api/plugins` lists it. */
export async function pluginStates(url: string): Promise<PluginState[]> {
  const response = await fetch(`${url}/api/plugins`);
  const { plugins }: { plugins: PluginState[] } = await json(response);
  return plugins;
}

/** Waits until a version stands as it should, and gives its state. */
export function untilState(
  url: string,
  plugin: string,
  version: string,
  fits: (state: PluginState) => boolean,
): Promise<PluginState> {
  return untilAny(url, (state) => state.name === plugin && state.version === version && fits(state));
}

/** Waits until what lies in a place of a drop-in folder stands as it should, and gives its state. */
export function untilPlace(
  url: string,
  place: string,
  fits: (state: PluginState) => boolean,
): Promise<PluginState> {
  return untilAny(url, (state) => state.folder === place && fits(state));
}

async function untilAny(url: string, fits: (state: PluginState) => boolean): Promise<PluginState> {
  let states: PluginState[] = [];
  let found: PluginState | undefined;
  const looked = until(async () => {
    states = await pluginStates(url);
    found = states.find(fits);
    return found !== undefined;
  });
  await looked.catch((error: unknown) => {
    throw new Error(`These are no such states: ${JSON.stringify(states)}`, { cause: error });
  });
  if (found === undefined) throw new Error("There is no such state");
  return found;
}

/** Without a version, to the one that served before; without a release, wherever the plugin serves. */
export async function rollback(
  url: string,
  plugin: string,
  order: { version?: string; release?: string } = {},
): Promise<Rollback[]> {
  const response = await fetch(`${url}/api/plugins/${plugin}/rollback`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(order),
  });
  const { rollbacks }: { rollbacks: Rollback[] } = await json(response);
  return rollbacks;
}

/** Opens a session and gives its id. */
export async function openSession(url: string, project: object): Promise<string> {
  const response = await fetch(`${url}/api/sessions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(project),
  });
  const { sessionId }: { sessionId: string } = await json(response);
  return sessionId;
}

async function json<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text}`);
  return JSON.parse(text);
}
