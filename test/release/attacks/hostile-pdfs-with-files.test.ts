/** PDFs that carry files and mean harm: those that are opened as projects, and those whose files are taken out. */
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { project } from "../../host/sessions-support.js";
import { OexClient } from "../../plugins/oex-client.js";
import { runCommand } from "../../run-command.js";
import { type StartedHost, startHost } from "../../start-host.js";
import { pdfWithEntries, pdfWithFiles } from "./pdf-with-files.js";

let host: StartedHost;
let obx: Buffer;
t.before(async () => {
  host = await startHost({ configuration: { limits: { project: 8_000_000 } } });
  const client = new OexClient(host.url);
  const exported = await client.exported(await client.open(project()), { attachOBX: true });
  obx = Buffer.from(exported.obx?.bytes ?? []);
});
t.teardown(() => host?.stop());

async function opened(body: Buffer) {
  const answer = await fetch(`${host.url}/api/sessions`, { method: "POST", body });
  const json = Object(await answer.json());
  return { status: answer.status, id: json.id, text: JSON.stringify(json) };
}

const bomb = Buffer.alloc(300_000_000);
const entities = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${[..."bcdefgh"]
  .map((name, index) => `<!ENTITY ${name} "${`&${"abcdefg"[index]};`.repeat(10)}">`)
  .join("")}]><cutBuffer>&h;</cutBuffer>`;

t.test("a PDF opens whatever its file is called", async (t) => {
  for (const name of ["../../etc/order.obx", "C:\\order.OBX", "/order.obx", "\u202exbo.obx", "a\0.obx"])
    t.match(await opened(pdfWithFiles([{ name, content: obx }])), { status: 201 }, name);
});

t.test("a PDF that cannot be opened says why, and the host goes on", async (t) => {
  const file = { name: "order.obx", content: obx };
  const good = pdfWithFiles([file]);
  const far = "/Prev 99999999";
  const refused: Record<string, [Buffer, RegExp, status?: number, id?: string]> = {
    "no files": [pdfWithFiles([]), /has no project in it/],
    "files of other kinds": [pdfWithFiles([{ name: "order.xml", content: "<a/>" }]), /has no project in it/],
    "several projects": [pdfWithFiles([file, { ...file, name: "b.OBX" }]), /has 2 projects in it/],
    encrypted: [pdfWithFiles([file], { trailer: "/Encrypt << /Filter /Standard >>" }), /is encrypted/],
    "a bomb": [pdfWithFiles([{ name: "a.obx", content: bomb }]), /more than \d+ bytes/],
    "a bomb in a bomb": [pdfWithFiles([{ name: "a.obx", content: bomb, packed: 3 }]), /more than \d+ bytes/],
    "packed too often": [pdfWithFiles([{ ...file, packed: 9 }]), /too many filters/],
    "an unknown filter": [pdfWithFiles([{ ...file, packed: 0, more: "/Filter /LZWDecode" }]), /filter/],
    "entities within": [pdfWithFiles([{ name: "a.obx", content: entities }]), /document type declaration/],
    "no XML within": [pdfWithFiles([{ name: "a.obx", content: "\0\0" }]), /project file cannot be read/],
    "a PDF within": [pdfWithFiles([{ name: "a.obx", content: good }]), /project file cannot be read/],
    "a torn end": [good.subarray(0, good.length - 40), /end of the file|undamaged/],
    "a torn middle": [Buffer.concat([good.subarray(0, 200), good.subarray(400)]), /undamaged/],
    "a wrong table": [pdfWithFiles([file], { shift: 7 }), /undamaged/],
    "a table that is nowhere": [pdfWithFiles([file], { trailer: far }), /undamaged/],
    "a tree that goes round": [pdfWithFiles([file], { tree: "<< /Kids [4 0 R] >>" }), /goes round/],
    "nothing but a head": [Buffer.from("%PDF-1.7\n"), /end of the file/],
    "millions of objects": [pdfWithEntries(8_000_000), /too many objects/],
    "nested deeply": [pdfWithFiles([file], { tree: "[".repeat(100_000) }), /nest too deeply/],
    "too large": [Buffer.concat([good, Buffer.alloc(8_000_001)]), /limit/, 413, "request-too-large"],
  };
  for (const [name, [bytes, message, status = 400, id = "request-bad-request"]] of Object.entries(refused)) {
    const answer = await opened(bytes);
    t.match(answer, { status, id, text: message }, name);
    t.notMatch(answer.text, /node:|\.js|\/host\//, name);
  }
  t.match(await opened(good), { status: 201 });
});

t.test("files are taken out under names that are safe", async (t) => {
  const folder = t.testdir();
  const names = [
    "../../../evil.txt",
    "/etc/passwd",
    "C:\\Windows\\evil.exe",
    "a\0b.xml",
    "nul",
    "COM1.xml",
    "same.xml",
    "SAME.xml",
    "same.xml",
    "same-2.xml",
    "",
    "..",
    "\u202egnp.xml",
    `${"漢".repeat(200)}.xml`,
    `a.${"漢".repeat(200)}`,
    "ends. ",
    "-rf",
  ];
  const path = join(folder, "order.pdf");
  const files = names.map((name, index) => ({ name, content: `file ${index}` }));
  await writeFile(path, pdfWithFiles(files));
  const out = join(folder, "deep", "out");
  const { code, output, errors } = await runCommand(["pdf", "attachments", path, "--out", out]);
  t.equal(code, 0, errors);
  const written = output.trimEnd().split("\n");
  t.equal(written.length, names.length);
  t.strictSame(
    await Promise.all(written.map((each) => readFile(each, "utf8"))),
    files.map(({ content }) => content),
  );
  const found = await readdir(out);
  t.equal(new Set(found.map((name) => name.toLowerCase())).size, names.length);
  for (const name of found) {
    t.notMatch(name, /^\.|[/\\:\p{Cc}\p{Cf}]|^(?:nul|com1)(?:\.|$)|[. ]$/iu);
    t.ok(Buffer.byteLength(name) <= 255, name);
    t.ok((await lstat(join(out, name))).isFile());
  }
  t.strictSame((await readdir(folder)).sort(), ["deep", "order.pdf"]);
});

t.test("what is there already stays", async (t) => {
  const folder = t.testdir();
  const path = join(folder, "order.pdf");
  await writeFile(
    path,
    pdfWithFiles([
      { name: "a.xml", content: "<a/>" },
      { name: "b.xml", content: "<b/>" },
    ]),
  );
  for (const prepare of [
    (out: string) => writeFile(join(out, "b.xml"), "mine"),
    (out: string) => symlink(join(folder, "elsewhere"), join(out, "b.xml")),
  ]) {
    const out = join(folder, `out-${prepare}`.replaceAll(/\W/g, "").slice(0, 40));
    await mkdir(out);
    await prepare(out);
    const { code, output, errors } = await runCommand(["pdf", "attachments", path, "--out", out]);
    t.match([code, output, errors], [1, "", /b\.xml exists; nothing is overwritten/]);
    t.strictSame(await readdir(out), ["b.xml"], "none is written");
  }
  t.notOk((await readdir(folder)).includes("elsewhere"));
});

t.test("files that unpack to more than a disk should hold are not written", async (t) => {
  const folder = t.testdir();
  const path = join(folder, "order.pdf");
  const content = Buffer.alloc(400_000_000);
  await writeFile(path, pdfWithFiles(["a", "b", "c"].map((name) => ({ name, content }))));
  const { code, output, errors } = await runCommand([
    "pdf",
    "attachments",
    path,
    "--out",
    join(folder, "out"),
  ]);
  t.match(
    [code, output.trim().split("\n").length, errors],
    [1, 2, /c cannot be taken out: .* more than \d+ bytes/],
  );
  t.notMatch(errors, /at .*\.js/);
});
