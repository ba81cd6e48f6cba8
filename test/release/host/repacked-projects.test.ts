/** Project files that people unpacked and zipped again, with what their programs made of them: opened through HTTP. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { ZipArchive } from "archiver";
import t from "tap";
import { pixel, session } from "../../host/sessions-support.js";
import { inBuffer, smallBasket, smallHeader, zip } from "../../sdk/small-files.js";
import { type StartedHost, startHost } from "../../start-host.js";

let host: StartedHost;

t.before(async () => {
  host = await startHost({ plugins: [] });
});
t.teardown(() => host.stop());

const uri = "gen:11111111-1111-4111-8111-111111111111";
const hash = createHash("md5").update(uri).digest("hex").toUpperCase();
const basket = `<basket><topFolder><bskArticle itemId='22222222-2222-4222-8222-222222222222'>
<artNr type='base'>A-1</artNr>
<itemProperty type='image' imageType='ArticleImage' value='${uri}'/></bskArticle></topFolder></basket>`;

type Entries = [name: string, content: string | Buffer][];

/** The entries of a project with a picture, each under another name. */
const entries = (rename: (name: string) => string = (name) => name): Entries => [
  [rename("1.bsk"), basket],
  [rename("metainf.xml"), smallHeader],
  [rename(`cache/${hash}`), Buffer.from(pixel, "base64")],
];

/** Names in a ZIP by their bytes, since writers repair them. A name of as many letters stands for each. */
function renamed(file: Buffer, names: Record<string, string | Buffer>): Buffer {
  let text = file.toString("latin1");
  for (const [from, to] of Object.entries(names))
    text = text.replaceAll(from, Buffer.from(to).toString("latin1"));
  return Buffer.from(text, "latin1");
}

/** As a program writes a ZIP into a pipe. */
async function streamed(files: Entries): Promise<Buffer> {
  const archive = new ZipArchive({ forceZip64: true });
  for (const [name, content] of files) archive.append(Readable.from([content]), { name });
  const finished = archive.finalize();
  const written = await buffer(archive);
  await finished;
  return written;
}

async function open(file: Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  return await fetch(`${host.url}/api/sessions`, {
    method: "POST",
    headers: { "Content-Type": "application/zip", ...headers },
    body: new Uint8Array(file),
  });
}

const picture = (id: string): Promise<Response> => {
  const sha256 = createHash("sha256").update(Buffer.from(pixel, "base64")).digest("hex");
  return fetch(`${host.url}/api/sessions/${id}/assets/${sha256}`);
};

const underTop = (name: string): string => `Office 3/${name}`;

t.test("what is plainly one project opens, with its picture", async (t) => {
  const backslashes = { "cache/": "cache\\" };
  const files: [name: string, file: Buffer][] = [
    ["as written", await zip(entries())],
    ["ZIP64, with sizes after the content", await streamed(entries(underTop))],
    ["a folder on top", await zip(entries(underTop))],
    ["folders on top", await zip(entries((name) => `a/b/c/${name}`))],
    ["the folder that it is in", await zip(entries((name) => `./${name}`))],
    ["capitals", await zip(entries((name) => name.toUpperCase()))],
    ["small letters", await zip(entries((name) => name.toLowerCase()))],
    [
      "a folder in two spellings",
      await zip(entries((name) => (/bsk/.test(name) ? `Top/${name}` : `top/${name}`))),
    ],
    ["backslashes", renamed(await zip(entries()), backslashes)],
    [
      "backslashes below a folder",
      renamed(await zip(entries((name) => `top/${name}`)), { ...backslashes, "top/": "top\\" }),
    ],
    [
      "a folder in CP437",
      renamed(await zip(entries((name) => `Bxro/${name}`)), {
        "Bxro/": Buffer.from([0x42, 0x81, 0x72, 0x6f, 0x2f]),
      }),
    ],
    [
      "macOS and Windows",
      await zip([
        ...entries(underTop),
        ["__MACOSX/Office 3/._1.bsk", "junk"],
        ["Office 3/._metainf.xml", "junk"],
        ["Office 3/.DS_Store", "junk"],
        [".DS_Store", "junk"],
        ["Office 3/Thumbs.db", "junk"],
        ["Office 3/cache/desktop.ini", "junk"],
      ]),
    ],
    ["the exact name beside another", await zip([...entries(), ["1.BSK", "<other/>"]])],
    ["a project in the root and one below", await zip([...entries(), ...entries((name) => `old/${name}`)])],
  ];
  for (const [name, file] of files) {
    const response = await open(file);
    if (response.status !== 201) {
      t.fail(`${name}: ${await response.text()}`);
      continue;
    }
    const opened = await session(response);
    t.same(opened.warnings ?? [], [], name);
    t.equal(opened.project.articles, 1, name);
    t.equal((await picture(opened.sessionId)).status, 200, `${name}: its picture`);
  }
  const beside = await session(await open(await zip([...entries(underTop), ["readme.txt", "x"]])));
  t.match(beside.warnings, [
    { message: "an entry beside the folder of the project is not read: readme.txt" },
  ]);
});

t.test("what is not plain is refused with what was found", async (t) => {
  const obk = await zip(entries());
  const obx = inBuffer("");
  const encrypted = await zip(entries());
  // Bit 0 of the flags of each entry: the content is encrypted.
  for (
    let at = encrypted.indexOf("PK\x01\x02", 0, "latin1");
    at >= 0;
    at = encrypted.indexOf("PK\x01\x02", at + 4, "latin1")
  )
    encrypted[at + 8] = (encrypted[at + 8] ?? 0) | 1;
  const files: [name: string, file: Buffer, message: RegExp][] = [
    ["empty", await zip([]), /entry 1\.bsk: this entry is missing, the file is empty/],
    [
      "other files",
      await zip(Array.from({ length: 9 }, (_, index) => [`${index}.txt`, "x"])),
      /missing, the file has 9 files: 0\.txt, 1\.txt, 2\.txt, 3\.txt, 4\.txt and 4 more\.$/,
    ],
    [
      "only a basket",
      await zip([["a/1.bsk", smallBasket]]),
      /entry metainf\.xml: .* the file has 1 file: a\/1\.bsk/,
    ],
    [
      "two folders",
      await zip([...entries(underTop), ...entries((name) => `b/${name}`)]),
      /several projects \(2 files: Office 3\/1\.bsk, b\/1\.bsk\)/,
    ],
    [
      "an OBK inside",
      await zip([["office.obk", obk]]),
      /unpack the file and open a project file inside \(1 file: office\.obk\)/,
    ],
    ["an OBX inside", await zip([["Basket.OBX", obx]]), /a project file inside \(1 file: Basket\.OBX\)/],
    [
      "two OBX inside",
      await zip([
        ["a.obx", obx],
        ["b.obx", obx],
      ]),
      /inside \(2 files: a\.obx, b\.obx\)/,
    ],
    [
      "two spellings",
      await zip([
        ["1.BSK", smallBasket],
        ["1.Bsk", smallBasket],
        ["metainf.xml", smallHeader],
      ]),
      /entry 1\.bsk: several entries have this name, in other capitals/,
    ],
    [
      "one name in two spellings of its folder",
      await zip([
        ["A/1.bsk", smallBasket],
        ["a/1.bsk", smallBasket],
      ]),
      /entry 1\.bsk: two entries have this name/,
    ],
    [
      "one name with both slashes",
      renamed(await zip([...entries(), ["cachx/1", "a"], ["cachy/1", "b"]]), { "cachx/": "cachy\\" }),
      /two entries have this name/,
    ],
    [
      "a path out",
      renamed(await zip([...entries(), ["xx/x", "a"]]), { "xx/x": "..\\x" }),
      /invalid relative path/,
    ],
    ["a drive", renamed(await zip([...entries(), ["xx/x", "a"]]), { "xx/x": "C:\\x" }), /absolute path/],
    ["a password", encrypted, /entry 1\.bsk: the entry needs a password; save the file without one/],
    ["gzip", gzipSync(obx), /compressed with gzip; unpack it/],
  ];
  for (const [name, file, message] of files) {
    const response = await open(file);
    t.equal(response.status, 400, name);
    t.match(await response.json(), { id: "request-bad-request", message }, name);
  }
});

t.test("the bytes tell what a file is, not its name", async (t) => {
  const send = async (name: string, content: string | Buffer): Promise<number> => {
    const form = new FormData();
    form.append("project", new Blob([new Uint8Array(Buffer.from(content))]), name);
    return (await fetch(`${host.url}/api/sessions`, { method: "POST", body: form })).status;
  };
  t.equal(await send("office.zip", await zip(entries())), 201);
  t.equal(await send("office.obx", await zip(entries(underTop))), 201);
  t.equal(await send("office.obk", inBuffer("")), 201);
  t.equal(await send("office.obx.gz", gzipSync(inBuffer(""))), 400);
});
