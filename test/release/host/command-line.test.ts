/** The commands as users and scripts meet them. The check of the version of Node.js is tested by itself: a process has but one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import t from "tap";
import { nodeCheck } from "../../../host/cli/checks/node-check.js";
import { checkZip } from "../../foreign-zip-reader.js";
import { type EndedCommand, runCommand, strictEnvironment } from "../../run-command.js";
import { cleanEnvironment, commandLine, repository, startHost } from "../../start-host.js";

const slipway = (parameters: string[], environment: Record<string, string> = {}): Promise<EndedCommand> =>
  runCommand(parameters, { folder: t.testdirName, environment });

const demo = (ending: string): string => join(repository, "config", "demo", `demo-project.${ending}`);
const folder = t.testdir({
  empty: {},
  // What a report needs; the order export is made with all that comes along.
  reporter: { reporter: t.fixture("symlink", join(repository, "plugins", "reporter")) },
  oex: { oex: t.fixture("symlink", join(repository, "plugins", "oex")) },
  // An order export that says what it was asked, and whose document is invalid when somebody checks.
  plugins: {
    oex: {
      "package.json": JSON.stringify({
        name: "oex-stub",
        version: "1.0.0",
        type: "module",
        engines: { slipway: "^1.0.0" },
        slipway: { plugin: "oex", entry: "index.js" },
      }),
      "index.js": `import { definePlugin, route, Type } from "@slipway/sdk";
export default definePlugin({
  config: Type.Object({ validate: Type.Boolean({ default: false }) }),
  setup: (host, { validate }) => ({
    routes: [
      route.post("export", {
        summary: "Says what it was asked.",
        body: Type.Object({ sessionId: Type.String(), config: Type.Unknown() }),
        response: Type.Object({ oex: Type.Unknown() }),
        session: "required",
        async handler({ body, suppress }) {
          for (let count = 1; count <= 30; count++) suppress({ id: "item-text-error", message: "No. " + count });
          if (validate) suppress({ id: "oex-document-invalid", message: "The document is not valid.", cause: ["line 3"] });
          const content = JSON.stringify(body.config);
          return { oex: await host.files.create({ name: "order.xml", mediaType: "application/xml", content }) };
        },
      }),
    ],
  }),
});
`,
    },
  },
  "settings.json": '{"commission": "C-1", "oexVersion": "2.3"}',
  "pdf.json": '{"attachPDF": true, "oexVersion": "3.0"}',
  "list.json": "[1]",
  "torn.json": "{",
});

t.test("help lists the commands and their options", async (t) => {
  const [help, start] = await Promise.all([slipway(["--help"]), slipway(["help", "start"])]);
  t.equal(help.code, 0);
  for (const command of ["start", "demo", "report", "export", "check"])
    t.match(help.output, new RegExp(`^ +${command}\\b`, "m"));
  for (const flag of ["--port", "--host", "--var", "--plugins", "--templates", "--config"])
    t.match(start.output, flag);
});

t.test("a wrong configuration ends with 2 and the list of its mistakes", async (t) => {
  const wrong = await slipway(["start", "--port", "x"], { SLIPWAY_LOG__LEVEL: "loud" });
  t.equal(wrong.code, 2);
  t.equal(wrong.output, "");
  t.match(wrong.errors, /2 mistakes:\n.*log\.level.*\n.*port/);
});

t.test("report writes one PDF and prints its path and nothing else", async (t) => {
  const before = await readdir(repository);
  const file = join(folder, "quote.pdf");
  const report = (project: string, ...more: string[]) =>
    slipway(["report", project, "--plugins", join(folder, "reporter"), ...more], {
      SLIPWAY_PUBLIC_URL: "https://elsewhere.example.com",
    });
  const [made, missing] = await Promise.all([
    report(demo("json"), "--template", "quote", "--locale", "de_DE", "--out", file),
    report(demo("obk"), "--template", "qoute"),
  ]);
  t.equal(made.output, `${file}\n`, made.errors);
  t.equal(made.code, 0);
  t.equal((await readFile(file)).toString("latin1", 0, 5), "%PDF-");

  t.equal(missing.code, 1);
  t.equal(missing.output, "");
  t.match(missing.errors, /no template "qoute"\. Did you mean quote\?/);
  t.notMatch(missing.errors, /at .*\.js:\d+/, "no stack");
  t.strictSame(await readdir(repository), before, "nothing is written elsewhere");
});

t.test("export writes the files of an order and prints their paths and nothing else", async (t) => {
  const before = await readdir(repository);
  const out = join(folder, "made", "orders");
  const oexAlone = ["--plugins", join(folder, "oex")];
  const configured = ["--validate", "--oex-version", "3.1", "--config", join(folder, "pdf.json")];
  const [made, wrong] = await Promise.all([
    slipway(["export", demo("obk"), "--out", out, ...configured], {
      SLIPWAY_PUBLIC_URL: "https://elsewhere.example.com",
    }),
    slipway(["export", demo("json"), "--type", "INVOICES", "--out", join(folder, "none"), ...oexAlone]),
  ]);
  t.equal(made.code, 0, made.errors);
  const paths = made.output.trimEnd().split("\n");
  t.strictSame(
    paths.map((path) => extname(path)),
    [".xml", ".obx", ".pdf", ".zip"],
  );
  t.strictSame(
    paths.map((path) => dirname(path)),
    [out, out, out, out],
  );
  t.strictSame((await readdir(out)).toSorted(), paths.map((path) => basename(path)).toSorted());
  const [oex = "", , pdf = "", archive = ""] = paths;
  t.match(await readFile(oex, "utf8"), /oex-orders_3\.1\.0\.xsd/);
  t.equal((await readFile(pdf)).toString("latin1", 0, 5), "%PDF-");
  await checkZip(await readFile(archive));

  t.equal(wrong.code, 1);
  t.equal(wrong.output, "");
  t.match(wrong.errors, /documentType/);
  await t.rejects(access(join(folder, "none")), "no folder without files");
  t.strictSame(await readdir(repository), before, "nothing is written elsewhere");
});

t.test("export takes its configuration from file and flags and tells what is wrong", async (t) => {
  const plugins = ["--plugins", join(folder, "plugins")];
  const settings = ["--config", join(folder, "settings.json")];
  const run = (...more: string[]) => slipway(["export", demo("json"), ...plugins, ...more]);
  const out = join(folder, "configured");
  const order = join(out, "order.xml");
  await mkdir(out);
  await writeFile(order, "replaced, because the folder was named");
  await writeFile(join(folder, "order.xml"), "mine");
  const [made, there] = await Promise.all([
    run(...settings, "--out", out, "--type", "QUOTES", "--oex-version", "3.1", "--validate"),
    run(),
  ]);
  t.equal(made.code, 3, "written, and not valid");
  t.equal(made.output, `${order}\n`);
  const asked: unknown = JSON.parse(await readFile(order, "utf8"));
  t.strictSame(asked, { commission: "C-1", oexVersion: "3.1", documentType: "QUOTES" });
  t.match(
    made.errors,
    /^ERROR: The document is not valid\.\n {2}line 3\nERROR: No\. 1\n[^…]*ERROR: No\. 20\n… and 10 more\n$/,
  );
  t.equal(there.code, 1);
  t.match(there.errors, /order\.xml exists; .*--out/);
  t.equal(await readFile(join(folder, "order.xml"), "utf8"), "mine");

  for (const [file, message] of [
    ["list.json", /list\.json must be a JSON object .*, but is a list/],
    ["torn.json", /torn\.json must be a JSON object/],
    ["nowhere.json", /nowhere\.json/],
  ] as const) {
    const wrong = await run("--config", join(folder, file));
    t.equal(wrong.code, 1);
    t.match(wrong.errors, message);
  }
});

t.test("check says what is right, what is wrong and how to mend it", async (t) => {
  const [right, wrong] = await Promise.all([
    slipway(["check", "--port", "0", "--var", join(folder, "var")]),
    slipway(["check", "--port", "0", "--var", commandLine], {
      SLIPWAY_PDF__EXECUTABLE: join(folder, "no-browser"),
    }),
  ]);
  t.equal(right.code, 0, right.output);
  for (const name of ["configuration", "var", "fonts", "pdf", "templates", "plugins"]) {
    t.match(right.output, new RegExp(`^ok +${name}`, "m"));
  }
  t.equal(wrong.code, 1);
  t.match(wrong.output, /^FAIL +var .*--var/m);
  t.match(wrong.output, /^FAIL +host .*no-browser/m);
  t.match(wrong.output, /2 things have to be mended/);
});

t.test("check tells of a Node.js without maintenance, which is no failure", async (t) => {
  const at = (version: string, day: string) => nodeCheck(version, new Date(day));
  t.match(at("26.10.0", "2026-11-27"), { ok: true, hint: undefined, detail: "Node.js 26.10.0" });
  t.match(at("20.19.0", "2026-04-30T23:00:00Z"), { ok: true, hint: undefined });
  t.match(at("20.19.0", "2026-05-01"), {
    ok: true,
    hint: true,
    detail:
      "Node.js 20.19.0 has had no maintenance since 2026-04-30; use 22, 24 or 26. Slipway runs with it until its next major version",
  });
  t.match(at("25.1.0", "2026-11-27"), { hint: true, detail: /since 2026-06-01; use 22, 24 or 26$/ });
  t.match(at("22.1.0", "2027-05-01"), { hint: true, detail: /since 2027-04-30; use 24 or 26$/ });
  t.match(at("26.1.0", "2029-05-01"), { hint: true, detail: /use a newer one, with a newer Slipway$/ });
  t.match(at("28.0.0", "2026-11-27"), { ok: true, hint: true, detail: /newer than this Slipway/ });
  t.match(at("20.18.0", "2026-11-27"), { ok: false, detail: /install one that is >=20\.19/ });

  const clock = join(folder, "clock");
  await writeFile(clock, String(new Date("2030-01-01").getTime() - Date.now()));
  const module = pathToFileURL(join(repository, "test", "host", "shifted-clock.mjs")).href;
  const few = ["--plugins", join(folder, "reporter")];
  const later = await slipway(["check", "--port", "0", "--var", join(folder, "later"), ...few], {
    NODE_OPTIONS: `${strictEnvironment.NODE_OPTIONS} --import=${module}`,
    SHIFTED_CLOCK: clock,
  });
  t.equal(later.code, 0, later.output);
  t.match(later.output, `hint  node           Node.js ${process.versions.node} has had no maintenance since`);
});

t.test("start explains why it cannot", async (t) => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const flags = ["--templates", join(folder, "empty"), "--plugins", join(folder, "empty")];
  const [inUse, host] = await Promise.all([
    slipway(["start", "--port", String(port), "--var", join(folder, "other"), ...flags]),
    startHost({ var: join(folder, "shared"), flags }),
  ]);
  taken.close();
  t.equal(inUse.code, 1);
  t.match(inUse.errors, /port \d+ of 127\.0\.0\.1 is in use.*--port/);

  const shared = join(folder, "shared");
  const second = await slipway(["start", "--port", "0", "--var", shared, ...flags]);
  t.equal(second.code, 1);
  t.match(second.errors, new RegExp(`in use by the host with process id ${host.process.pid} on`));
  // In another container the same id is that of another process, or of none.
  await writeFile(join(shared, "host.pid"), "4194305 elsewhere");
  const third = await slipway(["start", "--port", "0", "--var", shared, ...flags]);
  t.equal(third.code, 1);
  t.match(third.errors, /in use by the host with process id 4194305 on the machine elsewhere;/);
  const ready = await fetch(`${host.url}/readyz`);
  t.equal(ready.status, 503);
  t.match(await ready.json(), { reasons: [/no template/, /no plugin/] });
  t.equal(await host.stop(), 0);
});

t.test("a host takes over from one that was killed, or that did not run for a while", async (t) => {
  const options = {
    var: join(folder, "inherited"),
    flags: ["--templates", join(folder, "empty"), "--plugins", join(folder, "empty")],
  };
  const killed = await startHost(options);
  await killed.kill();
  const next = await startHost(options);
  t.notOk(
    next.log.some(({ msg }) => /still runs/.test(String(msg))),
    "a process of this machine has ended for certain",
  );
  await next.kill();
  // In another container only the lock tells, which nothing renews.
  await writeFile(join(options.var, "host.pid"), `${next.process.pid} elsewhere another-container`);
  const stopped = await startHost(options);
  await stopped.logged(({ msg, owner }) => {
    return /still runs/.test(String(msg)) && String(owner).includes(` ${next.process.pid} `);
  });
  stopped.process.kill("SIGSTOP");
  const last = await startHost(options);
  stopped.process.kill("SIGCONT");
  t.equal(await stopped.exited, 0);
  t.ok(stopped.log.some(({ msg }) => /has taken over the folder/.test(String(msg))));
  t.equal((await fetch(`${last.url}/healthz`)).status, 200);
  t.equal(await last.stop(), 0);
});

t.test("demo makes a report and an order export and leaves a host that answers", async (t) => {
  const place = join(folder, "demo");
  const child = spawn(process.execPath, [commandLine, "demo", "--port", "0", "--var", place], {
    env: { ...cleanEnvironment(), ...strictEnvironment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.includes("Ctrl+C")) break;
  }
  const [, url = ""] = /^Slipway listening on (\S+)$/m.exec(said) ?? [];
  const places = [...said.matchAll(/^(?:Report|Export)? +(\/\S+)\n +(http\S+\/files\/\S+)$/gm)];
  t.strictSame(
    places.map(([, file = ""]) => extname(file)),
    [".pdf", ".xml", ".obx", ".pdf", ".zip"],
  );
  for (const [, file = "", address = ""] of places) {
    t.equal(dirname(file), join(place, "demo"));
    const served = Buffer.from(await (await fetch(address)).arrayBuffer());
    t.ok(served.equals(await readFile(file)), `${basename(file)} is what ${address} serves`);
    if (extname(file) === ".zip") await checkZip(served);
  }
  t.equal((await fetch(`${url}/readyz`)).status, 200);
  child.kill("SIGTERM");
  t.strictSame(await once(child, "exit"), [0, null]);
  await t.rejects(access(join(place, "host.pid")));
});
