/**
 * A picture looks the same, the right way up, in reports, workbooks and orders, whatever kind of file it was; one that many
 * articles show is converted once.
 */
import { checkArchive, readArchive } from "@slipway/sdk/testing";
import t from "tap";
import { reportOnly } from "../host/templates-support.js";
import { projectOf, sameAsSamples } from "../pictures/picture-project.js";
import { type Sample, samples } from "../pictures/quadrants.js";
import { OexClient } from "../plugins/oex-client.js";
import { isJson, pluginClient } from "../plugins/plugin-client.js";
import { ReporterClient } from "../plugins/reporter-client.js";
import { type StartedHost, startHost } from "../start-host.js";
import { pagePictures } from "../templates/page-pictures.js";

/** One page for each picture, which fills it. */
const template = `<style>@page { size: 90mm 60mm; margin: 0 } img { display: block; width: 90mm; height: 60mm; break-after: page }
</style><% for (const { image } of d.data.items) { %><img alt="" src="<%= image.url %>"><% } %>`;

let host: StartedHost;
let all: Record<string, Sample>;
t.before(async () => {
  all = await samples();
  host = await startHost({
    templates: [
      t.testdir({ pictures: reportOnly("pictures", template, { accessibility: true, archivable: true }) }),
    ],
  });
});
t.teardown(() => host?.stop());

t.test("in a report, which is fit for archives", async (t) => {
  const reporter = new ReporterClient(host.url);
  const sessionId = await reporter.open(projectOf(all));
  const { status, text, json } = await reporter.post("template/pictures/v1/generate", { sessionId });
  t.equal(status, 200, text);
  t.notMatch(
    JSON.stringify(json["errors"] ?? []),
    /item-image-error|document-picture-refused|pdf-not-archivable/,
  );
  const pdf = new Uint8Array(await (await fetch(String(json["url"]))).arrayBuffer());
  t.strictSame(await checkArchive(pdf), []);
  const pages = await pagePictures(pdf, 180);
  await sameAsSamples(t, all, pages.slice(-Object.keys(all).length));
});

t.test("in a workbook", async (t) => {
  const client = pluginClient(host.url, "excel");
  const sessionId = await client.open(projectOf(all), "en_GB");
  const { status, text, json } = await client.post("v1/export", { sessionId });
  t.equal(status, 200, text);
  t.strictSame(json["errors"] ?? [], []);
  const { bytes } = await client.download(json["url"]);
  const files = await readArchive(bytes);
  const drawing = files.get("xl/drawings/drawing1.xml")?.text() ?? "";
  const links = files.get("xl/drawings/_rels/drawing1.xml.rels")?.text() ?? "";
  const targets = new Map(
    [...links.matchAll(/Id="(image\d+)"[^>]*Target="\.\.\/(media\/[^"]+)"/g)].map(
      ([, id = "", name = ""]) => [id, name],
    ),
  );
  const shown = [...drawing.matchAll(/r:embed="(image\d+)"/g)].map(([, id = ""]) => {
    const file = files.get(`xl/${targets.get(id)}`);
    return file?.bytes ?? new Uint8Array();
  });
  t.match(
    [...targets.values()],
    Array.from(targets, () => /\.(?:png|jpeg)$/),
  );
  await sameAsSamples(t, all, shown);
});

t.test("in an order", async (t) => {
  const client = new OexClient(host.url);
  const { errors, oex } = await client.exported(await client.open(projectOf(all)), { exportImages: true });
  t.strictSame(
    errors.filter(({ id }) => id === "item-image-error"),
    [],
  );
  const text = Buffer.from(oex?.bytes ?? []).toString("utf8");
  const data = [...text.matchAll(/>([A-Za-z0-9+/=]{300,})</g)].map(([, base64 = ""]) =>
    Buffer.from(base64, "base64"),
  );
  await sameAsSamples(t, all, data);
});

t.test("one WebP of 1,000 articles is converted once, and is in the workbook once", async (t) => {
  const sample = all["WebP"];
  if (sample === undefined) throw new Error("no sample");
  const client = pluginClient(host.url, "excel");
  const sessionId = await client.open(projectOf({ WebP: sample }, 1000), "en_GB");
  const { json } = await client.post("v1/export", { sessionId });
  t.strictSame(json["errors"] ?? [], []);
  const files = await readArchive((await client.download(json["url"])).bytes);
  t.equal([...files.keys()].filter((name) => name.startsWith("xl/media/")).length, 1);
  t.equal([...(files.get("xl/drawings/drawing1.xml")?.text() ?? "").matchAll(/r:embed=/g)].length, 1000);
});

t.test("a damaged picture is named with its article, in every file", async (t) => {
  const broken = {
    content: (all["WebP"]?.content ?? Buffer.alloc(0)).subarray(0, 40),
    mediaType: "image/webp",
    tolerance: 0,
  };
  const reporter = new ReporterClient(host.url);
  const sessionId = await reporter.open(projectOf({ broken }));
  const report = await reporter.post("template/pictures/v1/generate", { sessionId });
  const workbook = await pluginClient(host.url, "excel").post("v1/export", { sessionId });
  for (const { status, json } of [report, workbook]) {
    t.equal(status, 200);
    const [error] = Array.isArray(json["errors"]) ? json["errors"].filter(isJson) : [];
    t.match(error, {
      id: "item-image-error",
      message: /^The picture "broken" was left out: it is damaged.* It belongs to article "A-1"\.$/,
      additionalInformation: { asset: "broken" },
    });
  }
});
