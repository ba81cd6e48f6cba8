/** What admins ask of a running host. */
import type { PluginState } from "../../../host/dist/plugins/plugin-state.js";
import { until } from "../plugins-support.js";

/** What lies and runs, as `GET /api/plugins` lists it. */
export async function pluginStates(url: string): Promise<PluginState[]> {
  const response = await fetch(`${url}/api/plugins`);
  const { plugins }: { plugins: PluginState[] } = await json(response);
  return plugins;
}

/** Waits until a version stands as it should, and gives its state. */
export async function untilState(
  url: string,
  plugin: string,
  version: string,
  fits: (state: PluginState) => boolean,
): Promise<PluginState> {
  let found: PluginState | undefined;
  await until(async () => {
    const states = await pluginStates(url);
    found = states.find((state) => state.name === plugin && state.version === version && fits(state));
    return found !== undefined;
  });
  if (found === undefined) throw new Error(`${plugin}@${version} is gone`);
  return found;
}

/** Lets a plugin answer with the version before, or with the named one. */
export async function rollback(url: string, plugin: string, version?: string): Promise<void> {
  const response = await fetch(`${url}/api/plugins/${plugin}/rollback`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(version === undefined ? {} : { version }),
  });
  await json(response);
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
