/**
 * Pictures of a project that are small as files and large when they are decoded: their report comes without them and names
 * them, the host takes no memory for them, and others are answered meanwhile.
 */
import sharp from "sharp";
import t from "tap";
import { memoryOf, pictures, until, workersOf } from "../../host/pdf-support.js";
import { reportOnly } from "../../host/templates-support.js";
import { article, isJson, type Json, project, ReporterClient } from "../../plugins/reporter-client.js";
import { type StartedHost, startHost } from "../../start-host.js";

const mebibyte = 1024 ** 2;
const template =
  "<p>Printed</p><% for (const { image } of d.data.items) { %><img src='<%= image.url %>'><% } %>";
/** Milliseconds that a busy machine may need to prepare an ordinary picture. */
const patience = 60_000;

let host: StartedHost;
let reporter: ReporterClient;
t.before(async () => {
  host = await startHost({
    templates: [t.testdir({ pictures: reportOnly("pictures", template) })],
    configuration: {
      pdf: { loadTimeout: patience, pictures: { processes: 1, memory: 256, timeout: patience } },
    },
  });
  reporter = new ReporterClient(host.url);
});
t.teardown(() => host?.stop());

/** A PNG of one colour, which packs to next to nothing. */
function picture(side: number, background: string, { bits = 8, interlaced = false } = {}): Promise<Buffer> {
  return sharp({ create: { width: side, height: side, channels: 4, background }, limitInputPixels: false })
    .toColourspace(bits === 16 ? "rgb16" : "srgb")
    .png({ progressive: interlaced })
    .toBuffer();
}

/** A session with one article for each picture. */
function opened(named: Record<string, Buffer>): Promise<string> {
  const names = Object.keys(named);
  const items = names.map((asset, index) =>
    article(index + 1, "1.00", { images: [{ tag: "default", asset }] }),
  );
  const assets = Object.fromEntries(
    names.map((name) => [name, { mediaType: "image/png", base64: named[name]?.toString("base64") }]),
  );
  return reporter.open(project(items, { assets }));
}

async function printed(sessionId: string): Promise<{ errors: Json; url: unknown; shown: number }> {
  const { status, text, json } = await reporter.post("template/pictures/v1/generate", { sessionId });
  if (status !== 200) throw new Error(`${status}: ${text}`);
  const file = await fetch(String(json["url"]));
  // What the browser shows for a picture that it does not get is no JPEG.
  const { jpeg: shown } = pictures(new Uint8Array(await file.arrayBuffer()));
  return { errors: errorsByAsset(json), url: json["url"], shown };
}

/** The suppressed errors by the name of their picture. */
function errorsByAsset({ errors }: Json): Json {
  const list = Array.isArray(errors) ? errors.filter(isJson) : [];
  return Object.fromEntries(
    list.map((error) => [
      isJson(error["additionalInformation"]) && error["additionalInformation"]["asset"],
      error,
    ]),
  );
}

/** The process that prepares pictures; undefined where there is none. */
function pictureProcess(): number | undefined {
  return workersOf(hostProcess(), "picture-process")[0];
}

function hostProcess(): number {
  if (host.process.pid === undefined) throw new Error("the host is gone");
  return host.process.pid;
}

t.test("pictures beyond the limits are left out by name, and take no memory of the host", async (t) => {
  const ordinary = await picture(400, "#375");
  t.strictSame((await printed(await opened({ ordinary }))).errors, {});
  const before = memoryOf(hostProcess());
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(hostProcess()));
  }, 10);
  t.teardown(() => clearInterval(watch));
  const declared = await picture(9900, "#a00", { bits: 16 });
  const unpacking = await picture(8000, "#0a0", { interlaced: true });
  t.ok(declared.length + unpacking.length < 8 * mebibyte, "they are small files");
  const { errors, shown } = await printed(await opened({ declared, ordinary, unpacking }));
  clearInterval(watch);
  t.equal(shown, 1, "the others are there");
  t.strictSame(Object.keys(errors).sort(), ["declared", "unpacking"]);
  t.match(errors, {
    declared: {
      id: "item-image-error",
      scopes: ["ERROR"],
      message: /^The picture "declared" was left out: its 9900 × 9900 pixels need 748 MB/,
    },
    unpacking: {
      id: "item-image-error",
      message: /^The picture "unpacking" was left out: .*pdf\.pictures\.memory/,
    },
  });
  // Either picture alone takes more.
  t.ok(most - before < 150 * mebibyte, `${Math.round((most - before) / mebibyte)} MiB more in the host`);
});

t.test(
  "others are answered while a picture is worked on, and it outlives the end of its process",
  async (t) => {
    const ordinary = await opened({ ordinary: await picture(410, "#385") });
    const { url } = await printed(ordinary);
    const stopped = pictureProcess();
    if (stopped === undefined) throw new Error("no process prepares pictures");
    process.kill(stopped, "SIGSTOP");
    let isDone = false;
    const report = printed(await opened({ large: await picture(2000, "#395") })).finally(() => {
      isDone = true;
    });
    t.ok(await opened({}), "a session");
    t.equal((await fetch(String(url))).status, 200, "a file");
    t.strictSame((await printed(ordinary)).errors, {}, "a report");
    t.notOk(isDone);
    process.kill(stopped, "SIGKILL");
    const { errors, shown } = await report;
    t.strictSame({ errors, shown }, { errors: {}, shown: 1 });
    await until(() => pictureProcess() !== undefined && pictureProcess() !== stopped, "another process");
  },
);
