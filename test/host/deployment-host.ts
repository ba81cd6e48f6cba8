/** A real host with one drop-in folder for the plugin "Sample", as admins and clients meet it. */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Test } from "tap";
import { type StartedHost, startHost } from "../start-host.js";
import type { PluginEvent, PluginOverview, PluginStage, PluginState } from "./host-answers.js";
import { untilState } from "./plugin-load/host-api.js";
import { dropByRename, replaceByRename } from "./plugin-load/plugin-dropping.js";
import { listed, type PluginFiles, type SampleOptions, samplePlugin } from "./plugin-load/plugin-maker.js";
import { until } from "./plugins-support.js";

/** Settings of `plugins` and `releases`. */
export interface DeploymentSettings {
  /** Milliseconds; proven at once without it. */
  probation?: number;
  releases?: Record<string, Record<string, string>>;
}

export async function startDeployment(t: Test, settings: DeploymentSettings = {}) {
  let stop = async (): Promise<unknown> => undefined;
  t.teardown(() => stop());
  const root = t.testdir({ plugins: {}, templates: {} });
  const folder = join(root, "plugins");
  const file = join(root, "slipway.json");
  const write = ({ probation = 1, releases = {} }: DeploymentSettings): Promise<void> =>
    writeFile(file, JSON.stringify({ releases, plugins: { probation, settlingTime: 50 } }));
  const start = (): Promise<StartedHost> =>
    startHost({
      var: join(root, "var"),
      plugins: [folder],
      templates: [join(root, "templates")],
      flags: ["--config", file],
    });
  await mkdir(folder, { recursive: true });
  await write(settings);
  let running = await start();
  stop = () => running.stop();

  const json = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${running.url}/api/${path}`);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return JSON.parse(await response.text());
  };
  const prefix = (release?: string): string =>
    `${running.url}${release === undefined ? "" : `/${release}`}/EAIWS/plugins/Sample`;

  const host = {
    get url(): string {
      return running.url;
    },
    get log(): Record<string, unknown>[] {
      return running.log;
    },
    var: join(root, "var"),
    folder,
    post: (path: string, body: object = {}): Promise<Response> =>
      fetch(`${running.url}/api/plugins/${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }),
    /** Ends when what is complete in the folder serves or has failed. */
    async look(): Promise<void> {
      const response = await host.post("look");
      if (!response.ok) throw new Error(await response.text());
      await response.arrayBuffer();
    },
    /** Puts a version into a place, or replaces what lies there, and waits for what becomes of it. */
    async drop(place: string, content: SampleOptions | PluginFiles): Promise<void> {
      const files = listed("version" in content ? await samplePlugin(content) : content);
      const there = (await readdir(folder)).includes(place);
      await (there ? replaceByRename : dropByRename)(files, join(folder, place));
      await host.look();
    },
    async rollback(version: string): Promise<void> {
      const response = await host.post("Sample/rollback", { version });
      if (!response.ok) throw new Error(await response.text());
      await response.arrayBuffer();
    },
    /** The version that answers, or the status of another answer. */
    async answering(release?: string): Promise<string | number> {
      const response = await fetch(`${prefix(release)}/version`);
      const text = await response.text();
      if (!response.ok) return response.status;
      const { version }: { version: string } = JSON.parse(text);
      return version;
    },
    answers: (version: string | number, release?: string): Promise<void> =>
      until(async () => (await host.answering(release)) === version),
    /** Ends the process of the version that answers. */
    async crash(release?: string): Promise<void> {
      const response = await fetch(`${prefix(release)}/fault/exit`, { method: "POST" });
      await response.arrayBuffer();
    },
    /** Has the version that answers do wrong with one request. */
    async fault(name: string): Promise<void> {
      const response = await fetch(`${prefix()}/fault/${name}`, { method: "POST" });
      await response.arrayBuffer();
    },
    overview: () => json<PluginOverview>("plugins/Sample"),
    async events(kind: string): Promise<PluginEvent[]> {
      const { events } = await json<{ events: PluginEvent[] }>("events?limit=1000");
      return events.filter((event) => event.kind === kind);
    },
    /** Waits until a version stands so. */
    stateOf: (version: string, stage: PluginStage): Promise<PluginState> =>
      untilState(running.url, "Sample", version, (state) => state.stage === stage),
    /** Waits until a version has come through its probation, and nothing stands by for it. */
    proven: (version: string): Promise<void> =>
      until(async () => {
        const { kept, versions } = await host.overview();
        return (
          kept[0]?.version === version &&
          versions.every((each) => each.version === version || each.processId === undefined)
        );
      }),
    /** The host stops; `meanwhile` happens; it starts again. */
    async restart(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
      await running.stop();
      await meanwhile();
      running = await start();
    },
  };
  return host;
}

export type DeploymentHost = Awaited<ReturnType<typeof startDeployment>>;
