/** Project files that are loaded, saved and loaded again through the session service: all answers stay the same. */
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import t from "tap";
import { fromBufferPromise } from "yauzl";
import { call, projectOf, realObk, type Service } from "../host/eaiws-support.js";
import { demoFile } from "../host/sessions-support.js";
import { zip } from "../sdk/small-files.js";
import { repository, startHost } from "../start-host.js";

const samples = join(repository, "..", "shared", "samples");
const host = await startHost({ plugins: [], templates: [] });
t.teardown(host.stop);

const parameter = (name: string, value: string): string => `<${name} xmlns="">${value}</${name}>`;

async function asked(service: Service, operation: string, id: string, more = ""): Promise<string[]> {
  const { status, text, results, fault } = await call(
    host.url,
    service,
    operation,
    parameter("sessionId", id) + more,
  );
  if (status !== 200) throw new Error(`${operation}: ${fault}`);
  return results.length > 0 ? results : [text];
}

async function first(service: Service, operation: string, id: string, more = ""): Promise<string> {
  const [result = ""] = await asked(service, operation, id, more);
  return result;
}

async function loaded(bytes: Uint8Array<ArrayBuffer>, suffix: string): Promise<string> {
  const [id = ""] = (await call(host.url, "Session", "openSession")).results;
  const kind = parameter("fileType", "Project") + parameter("suffix", suffix);
  const url = await first("Session", "getUploadURL", id, kind);
  t.equal((await fetch(url, { method: "PUT", body: bytes })).status, 204);
  await asked("Session", "loadSession", id, parameter("uri", url));
  return id;
}

/** Everything that the service tells of a session's project, by the question. */
async function told(id: string): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  const ask = async (service: Service, operation: string, more = ""): Promise<string> => {
    const { text, fault } = await call(host.url, service, operation, parameter("sessionId", id) + more);
    t.equal(fault, undefined, `${operation} ${more}`);
    answers[`${service}.${operation} ${more}`] = text;
    return text;
  };
  const options = (members: string): string => `<options xmlns="">${members}</options>`;
  const on = (name: string): string => `<${name}>true</${name}>`;
  const all = await ask(
    "Basket",
    "getAllItems",
    options(on("subItems") + on("wholeComposite") + on("setArticleIds") + on("positionNumbers")),
  );
  const ids = [...all.matchAll(/<itemId>([^<]+)<|itemId="([^"]+)"/g)].map(([, one, other]) => one ?? other);
  t.ok(ids.length > 0);
  const itemIds = ids.map((each) => parameter("itemIds", each ?? "")).join("");
  await ask("Basket", "getItemProperties", itemIds + options(on("priceInfo") + on("positionNumbers")));
  await ask(
    "Basket",
    "getItemProperties",
    itemIds + options("<textFormat>HTML</textFormat><textMode>Multi</textMode>"),
  );
  for (const each of ids) await ask("Basket", "getArticleFeatures", parameter("itemId", each ?? ""));
  await ask("Basket", "getTopFolderId");
  const config = await ask("Basket", "getBasketConfig");
  await ask("Basket", "getBasketViewConfigs");
  for (const [, viewId = ""] of config.matchAll(/<viewIds>([^<]+)</g)) {
    const inView = options(`<viewId>${viewId}</viewId>${on("positionNumbers")}`);
    await ask("Basket", "getAllItems", inView);
    await ask("Basket", "getItemProperties", inView);
  }
  for (const [, scheme = ""] of config.matchAll(/<calculations>([^<]+)</g)) {
    await ask("Basket", "getPriceCalculationSheets", parameter("ppName", scheme));
    await ask("Basket", "getPriceCalculationSheets", itemIds + parameter("ppName", scheme));
    await ask("Basket", "getConditionTypes", parameter("ppName", scheme));
    await ask("Basket", "getPricingProcedure", parameter("name", scheme));
  }
  for (const operation of [
    "listPricingProcedures",
    "getCurrency",
    "getReferenceCurrency",
    "getExchangeRates",
    "getCurrentTaxScheme",
    "getLanguages",
  ])
    await ask("Basket", operation);
  const scheme = await first("Basket", "getCurrentTaxScheme", id);
  if (!scheme.startsWith("<")) await ask("Basket", "getTaxScheme", parameter("schemeId", scheme));
  for (const operation of ["getProjectData", "getAddressData", "getContactData", "getProjectTexts"])
    await ask("Project", operation);
  return { ...answers, project: await projectOf(host, id) };
}

/** The entries of a container that are no part of the project document. */
const foreign: [name: string, content: Buffer][] = [
  ["cache/0123456789ABCDEF0123456789ABCDEF", Buffer.from([0, 1, 2, 255])],
  ["attachments/plän.txt", Buffer.from("hello")],
  ["empty", Buffer.alloc(0)],
];

const files: [name: string, read: () => Promise<Uint8Array>][] = [
  ["a project of an older version", async () => new Uint8Array(await (await realObk()).arrayBuffer())],
  ["the demonstration project", () => demoFile("obk")],
  ["its exchange file", () => demoFile("obx")],
  ...(existsSync(samples) ? readdirSync(samples) : [])
    .filter((name) => /\.ob[kx]$/.test(name))
    .map((name): [string, () => Promise<Uint8Array>] => [name, () => readFile(join(samples, name))]),
];

for (const [name, read] of files) {
  t.test(`${name} comes back as it was loaded`, async (t) => {
    const original = Uint8Array.from(await read());
    const isContainer = original[0] === 0x50;
    const id = await loaded(original, isContainer ? ".obk" : ".obx");
    const saved = await (await fetch(await first("Session", "saveSession", id))).arrayBuffer();
    const again = await loaded(new Uint8Array(saved), ".obk");
    const [before, after] = [await told(id), await told(again)];
    for (const question of Object.keys(before)) t.strictSame(after[question], before[question], question);
  });
}

t.test("entries that stand for nothing in a project are written as they were", async (t) => {
  const own = await unpacked(new Uint8Array(await (await realObk()).arrayBuffer()));
  const id = await loaded(Uint8Array.from(await zip([...own, ...foreign])), ".obk");
  await asked("Basket", "setCurrency", id, parameter("currency", "GBP"));
  const saved = await (await fetch(await first("Session", "saveSession", id))).arrayBuffer();
  const written = new Map(await unpacked(new Uint8Array(saved)));
  t.strictSame([...written.keys()].sort(), [...own, ...foreign].map(([name]) => name).sort());
  for (const [name, content] of foreign) t.ok(written.get(name)?.equals(content), name);

  const project: { assets?: object } = JSON.parse(JSON.stringify(await projectOf(host, id)));
  const evil = ["obk:../../evil", "obk:/evil", "obk:a\\evil", "obk:C:evil", "obk:1.bsk", "obk:a//b"];
  const asset = { mediaType: "application/octet-stream", base64: "AAAA" };
  const assets = { ...project.assets, ...Object.fromEntries(evil.map((key) => [key, asset])) };
  const posted = Uint8Array.from(Buffer.from(JSON.stringify({ ...project, assets })));
  const again = await loaded(posted, ".json");
  const safe = await (await fetch(await first("Session", "saveSession", again))).arrayBuffer();
  t.strictSame(
    (await unpacked(new Uint8Array(safe))).map(([name]) => name).sort(),
    [...written.keys()].sort(),
  );
});

async function unpacked(bytes: Uint8Array): Promise<[name: string, content: Buffer][]> {
  const container = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
  const entries: [string, Buffer][] = [];
  for await (const entry of container.eachEntry())
    entries.push([entry.fileName, await buffer(await container.openReadStreamPromise(entry))]);
  return entries;
}
