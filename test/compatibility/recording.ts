/** What a plugin answered when it was built, and how to ask it the same again. */
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { checked, type Static, Type, Validator } from "@slipway/sdk";
import { until } from "../host/plugins-support.js";
import { repository, startHost } from "../start-host.js";
import { Answer, answeringServer, askAll, Question } from "./asked-host.js";

export const Recording = Type.Object({
  /** Public name of the plugin. */
  plugin: Type.String(),
  /** Of this repository: whose SDK it was compiled with, whose host gave the answers. */
  commit: Type.String(),
  sdk: Type.String(),
  /** How the archive and the answers were made, in a clone at that commit. */
  commands: Type.Array(Type.String()),
  exchanges: Type.Array(Type.Object({ question: Question, answer: Answer })),
});
export type Recording = Static<typeof Recording>;

export const folder = join(repository, "test", "compatibility");

export async function readRecording(file: string): Promise<Recording> {
  const check = new Validator().compile(Recording, file);
  return checked(check(JSON.parse(await readFile(join(folder, file), "utf8"))), "A recording");
}

export interface AskedPlugin {
  plugin: string;
  questions: readonly Question[];
}

export interface AskedIn {
  /** Drop-in folder. */
  plugins: string;
  /** Archives that are dropped into it when the host runs. */
  dropped?: readonly string[];
  /** Command line of another installation. */
  program?: string;
}

/** Starts a host, asks the plugins, and stops it: answers of each plugin, and the host's log. */
export async function answersOf(
  asked: readonly AskedPlugin[],
  { plugins, dropped = [], program }: AskedIn,
): Promise<{ answers: Answer[][]; log: Record<string, unknown>[] }> {
  const server = await answeringServer();
  const address = new URL(server.url).host;
  // Hosts of before permissions know no grants.
  const grants =
    program === undefined
      ? {
          plugins: {
            grants: Object.fromEntries(asked.map(({ plugin }) => [plugin, { network: [address] }])),
          },
        }
      : {};
  const host = await startHost({
    plugins: [plugins],
    templates: [join(folder, "templates")],
    configuration: { fetch: { allowedInternalHosts: [address] }, ...grants },
    ...(program === undefined ? {} : { program }),
  });
  try {
    const project = await readFile(join(folder, "project.json"), "utf8");
    const about = { url: host.url, project, server: server.url };
    for (const archive of dropped) await copyFile(join(folder, archive), join(plugins, archive));
    const answers: Answer[][] = [];
    for (const { plugin, questions } of asked) {
      await until(() => serves(host.url, plugin));
      answers.push(await askAll({ ...about, plugin }, questions));
    }
    return { answers, log: host.log };
  } finally {
    await host.stop();
    server.close();
  }
}

async function serves(url: string, plugin: string): Promise<boolean> {
  return (await fetch(`${url}/EAIWS/plugins/${plugin}/state.json`)).ok;
}
