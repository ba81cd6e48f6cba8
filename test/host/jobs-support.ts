/** A plugin whose work tests can hold up, and requests that become jobs. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checked, type Static, Type, Validator } from "@slipway/sdk";
import type { Test } from "tap";
import { type StartedHost, type StartOptions, startHost } from "../start-host.js";
import { until } from "./plugins-support.js";

const manifest = {
  name: "workshop",
  version: "1.0.0",
  type: "module",
  engines: { slipway: "^1.0.0" },
  slipway: { plugin: "Workshop", entry: "index.js" },
};

/** `make` notes in the file `notes` that it has begun, and goes on once there is a file `gate`. */
const program = `import { appendFileSync, existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { definePlugin, reply, RequestError, route, SessionId, Type } from "@slipway/sdk";

const Work = Type.Object({
  text: Type.String({ default: "nothing" }),
  notes: Type.Optional(Type.String()),
  gate: Type.Optional(Type.String()),
});

export default definePlugin({
  setup: (host) => ({
    routes: [
      route.post("make", {
        summary: "Makes something.",
        body: Work,
        response: Type.Object({ text: Type.String() }),
        async handler({ body: { text, notes, gate }, header, progress, suppress, signal }) {
          progress(0.4, "page 40 of 100");
          if (notes !== undefined) appendFileSync(notes, "begun\\n");
          while (gate !== undefined && !existsSync(gate)) {
            if (signal.aborted) appendFileSync(notes, "given up\\n");
            signal.throwIfAborted();
            await pause(10);
          }
          header("Slipway-Made", "yes");
          suppress({ id: "workshop-note", message: "A note.", scope: "WARN" });
          return { text };
        },
      }),
      route.post("name", {
        summary: "Names the project.",
        body: Type.Object({ sessionId: SessionId, gate: Type.String() }),
        session: "required",
        async handler({ body: { gate }, session }) {
          while (!existsSync(gate)) await pause(10);
          const { header } = await session.project();
          return { name: header.name };
        },
      }),
      route.get("list/:kind", {
        summary: "What came in path and query.",
        query: Type.Object({ number: Type.Integer(), words: Type.Array(Type.String()) }),
        handler: ({ params, query }) => ({ ...params, ...query }),
      }),
      route.get("file", {
        summary: "A file.",
        produces: ["text/plain"],
        handler: async () =>
          reply.file(await host.files.create({ name: "a.txt", mediaType: "text/plain", content: "content" })),
      }),
      route.post("linked", {
        summary: "A file, by its URL.",
        response: Type.Object({ name: Type.String(), url: Type.String() }),
        async handler() {
          const file = await host.files.create({ name: "a.txt", mediaType: "text/plain", content: "content" });
          return { name: file.name, url: file.url };
        },
      }),
      route.get("text", { summary: "A text.", handler: () => reply.text("ä\\u0000b") }),
      route.get("page", { summary: "A page.", produces: ["text/html"], handler: () => reply.html("<p>ä</p>") }),
      route.get("elsewhere", { summary: "A redirect.", redirects: true, handler: () => reply.redirect("/x?y") }),
      route.post("refuse", {
        summary: "Refuses.",
        handler: () => {
          const additionalInformation = { a: 1 };
          throw new RequestError({ id: "workshop-empty", code: 422, message: "Nothing.", additionalInformation });
        },
      }),
      route.post("fail", {
        summary: "Fails.",
        handler: () => {
          throw new Error("hidden");
        },
      }),
    ],
  }),
});
`;

/** A drop-in folder with the plugin `Workshop`; it is gone at the end of the test. */
export async function workshop(test: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-test-"));
  test.teardown(() => rm(folder, { recursive: true }));
  const plugin = join(folder, "plugins", "workshop");
  await mkdir(plugin, { recursive: true });
  await writeFile(join(plugin, "package.json"), JSON.stringify(manifest));
  await writeFile(join(plugin, "index.js"), program);
  return folder;
}

/** What the plugin of a `workshop` needs: it looks for files of its folder, and writes them. */
export const workshopGrants = (folder: string) => ({ Workshop: { write: { gates: folder } } });

/** Starts a host with the plugin of a `workshop`. */
export function startWorkshop(
  folder: string,
  { configuration = {}, plugins = [join(folder, "plugins")], ...others }: StartOptions = {},
): Promise<StartedHost> {
  const grants = workshopGrants(folder);
  return startHost({ plugins, configuration: { plugins: { grants }, ...configuration }, ...others });
}

const JobAnswer = Type.Object({
  id: Type.String(),
  state: Type.String(),
  attempt: Type.Integer(),
  created: Type.String({ format: "date-time" }),
  started: Type.Optional(Type.String({ format: "date-time" })),
  finished: Type.Optional(Type.String({ format: "date-time" })),
  plugin: Type.String(),
  revision: Type.Optional(Type.Integer()),
  progress: Type.Optional(Type.Object({ part: Type.Number(), text: Type.Optional(Type.String()) })),
  result: Type.Optional(Type.Object({ code: Type.Integer(), url: Type.String() })),
  error: Type.Optional(Type.Object({ id: Type.String(), message: Type.String() })),
});
export type JobAnswer = Static<typeof JobAnswer>;
const checkJob = new Validator().compile(JobAnswer, "job");

/** The answer as a job; fails with its text when it is none. */
export async function jobOf(response: Response): Promise<JobAnswer> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return checked(checkJob(JSON.parse(text)), "The answer is no job");
}

/** A request to the plugin `Workshop`. */
export function ask(
  url: string,
  operation: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/EAIWS/plugins/Workshop/${operation}`, {
    redirect: "manual",
    headers: { ...(body !== undefined && { "Content-Type": "application/json" }), ...headers },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });
}

/** The same as a job. */
export async function askLater(url: string, operation: string, body?: unknown): Promise<JobAnswer> {
  const answer = await ask(url, operation, body, { Prefer: "respond-async" });
  if (answer.status !== 202) throw new Error(`${answer.status}: ${await answer.text()}`);
  return await jobOf(answer);
}

export async function getJob(url: string, id: string, query = ""): Promise<JobAnswer> {
  return await jobOf(await fetch(`${url}/api/jobs/${id}${query}`));
}

/** Waits until the job is in a state. */
export async function inState(url: string, id: string, state: string): Promise<JobAnswer> {
  let job = await getJob(url, id);
  await until(async () => {
    job = await getJob(url, id, "?wait=1");
    return job.state === state;
  });
  return job;
}

/** What the plugin has noted so far. */
export async function notesIn(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").slice(0, -1);
}
