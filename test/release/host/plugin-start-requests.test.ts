/** Requests of a manifest that the host sends to an instance before clients can. */
import { join } from "node:path";
import { checkProject } from "@slipway/sdk";
import t, { type Test } from "tap";
import { pluginStates } from "../../host/plugin-load/host-api.js";
import { dropByRename } from "../../host/plugin-load/plugin-dropping.js";
import { pluginFiles } from "../../host/plugins-support.js";
import { type StartedHost, startHost } from "../../start-host.js";

interface SentRequest {
  method?: string;
  path: string;
  body?: unknown;
  session?: boolean;
}

const source = `
import { randomUUID } from "node:crypto";
import { definePlugin, route, SessionId, Type } from "@slipway/sdk";

const seen = [];
const instance = randomUUID();

export default definePlugin({
  setup: (host) => ({
    routes: [
      route.post("order", {
        summary: "Stores a file and remembers the request",
        body: Type.Object({ sessionId: SessionId, word: Type.String({ default: "none" }) }),
        session: "required",
        async handler({ session, body, locale }) {
          const project = await session.project();
          const pictures = await Promise.all(Object.keys(project.assets).map((key) => session.asset(key)));
          const file = await host.files.create({ name: "order.txt", mediaType: "text/plain", content: body.word });
          seen.push({ word: body.word, locale, project, pictures: pictures.map((one) => one.length), url: file.url });
          return {};
        },
      }),
      route.get("item", {
        summary: "Remembers the request",
        query: Type.Object({ sessionId: SessionId }),
        session: "required",
        async handler({ session, query }) {
          seen.push({ word: session.id === query.sessionId ? "of the session" : "of another one" });
          return {};
        },
      }),
      route.get("seen", { summary: "What came", handler: () => ({ seen, instance }) }),
      route.get("fails", { summary: "Fails", handler: () => { throw new Error("no database"); } }),
      route.get("ends", { summary: "Ends the process", handler: () => process.exit(3) }),
      route.get("hangs", {
        summary: "Never answers",
        handler: ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", resolve)),
      }),
    ],
  }),
});
`;

const order = (word: string): SentRequest => ({
  method: "POST",
  path: "order",
  body: { word },
  session: true,
});

interface Version {
  version?: string;
  smoke?: SentRequest[];
  warmUp?: SentRequest[];
}

async function drop(folder: string, { version = "1.0.0", ...requests }: Version): Promise<void> {
  const files = pluginFiles("starter", version, source, requests);
  await dropByRename(new Map(Object.entries(files)), join(folder, version));
}

async function started(
  t: Test,
  version: Version,
  plugins = {},
): Promise<{ host: StartedHost; folder: string }> {
  const folder = t.testdir({});
  await drop(folder, version);
  const host = await startHost({ plugins: [folder], configuration: { plugins } });
  t.teardown(() => host.stop());
  return { host, folder };
}

interface Seen {
  /** Another one in each process. */
  instance: string;
  seen: { word: string; locale?: string; project?: unknown; pictures?: number[]; url?: string }[];
}

async function seenBy(host: StartedHost): Promise<Seen> {
  const response = await fetch(`${host.url}/EAIWS/plugins/starter/seen`);
  return JSON.parse(await response.text());
}

const words = ({ seen }: Seen): string[] => seen.map(({ word }) => word);

async function stateOf(host: StartedHost, version: string): Promise<{ stage: string; reason?: string }> {
  const { plugins } = JSON.parse(await (await fetch(`${host.url}/api/plugins`)).text());
  return plugins.find((each: { version: string }) => each.version === version);
}

t.test(
  "smoke requests come first, then warm-up requests, both with a session where they ask for one",
  async (t) => {
    const { host } = await started(t, {
      smoke: [order("smoke")],
      warmUp: [order("warm"), { path: "fails" }, { path: "nowhere" }, { path: "item", session: true }],
    });
    const { seen } = await seenBy(host);
    t.match(seen, [
      { word: "smoke", locale: "en" },
      { word: "warm", locale: "en" },
      { word: "of the session" },
    ]);
    t.equal(seen.length, 3);
    for (const { url, pictures, project } of seen.slice(0, 2)) {
      t.equal(checkProject(project).ok, true, "the project is valid");
      t.match(pictures, [Number], "the session has a picture");
      const { pathname } = new URL(url ?? "");
      const kept = await fetch(new URL(pathname, host.url));
      t.equal(kept.status, 404, "what they made is removed");
    }
    const failures = host.log.filter(({ msg }) => /^A warm-up request failed/.test(String(msg)));
    t.match(failures, [
      { request: "GET fails", level: 30, plugin: "starter@1.0.0" },
      { request: "GET nowhere", level: 30, plugin: "starter@1.0.0" },
    ]);
  },
);

t.test("nobody waits for warm-up requests when the process of a version was lost", async (t) => {
  const { host } = await started(t, { smoke: [order("smoke")], warmUp: [order("warm")] });
  const before = await seenBy(host);
  t.same(words(before), ["smoke", "warm"]);
  const [{ processId } = {}] = await pluginStates(host.url);
  process.kill(processId ?? 0, "SIGKILL");
  await host.logged(({ msg }) => msg === "An instance of a plugin ended");
  const after = await seenBy(host);
  t.not(after.instance, before.instance);
  t.same(words(after), ["smoke"]);
});

t.test("warm-up requests can be turned off, and development does without", async (t) => {
  const version = { smoke: [order("smoke")], warmUp: [order("warm")] };
  for (const plugins of [{ warmUp: false }, { development: true }]) {
    const { host } = await started(t, version, plugins);
    t.same(words(await seenBy(host)), ["smoke"], JSON.stringify(plugins));
  }
});

t.test("a version waits five seconds for its warm-up requests at most", async (t) => {
  const { host } = await started(t, { warmUp: [order("first"), { path: "hangs" }, order("too late")] });
  t.same(words(await seenBy(host)), ["first"]);
  t.equal((await stateOf(host, "1.0.0")).stage, "live");
});

t.test("a version whose process ends at a warm-up request does not replace the one before", async (t) => {
  const { host, folder } = await started(t, { warmUp: [order("warm")] });
  const before = await seenBy(host);
  await drop(folder, { version: "1.1.0", warmUp: [{ path: "ends" }] });
  await host.logged(({ plugin, to }) => plugin === "starter@1.1.0" && to === "failed");
  t.match(await stateOf(host, "1.1.0"), { stage: "failed", reason: /process ended/ });
  t.same(await seenBy(host), before);
});

t.test(
  "a version that fails a smoke request does not replace the one before, and gets no more of them",
  async (t) => {
    const { host, folder } = await started(t, {});
    const before = await seenBy(host);
    await drop(folder, { version: "1.1.0", smoke: [{ path: "fails" }, { path: "ends" }] });
    await host.logged(({ plugin, to }) => plugin === "starter@1.1.0" && to === "failed");
    t.match(await stateOf(host, "1.1.0"), {
      stage: "failed",
      reason: /^The smoke request GET fails failed: 500 plugin-error/,
    });
    t.same(await seenBy(host), before);
  },
);

t.test("a smoke request of a route with a session asks for one", async (t) => {
  const { host } = await started(t, { smoke: [{ method: "POST", path: "order" }] });
  t.match(await stateOf(host, "1.0.0"), {
    stage: "failed",
    reason: /POST order failed: its route needs a session, which "session": true gives it/,
  });
});
