import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, promisify } from "node:util";
import { readObk, readObx, writeObk, writeObx, writeObxArticle } from "@slipway/sdk";
import { ZipArchive } from "archiver";
import t from "tap";
import { fromBufferPromise } from "yauzl";
import { type Element, inventoryOf, missingParts, parseFile, textOf } from "../sdk/file-inventory.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const samples = join(root, "..", "shared", "samples");
const withoutSamples = existsSync(samples) ? false : "the real sample files are not here (../shared/samples)";
const fixture = (name: string): Promise<string> =>
  readFile(join(root, "test/fixtures/project-files", name), "utf8");

type Entries = Record<string, string>;

async function pack(entries: Entries): Promise<Buffer> {
  const archive = new ZipArchive({ zlib: { level: 1 } });
  for (const [name, content] of Object.entries(entries)) archive.append(content, { name });
  const finished = archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(Buffer.from(chunk));
  await finished;
  return Buffer.concat(chunks);
}

async function unpack(bytes: Uint8Array): Promise<Entries> {
  const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
  const entries: Entries = {};
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.startsWith("cache/")) continue;
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(Buffer.from(chunk));
    entries[entry.fileName] = Buffer.concat(chunks).toString("utf8");
  }
  return entries;
}

async function obkEntries(folder: "current" | "older" | "oldest"): Promise<Entries> {
  const [basket, metainf] = ["1.bsk", "metainf.xml"] as const;
  return { [basket]: await fixture(`${folder}/${basket}`), [metainf]: await fixture(`${folder}/${metainf}`) };
}

/** Parts of a file that need not come back, and why. */
type Differences = readonly (readonly [part: RegExp, reason: string])[];

const version: Differences[number] = [/\/versionInfo\/@/, "the file was written by another program"];

const obkDifferences: Differences = [
  version,
  [/^\/metainf\/(createDate|lastModDate)\/@date$/, "the local time of a moment has no offset; UTC stays"],
  [/^\/basket\/bskCounts\/@items$/, "counted anew"],
  [/\/viewCounts\/@items$/, "counted anew"],
  [/\/mergedArticle\/@digest$/, "made anew from the articles of the line"],
  [/^\/metainf\/@languages$/, "the quote language leads the list"],
  [/^\/basket\/genImgURIs\/genImgURI/, "lists the pictures that the file holds, and this one holds none"],
  [/^\/basket\/topFolder\/label/, "the folder around everything is never shown"],
  [/\/condGroups\/condGroup/, "groups are numbered anew, in the order of their lines"],
  [/\/calcLines\/docCondition\/@(level|condRecord)$/, "a record of the project stands with its group"],
  [/\/calcLines\/docCondition\/inactiveFlag/, "lines without an amount follow from the procedure"],
  [/\/ppLine\/@parent$/, "stands with the level of the line"],
  [/\/itemCalculation\/calcLines\/itemCondition\/@condRecord$/, "records are numbered anew"],
  [/\/topFolder\/bskFolder\/bskText\/itemFields\/itemField/, "a value has one place of two"],
  [/\/usrArticle\/itemPriceComponents\/priceComponent/, "one name of three for a component"],
];

const obxDifferences: Differences = [
  version,
  [/^\/cutBuffer\/state/, "the session of the program that wrote the file"],
  [
    /^\/cutBuffer\/(header|docCalculation\.2|appData)/,
    "an OBX of ours has the items and nothing around them",
  ],
  [/\/priceComponents/, "the older form of itemPriceComponents"],
  [
    /\/itemPriceComponents\/(component|priceComponent|itemPriceComponent)/,
    "one form of three for a component",
  ],
  [/\/taxInfo\/@tax(Type|Category)$/, "one name of two"],
  [/\/inconsistency\/reason/, "the name of reasons that other programs read is text"],
  [/\/usrArticle\/artNr\/@type$/, "a user article has one number, and it is written as the base number"],
];

function lost(before: string, after: string, differences: Differences): string[] {
  return missingParts(inventoryOf(before), inventoryOf(after)).filter(
    (part) => !differences.some(([pattern]) => pattern.test(part)),
  );
}

/** The number marks a newer form of the element, which is written where a view merges; both hold the same. */
function sameViews(xml: string): string {
  return xml.replaceAll(/(<\/?view)\.4\b/g, "$1");
}

t.test("an OBK and an OBX come back with every element and attribute", async (t) => {
  const before = await obkEntries("current");
  const { project, warnings } = await readObk(await pack(before));
  t.same(
    warnings.map(({ message }) => message.replace(/ (gen|imp):\S+/, "")).sort(),
    [
      ...new Array(4).fill("the picture is not in the file"),
      "the main article of this sub-article is not in the file",
      "Swedish rounding is not computed: totals are rounded by lines of the procedure only",
      'discount="item" has no effect: the procedure says how discounts are rounded',
      'rndpos="item" is not known: the procedure says where the tax is rounded',
      'the feature "Formula" of the calculation is not known and has no effect',
      "the variant price is for another quantity than the base price, and counts for that one",
    ].sort(),
  );
  const after = await unpack(await writeObk(project));
  const missing = Object.entries(before).map(([name, xml]) =>
    lost(sameViews(xml), sameViews(after[name] ?? "<none/>"), obkDifferences),
  );
  t.same(missing, [[], []]);
  const all = Object.entries(before).flatMap(([name, xml]) =>
    missingParts(inventoryOf(sameViews(xml)), inventoryOf(sameViews(after[name] ?? "<none/>"))),
  );
  for (const [pattern, reason] of obkDifferences)
    t.ok(
      all.some((part) => pattern.test(part)),
      reason,
    );
  const again = await readObk(await writeObk(project));
  t.same(split(again.project).typed, split(project).typed, "and the project stays what it is");
  const third = await readObk(await writeObk(again.project));
  t.same(third.project, again.project, "with all that is kept");

  const obx = await fixture("articles.obx");
  const read = await readObx(Buffer.from(obx));
  t.same(
    read.warnings.map(({ message }) => message),
    [
      "the price 280.0 EUR has no effect: the article is calculated with 300.0",
      "the price 380.0 EUR has no effect: the article is calculated with 400.0",
    ],
    "prices that a user entered",
  );
  const written = writeObx(read.project);
  t.same(lost(obx, written, obxDifferences), []);
  const differing = missingParts(inventoryOf(obx), inventoryOf(written));
  for (const [pattern, reason] of obxDifferences)
    t.ok(
      differing.some((part) => pattern.test(part)),
      reason,
    );
  t.same(lost(after["1.bsk"] ?? "", writeObx(project), [[/^\/basket/, ""]]), []);
  t.same((await readObx(Buffer.from(writeObx(project)))).project.items.length, project.items.length);
});

t.test("real files come back with every element and attribute", { skip: withoutSamples }, async (t) => {
  const obk = await readFile(join(samples, "one-article-with-contact.obk"));
  const [before, after] = [await unpack(obk), await unpack(await writeObk((await readObk(obk)).project))];
  const emptyName: Differences[number] = [/\/ppLine\/name(\/@lang)?$/, "an empty text says nothing"];
  for (const [name, xml] of Object.entries(before)) {
    t.same(lost(xml, after[name] ?? "<none/>", [...obkDifferences.slice(0, 2), emptyName]), [], name);
  }
  const obx = await readFile(join(samples, "one-article.obx"));
  const written = writeObx((await readObx(obx)).project);
  const older: Differences[number] = [/\/priceComponents/, "the older form of itemPriceComponents"];
  t.same(lost(obx.toString("utf8"), written, [version, older]), []);
});

t.test("what is written is read as the same project", async (t) => {
  const demo = await readFile(join(root, "config/demo/demo-project.obk"));
  const files: [name: string, bytes: Uint8Array][] = [["demo", demo]];
  for (const folder of ["current", "older", "oldest"] as const)
    files.push([folder, await pack(await obkEntries(folder))]);
  if (!withoutSamples) files.push(["real", await readFile(join(samples, "one-article-with-contact.obk"))]);
  for (const [name, bytes] of files) {
    const { project } = await readObk(bytes);
    t.same((await readObk(await writeObk(project))).project, project, name);
  }
  const exchanged = [["articles", Buffer.from(await fixture("articles.obx"))]] as [string, Uint8Array][];
  if (!withoutSamples) exchanged.push(["real", await readFile(join(samples, "one-article.obx"))]);
  for (const [name, bytes] of exchanged) {
    const { project } = await readObx(bytes);
    t.same((await readObx(Buffer.from(writeObx(project)))).project.items, project.items, `${name}, OBX`);
    const session = await readObk(await writeObk(project));
    const again = await readObx(Buffer.from(writeObx(session.project)));
    t.same(again.project.items, project.items, `${name}, OBX by way of an OBK`);
  }
});

interface Row {
  elements: string[];
  part: string;
  treatment: string;
}

/** The rows of the page, one for each part. */
async function listedParts(): Promise<Row[]> {
  const page = await readFile(join(root, "sdk/project-files.md"), "utf8");
  const words = (cell = ""): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
  return page.split("\n").flatMap((line) => {
    const [, elements, parts, treatment = ""] = line.split("|").map((cell) => cell.trim());
    return /^(read|kept|skipped)$/.test(treatment)
      ? words(parts).map((part) => ({ elements: words(elements), part, treatment }))
      : [];
  });
}

const plain = (name: string): string => name.replace(/\.\d+$/, "");

/** Takes a part away from all elements of that name; whether there was one. */
function remove(from: Element, element: string, part: string): boolean {
  let found = false;
  if (plain(from.name) === element) {
    if (part === "text()" || part === "*") {
      found = from.text.trim() !== "";
      if (found) from.text = "";
    }
    if (part === "*") {
      found ||= from.children.length + from.attributes.size > 0;
      from.children = [];
      from.attributes.clear();
    } else if (part.startsWith("@")) found = from.attributes.delete(part.slice(1)) || found;
    else {
      const others = from.children.filter(({ name }) => plain(name) !== part);
      found ||= others.length < from.children.length;
      from.children = others;
    }
  }
  for (const child of from.children) if (remove(child, element, part)) found = true;
  return found;
}

/** Reads the files of one project file; what is wrong with it stands for the project. */
async function projectOf(files: Entries): Promise<unknown> {
  const obx = files["articles.obx"];
  try {
    if (obx === undefined) return (await readObk(await pack(files))).project;
    // The id of a project from an OBX is made from the bytes of the file.
    return { ...(await readObx(Buffer.from(obx))).project, id: "" };
  } catch (error) {
    return String(error);
  }
}

/** The value without all members `kept`, and these. */
function split(value: unknown): { typed: unknown; kept: unknown[] } {
  const kept: unknown[] = [];
  const typed: unknown = JSON.parse(JSON.stringify(value), (key, member: unknown) => {
    if (key !== "kept") return member;
    kept.push(member);
    return undefined;
  });
  return { typed, kept };
}

/** What a part does to the project: reading the file without it shows. Undefined where the file has no such part. */
async function effectOf(
  files: Entries,
  element: string,
  part: string,
  usual: ReturnType<typeof split>,
): Promise<string | undefined> {
  let found = false;
  const without = Object.entries(files).map(([name, xml]): [string, string] => {
    const file = parseFile(xml);
    if (!remove(file, element, part)) return [name, xml];
    found = true;
    return [name, textOf(file)];
  });
  if (!found) return undefined;
  const { typed, kept } = split(await projectOf(Object.fromEntries(without)));
  if (!isDeepStrictEqual(typed, usual.typed)) return "read";
  return isDeepStrictEqual(kept, usual.kept) ? "skipped" : "kept";
}

/** Every file with what is read of it. */
async function allFixtures(): Promise<{ files: Entries; usual: ReturnType<typeof split> }[]> {
  const folders = ["current", "older", "oldest"] as const;
  const all = [
    ...(await Promise.all(folders.map(obkEntries))),
    { "articles.obx": await fixture("articles.obx") },
    { "articles.obx": await fixture("calculated.obx") },
  ];
  return Promise.all(all.map(async (files) => ({ files, usual: split(await projectOf(files)) })));
}

t.test("the page says what becomes of each part", async (t) => {
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ["sdk/build/write-project-files.mjs", "--check"],
    {
      cwd: root,
    },
  );
  t.equal(stderr, "", "it has the tables of the reader");
  const rows = await listedParts();
  const fixtures = await allFixtures();
  const wrong: string[] = [];
  const done = new Map<string, string>();
  for (const { elements, part, treatment } of rows) {
    let inFixture = false;
    for (const element of elements) {
      const name = `${element} ${part}`;
      if ((done.get(name) ?? treatment) !== treatment) wrong.push(`${name}: listed twice`);
      done.set(name, treatment);
      const effects = await Promise.all(
        fixtures.map(({ files, usual }) => effectOf(files, element, part, usual)),
      );
      const found = ["read", "kept", "skipped"].find((each) => effects.includes(each));
      inFixture ||= found !== undefined;
      if (found !== undefined && found !== treatment) {
        wrong.push(`${name}: listed as ${treatment}, it is ${found}`);
      }
    }
    if (!inFixture) wrong.push(`${elements.join(" ")} ${part}: in no fixture`);
  }
  t.same(wrong, []);

  const unlisted = new Set<string>();
  const look = ({ name, attributes, children }: Element): void => {
    const element = plain(name);
    const isListed = (part: string): boolean => done.has(`${element} ${part}`) || done.has(`${element} *`);
    for (const attribute of attributes.keys()) {
      if (!isListed(`@${attribute}`)) unlisted.add(`${element} @${attribute}`);
    }
    if (done.has(`${element} *`)) return;
    for (const child of children) {
      if (isListed(plain(child.name))) look(child);
      else unlisted.add(`${element} ${child.name}`);
    }
  };
  for (const { files } of fixtures) for (const xml of Object.values(files)) look(parseFile(xml));
  const made = ["bskArticle @madeBy", "bskArticle futureInfo", "classification @qualifier"];
  t.same([...unlisted].sort(), made, "only what was made up is not listed");
});

t.test("what is kept stays within limits, and is never more than it was", async (t) => {
  const article = (content: string): string =>
    `<bskArticle basketId='11111111-1111-4111-8111-111111111111'><artNr type='base'>A</artNr>${content}</bskArticle>`;
  const read = (content: string) =>
    readObx(Buffer.from(`<cutBuffer><items>${article(content)}</items></cutBuffer>`));
  const cases: [name: string, content: string, warning: RegExp][] = [
    ["depth", `${"<a>".repeat(40)}${"</a>".repeat(40)}`, /no more than 20 levels/],
    ["elements", "<a/>".repeat(6_000), /more than is kept/],
    ["characters", `<a>${"x".repeat(300_000)}</a>`, /more than is kept/],
    ["prefixes", "<x:a/>", /a name with a prefix/],
    ["items", "<a><bskArticle/></a>", /an item inside an element/],
    ["item ids", "<a basketId='22222222-2222-4222-8222-222222222222'/>", /an item inside an element/],
    ["mixed text", "<a>text<b/></a>", /text beside elements/],
  ];
  for (const [name, content, warning] of cases) {
    const { project, warnings } = await read(content);
    t.match(warnings, [{ message: warning }], name);
    t.ok(JSON.stringify(project).length < 400_000, `${name}: the project stays small`);
    const again = await readObx(Buffer.from(writeObx(project)));
    t.equal([...again.project.items].length, 1, `${name}: there is one item`);
    t.same(again.warnings, [], `${name}: what is written is read without complaint`);
  }

  const odd = "&lt;/a&gt;&lt;bskArticle/&gt; ]]&gt; &amp; \" ' \u00e9";
  const { project } = await read(`<a b='${odd.replaceAll("'", "&apos;")}'>${odd}</a>`);
  const [item] = (await readObx(Buffer.from(writeObx(project)))).project.items;
  t.same(item, project.items[0], "text is text");

  const made = structuredClone(project);
  const [first] = made.items;
  if (first?.type !== "article") throw new Error("the article is there");
  first.kept = {
    attributes: { basketId: "33333333-3333-4333-8333-333333333333" },
    elements: [
      { name: "bskArticle" },
      { name: "quantity", attributes: { count: "99" } },
      { name: "a><b" },
      { name: "fine" },
      { name: "bskArticle", level: 1 },
    ],
  };
  for (const written of [writeObx(made), writeObxArticle(made, first)]) {
    t.equal(written.match(/<bskArticle/g)?.length, 1, "no item comes from what is kept");
    t.notMatch(written, /99|3333|<b[ />]/, "nor anything that the reader reads");
  }
  t.match(writeObx(made), /<fine/);
});
