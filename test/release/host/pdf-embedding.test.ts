/** Files within PDFs: what plugins embed, what readers and the command line find, and what is refused. */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { embeddedFiles, isKind, readPdf as pdfObjects, readXmp, xmpProperty } from "@slipway/sdk/runtime/pdf";
import { checkAccessibility, checkArchive } from "@slipway/sdk/testing";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import t from "tap";
import { realChecker } from "../../host/vera-pdf.js";
import { runCommand } from "../../run-command.js";
import { type StartedHost, startHost } from "../../start-host.js";

const plugin = `import { definePlugin, route, Type } from "@slipway/sdk";
const html = '<!doctype html><html lang="en"><head><title>T</title></head><body><h1>One</h1></body></html>';
const Body = Type.Object({
  files: Type.Array(Type.Object({ name: Type.String(), text: Type.String(), times: Type.Integer({ default: 1 }) })),
  archivable: Type.Boolean({ default: true }),
  fault: Type.Optional(Type.String()),
  statement: Type.Optional(Type.Any()),
});
export default definePlugin({
  setup: (host) => ({
    routes: [
      route.post("embed", {
        summary: "Prints a PDF with files within.",
        body: Body,
        response: Type.Object({ plain: Type.Unknown(), pdf: Type.Unknown() }),
        async handler({ body }) {
          const { file: plain } = await host.pdf.render({
            html, filename: "order.pdf", tagged: true, archivable: body.archivable,
          });
          const files = [];
          for (const { name, text, times } of body.files) {
            const content = function* () { for (let i = 0; i < times; i++) yield text; };
            const file = await host.files.create({ name, mediaType: "application/xml", content: content() });
            files.push({ file, relationship: "Alternative", description: "The order" });
          }
          if (body.fault === "foreign") files[0].file = { ...files[0].file, id: "x".repeat(30) };
          const pdf = body.fault === "unprinted" ? files[0].file : plain;
          let embedded = await host.pdf.embed({ pdf, files, statement: body.statement });
          if (body.fault === "again") {
            const more = await host.files.create({ name: "more.txt", mediaType: "text/plain", content: "more" });
            embedded = await host.pdf.embed({
              pdf: embedded, files: [{ file: more, relationship: "Supplement", name: "mehr ü.txt" }], filename: "both.pdf",
            });
          }
          return { plain, pdf: embedded };
        },
      }),
    ],
  }),
});
`;

let host: StartedHost;
let folder: string;
t.before(async () => {
  folder = await mkdtemp(join(tmpdir(), "slipway-embed-"));
  const manifest = {
    name: "embedder",
    version: "1.0.0",
    type: "module",
    engines: { slipway: "^1.0.0" },
    slipway: { plugin: "embedder", entry: "index.js" },
  };
  await mkdir(join(folder, "plugins", "embedder"), { recursive: true });
  await writeFile(join(folder, "plugins", "embedder", "package.json"), JSON.stringify(manifest));
  await writeFile(join(folder, "plugins", "embedder", "index.js"), plugin);
  host = await startHost({ plugins: [join(folder, "plugins")], templates: [t.testdir()] });
});
t.teardown(async () => {
  await host.stop();
  await rm(folder, { recursive: true, force: true });
});

async function post(body: object): Promise<{ status: number; json: Record<string, unknown> }> {
  const answer = await fetch(`${host.url}/EAIWS/plugins/embedder/embed`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, json: Object(await answer.json()) };
}

async function pdfOf(body: object): Promise<Buffer> {
  const { status, json } = await post(body);
  t.equal(status, 200, JSON.stringify(json));
  return Buffer.from(await (await fetch(Object(json["pdf"]).url)).arrayBuffer());
}

const xml = "<order>Größe ½</order>";

t.test("a PDF says what the files within it are", async (t) => {
  const property = { name: "Kind", value: "<Angebot> & mehr", description: "Kind of order" };
  const statement = {
    schema: "Orders",
    namespace: "urn:example:orders#",
    prefix: "ord",
    properties: [property],
  };
  const files = [{ name: "order.xml", text: xml }];
  const pdf = await pdfOf({ files, statement, fault: "again" });
  t.strictSame([checkArchive(pdf), checkAccessibility(pdf)], [[], []]);
  await realChecker(t, pdf, ["3a", "ua1"]);
  const document = pdfObjects(pdf);
  const metadata = document.resolve(document.catalog.entries.get("Metadata"));
  if (!isKind(metadata, "stream")) throw new Error("There are no metadata");
  const content = document.content(metadata);
  t.equal(xmpProperty(readXmp(content), statement.namespace, "Kind"), property.value);
  t.equal(
    Buffer.from(content).toString("utf8").split("<pdfaExtension:schemas>").length,
    2,
    "one list of schemas",
  );
  const plain = await post({ files, statement, archivable: false });
  t.match(plain, { status: 422, json: { id: "pdf-not-archivable" } });
  for (const wrong of [
    { ...statement, prefix: "pdfaid" },
    { ...statement, properties: [] },
  ])
    t.match(await post({ files, statement: wrong }), { status: 500, json: { id: "plugin-error" } });
});

t.test("files within an archivable PDF", async (t) => {
  const pdf = await pdfOf({ files: [{ name: "order.xml", text: xml }] });
  t.strictSame([checkArchive(pdf), checkAccessibility(pdf)], [[], []]);
  await realChecker(t, pdf, ["3a", "ua1"]);

  await t.test("are found by other readers, byte for byte", async (t) => {
    const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
    const attachments: Record<string, { filename: string; content: Uint8Array }> =
      await document.getAttachments();
    const [found] = Object.values(attachments);
    t.strictSame(Object.keys(attachments), ["order.xml"]);
    t.equal(Buffer.from(found?.content ?? []).toString("utf8"), xml);
    await document.destroy();
  });

  await t.test("say what they are", (t) => {
    const file = pdfObjects(pdf);
    const [found] = embeddedFiles(file);
    t.match(found, {
      name: "order.xml",
      mediaType: "application/xml",
      relationship: "Alternative",
      description: "The order",
    });
    const parameters = file.dictionary(found?.content.dictionary.entries.get("Params"))?.entries;
    const sum = parameters?.get("CheckSum");
    t.equal(parameters?.get("Size"), Buffer.byteLength(xml));
    t.match(parameters?.get("ModDate"), { bytes: /^D:20\d{12}\+00'00'$/ });
    t.match(sum, { bytes: createHash("md5").update(xml).digest().toString("latin1") });
    // What simple readers look for: a list without nodes in the catalog itself.
    const names = file.catalog.entries.get("Names");
    t.match(names, { kind: "dictionary" });
    t.match(file.dictionary(file.dictionary(names)?.entries.get("EmbeddedFiles")), {
      entries: new Map([["Names", { kind: "array" }]]),
    });
    t.match(file.catalog.entries.get("AF"), { kind: "array", items: [{ kind: "reference" }] });
    t.end();
  });

  await t.test("can be added to", async (t) => {
    const both = await pdfOf({ files: [{ name: "order.xml", text: xml }], fault: "again" });
    t.strictSame(checkArchive(both), []);
    t.strictSame(
      embeddedFiles(pdfObjects(both)).map(({ name, relationship }) => [name, relationship]),
      [
        ["order.xml", "Alternative"],
        ["mehr ü.txt", "Supplement"],
      ],
    );
  });

  await t.test("leave the pages alone", async (t) => {
    const { json } = await post({ files: [{ name: "order.xml", text: xml }] });
    const plain = Buffer.from(await (await fetch(Object(json["plain"]).url)).arrayBuffer());
    const embedded = Buffer.from(await (await fetch(Object(json["pdf"]).url)).arrayBuffer());
    t.ok(embedded.subarray(0, plain.length).equals(plain));
  });
});

t.test("PDFs that claim nothing can carry files, too", async (t) => {
  const pdf = await pdfOf({ archivable: false, files: [{ name: "a.xml", text: xml }] });
  t.equal(embeddedFiles(pdfObjects(pdf)).length, 1);
});

t.test("large files need less memory than they have bytes", async (t) => {
  const text = Array.from({ length: 1000 }, (_, index) =>
    createHash("sha256").update(`${index}`).digest("hex"),
  ).join("");
  // Large enough that what an engine has not given back yet counts for little: 60 MB have been seen.
  const times = 1_000;
  const names = ["large.xml", "second.xml"];
  const before = await hostMemory();
  const pdf = pdfObjects(await pdfOf({ files: names.map((name) => ({ name, text, times })) }));
  const grown = (await hostMemory()) - before;
  const sizes = embeddedFiles(pdf).map(({ content }) => pdf.content(content).length);
  t.strictSame(sizes, [text.length * times, text.length * times]);
  const bytes = 2 * text.length * times;
  t.ok(grown < bytes, `the host has grown by ${grown} of ${bytes} bytes`);
});

/** The resident bytes of the host. */
async function hostMemory(): Promise<number> {
  const metrics = await (await fetch(`${host.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]);
}

t.test("what plugins do wrong is told", async (t) => {
  const file = { name: "a.xml", text: xml };
  for (const [body, message] of [
    [{ files: [file], fault: "foreign" }, /has not made the file xxx/],
    [{ files: [file], fault: "unprinted" }, /has not printed the PDF/],
    [{ files: [file, { ...file, text: "<other/>" }] }, /two files have the same name/],
  ] as const) {
    const { status, json } = await post(body);
    t.match([status, json], [500, { id: "plugin-error" }]);
    await host.logged((line) => message.test(JSON.stringify(line)));
  }
});

t.test("the command line", async (t) => {
  const files = [
    { name: "order.xml", text: xml },
    { name: "..\\..\\evil.obx", text: "<obx/>" },
  ];
  const pdf = await pdfOf({ files });
  const path = join(folder, "order.pdf");
  await writeFile(path, pdf);

  await t.test("takes files out", async (t) => {
    const out = join(folder, "out");
    const { code, output, errors } = await runCommand(["pdf", "attachments", path, "--out", out]);
    t.equal(code, 0, errors);
    const paths = output.trim().split("\n").sort();
    t.strictSame(paths, [join(out, "_.._evil.obx"), join(out, "order.xml")]);
    t.equal(await readFile(join(out, "order.xml"), "utf8"), xml);
  });

  await t.test("checks", async (t) => {
    const good = await runCommand(["pdf", "check", path]);
    t.match([good.code, good.output], [0, /^ok {4}PDF\/A-3A .*\nok {4}PDF\/UA-1 .*\n\nNothing is wrong\./]);
    const bad = join(folder, "bad.pdf");
    await writeFile(bad, Buffer.concat([pdf, Buffer.from("x")]));
    const { code, output } = await runCommand(["pdf", "check", bad, "--json"]);
    t.equal(code, 1);
    t.match(JSON.parse(output), {
      ok: false,
      checks: [{ name: "PDF/A-3A", ok: false, detail: /\(6\.1\.3\)$/ }],
    });
    const torn = join(folder, "torn.pdf");
    await writeFile(torn, pdf.subarray(0, 1000));
    const third = await runCommand(["pdf", "check", torn]);
    t.match([third.code, third.output], [1, /^FAIL {2}file +\S/]);
  });

  await t.test("asks the program that SLIPWAY_VERAPDF names, too", async (t) => {
    const report = (
      status: string,
      checks: number,
    ): string => `<report><validationReport><details passedChecks="${checks}" failedChecks="0">
<rule clause="6.1.3" testNumber="1" status="${status}"><description>An ID</description></rule></details></validationReport></report>`;
    const check = async (answer: string) => {
      const program = join(folder, "verapdf.sh");
      await writeFile(program, `#!/bin/sh\ncat <<'END'\n${answer}\nEND\n`, { mode: 0o755 });
      return runCommand(["pdf", "check", path], { environment: { SLIPWAY_VERAPDF: program } });
    };
    t.match(await check(report("passed", 9)), { code: 0, output: /ok +veraPDF 3a +it conforms/ });
    t.match(await check(report("failed", 9)), { code: 1, output: /FAIL +veraPDF 3a +6\.1\.3-1: An ID/ });
    t.match(await check(report("passed", 0)), { code: 1, output: /FAIL +veraPDF 3a .*checked nothing/ });
    t.match(await check("no report"), { code: 1, output: /FAIL +veraPDF 3a .*did not check/ });
  });
});
