/** Hosts that share their plugins, each with folders of its own. Uses the part itself: its schemas, and how archives are written. */
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type, Validator } from "@slipway/sdk";
import type { Test } from "tap";
import { AddedPlugin, ChangedPlugin, RolledBackPlugin } from "../../host/api/answers.js";
import { PluginSwitch } from "../../host/observability/host-status.js";
import { PluginOverview } from "../../host/plugins/administration/administration.js";
import { writeArchive } from "../../host/system/archives/write-archive.js";
import { type StartedHost, startHost } from "../start-host.js";
import { writeFiles } from "./plugin-load/plugin-dropping.js";
import { type PluginFiles, type SampleOptions, samplePlugin } from "./plugin-load/plugin-maker.js";
import { until } from "./plugins-support.js";
import { newDatabase } from "./postgresql-support.js";

const validator = new Validator({ lazy: true });
const checkAdded = validator.compile(AddedPlugin, "answer");
const checkChanged = validator.compile(Type.Union([RolledBackPlugin, ChangedPlugin]), "answer");
const checkSwitches = validator.compile(
  Type.Object({ switches: Type.Optional(Type.Array(PluginSwitch)) }),
  "answer",
);
const checkOverview = validator.compile(PluginOverview, "answer");
const checkVersion = validator.compile(Type.Object({ version: Type.String() }), "answer");
const checkError = validator.compile(Type.Object({ id: Type.String(), message: Type.String() }), "answer");

/** A host of a fleet, which may be killed and started again. */
export interface FleetHost {
  readonly host: StartedHost;
  readonly url: string;
  /** Path of a place in its drop-in folder. */
  place(name: string): string;
  /** Starts it with the folders that it had. */
  start(more?: object): Promise<void>;
}

export interface FleetOptions {
  hosts: number;
  /** What lies in the drop-in folder of each host at first. */
  plugins?: Readonly<Record<string, PluginFiles>>;
  configuration?: object;
  /** In addition, for the hosts in turn. */
  each?: readonly object[];
}

/** Starts hosts at once; they are gone at the end of the test. */
export async function startFleet(
  t: Test,
  database: string,
  { hosts, plugins = {}, configuration = {}, each = [] }: FleetOptions,
): Promise<FleetHost[]> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-fleet-"));
  const started: FleetHost[] = [];
  t.teardown(async () => {
    await Promise.all(started.map(({ host }) => (host.process.exitCode === null ? host.stop() : undefined)));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const start = async (_: unknown, n: number): Promise<FleetHost> => {
    const own = join(folder, String(n));
    await mkdir(join(own, "plugins"), { recursive: true });
    for (const [name, files] of Object.entries(plugins)) await writeFiles(files, join(own, "plugins", name));
    const host = await newHost(own, database, { ...configuration, ...each[n] });
    started.push(host);
    return host;
  };
  return await Promise.all(Array.from({ length: hosts }, start));
}

export type ThreeHosts = [FleetHost, FleetHost, FleetHost];

/** Three hosts on a new database of a server, with the sample in version 1.0.0. */
export async function startThree(
  t: Test,
  server: string | undefined,
  options: Omit<FleetOptions, "hosts" | "plugins"> = {},
): Promise<ThreeHosts> {
  const database = await newDatabase(t, server ?? "");
  const plugins = { sample: await samplePlugin({ version: "1.0.0" }) };
  const [one, two, other] = await startFleet(t, database, { hosts: 3, plugins, ...options });
  if (one === undefined || two === undefined || other === undefined) throw new Error("There are no hosts");
  return [one, two, other];
}

async function newHost(folder: string, url: string, configuration: object): Promise<FleetHost> {
  const start = (more: object): Promise<StartedHost> =>
    startHost({
      var: join(folder, "var"),
      plugins: [join(folder, "plugins")],
      configuration: {
        // For a busy machine: nothing here is about times.
        engine: { url, lease: 8000, timeout: 20_000 },
        plugins: { settlingTime: 200, probation: 500 },
        ...configuration,
        ...more,
      },
    });
  let host = await start({});
  return {
    get host() {
      return host;
    },
    get url() {
      return host.url;
    },
    place: (name) => join(folder, "plugins", name),
    async start(more = {}) {
      host = await start(more);
    },
  };
}

/** A version of the sample as an archive; `padding`: bytes that do not get smaller in it. */
export async function sampleArchive(options: SampleOptions, padding = 0): Promise<Buffer> {
  const files = [...(await samplePlugin(options)), ["padding.bin", randomBytes(padding)] as const];
  return writeArchive(
    "package",
    files.map(([path, content]) => ({ path, content: Buffer.from(content) })),
  );
}

export function upload({ url }: { url: string }, archive: Uint8Array, query = ""): Promise<Response> {
  return fetch(`${url}/api/plugins${query}`, {
    method: "POST",
    headers: { "Content-Type": "application/gzip" },
    body: archive,
  });
}

/** Uploads a version of the sample that has to be taken. */
export async function uploaded(host: { url: string }, options: SampleOptions, query = "") {
  const answer = await upload(host, await sampleArchive(options), query);
  const body: unknown = await answer.json();
  const result = checkAdded(body);
  if (answer.status !== 201 || !result.ok) throw new Error(`${answer.status}: ${JSON.stringify(body)}`);
  return result.value;
}

/** Orders such as "disable", which have to be taken. */
export async function ordered(host: { url: string }, order: string, body: object = {}) {
  const answer = await fetch(`${host.url}/api/plugins/Sample/${order}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const told: unknown = await answer.json();
  const result = checkChanged(told);
  if (answer.status !== 200 || !result.ok) throw new Error(`${answer.status}: ${JSON.stringify(told)}`);
  return result.value;
}

/** The id and the message of an error. */
export async function errorOf(answer: Response) {
  const result = checkError(await answer.json());
  if (!result.ok) throw new Error("This is no error");
  return { status: answer.status, ...result.value };
}

/** The version of the sample that answers; a status that is not 200 instead. */
export async function version({ url }: { url: string }, path = "version?ms=0"): Promise<string | number> {
  const answer = await fetch(`${url}/EAIWS/plugins/Sample/${path}`);
  const result = checkVersion(await answer.json());
  return result.ok ? result.value.version : answer.status;
}

/** What each host answers with. */
export const versions = (hosts: readonly { url: string }[]): Promise<(string | number)[]> =>
  Promise.all(hosts.map((host) => version(host)));

export async function untilAllServe(hosts: readonly { url: string }[], wanted: string): Promise<void> {
  await until(async () => (await versions(hosts)).every((each) => each === wanted));
}

/** The last switch of the sample, as a host tells it. */
export async function lastSwitch({ url }: { url: string }) {
  const result = checkSwitches(await (await fetch(`${url}/api/status`)).json());
  if (!result.ok) throw new Error("This is no status");
  return result.value.switches?.find(({ plugin }) => plugin === "Sample");
}

/** Resolves when a version of the sample has proven itself on a host, so that it can be gone back to. */
export async function provenVersion({ url }: { url: string }, wanted: string): Promise<void> {
  await until(async () => {
    const result = checkOverview(await (await fetch(`${url}/api/plugins/Sample`)).json());
    if (!result.ok) throw new Error("This is no plugin");
    return result.value.kept.some(({ version: kept }) => kept === wanted);
  });
}
