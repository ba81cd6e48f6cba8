import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, promisify } from "node:util";
import {
  type ArticleItem,
  childrenOf,
  DocumentXmlWriter,
  type Item,
  isPosition,
  type ObxOptions,
  type ProjectDocument,
  RequestError,
  readObk,
  readObx,
  StreamingXmlWriter,
  streamObx,
  walkItems,
  writeObk,
  writeObx,
  writeObxArticle,
  writeObxInto,
} from "@slipway/sdk";
import fc from "fast-check";
import sharp from "sharp";
import t from "tap";
import { testProgram } from "../start-host.js";
import { canonicalXml } from "./canonical-xml.js";
import { bytes, inBuffer, smallBasket, smallHeader, smallObk, zip } from "./small-files.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const samples = join(root, "..", "shared", "samples");
const withoutSamples = existsSync(samples) ? false : "the real sample files are not here (../shared/samples)";

async function refusal(reading: Promise<unknown>): Promise<RequestError> {
  try {
    await reading;
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw new Error("a broken file must be a RequestError", { cause: error });
  }
  throw new Error("a broken file was accepted");
}

function articleAt(items: readonly Item[], index: number): ArticleItem {
  const item = items[index];
  if (item?.type !== "article") throw new Error(`item ${index} is no article`);
  return item;
}

async function demo(): Promise<ProjectDocument> {
  const project: ProjectDocument = JSON.parse(
    await readFile(join(root, "config/demo/demo-project.json"), "utf8"),
  );
  return project;
}

t.test("a real OBK", { skip: withoutSamples }, async (t) => {
  const { project, warnings } = await readObk(await readFile(join(samples, "one-article-with-contact.obk")));
  t.same(warnings, []);
  t.match(project, {
    id: "82d613c5-f7ae-4f39-918a-905784e9f875",
    header: { state: "Undefined", created: "2024-01-22T13:49:50.455Z", projectDate: "2024-01-22" },
    settings: {
      languages: ["en"],
      currency: "GBP",
      referenceCurrency: "EUR",
      defaultPriceDate: "2024-01-22",
      rounding: { halfWay: "up", interval: "0.01" },
      defaultScheme: "STDB2B_WBK",
    },
    defaultViewId: "5726009a-756d-11d6-9c21-00e029099a4b",
  });
  t.equal(project.settings.exchangeRates["GBP"], "0.857635");
  t.equal(project.settings.exchangeRates["EUR"], "1");
  t.equal(Object.keys(project.settings.exchangeRates).length, 151);
  const [tax] = project.settings.taxScheme?.taxTypes ?? [];
  t.equal(project.settings.taxScheme?.id, "GB");
  t.same(tax?.categories[0], { id: "standard_rate", rate: "20.0" });
  t.same(project.contacts, [
    {
      id: 2129017191,
      contactType: "Support",
      commAddresses: [{ value: "test@test.de", type: "EMail", scope: "Business" }],
    },
  ]);
  t.same(project.addresses, [{ addressType: "InCharge", contactIds: [2129017191] }]);

  const article = articleAt(project.items, 0);
  t.match(article, {
    id: "d538fd88-ed4a-4421-b140-cf75c07c8ab8",
    articleKind: "article",
    manufacturerId: "ACTIFORCE",
    seriesId: "STEELFORCE",
    baseArticleNumber: "ETH430_NOMETA",
    finalArticleNumber: "ETH430000011EU-A",
    useFinalArticleNumber: true,
    variantCode: "ETH430000011EU-A@ral_9005 1380 670 740 R",
    quantity: { value: "1", unit: "C62" },
  });
  t.same(article.productPrices, [
    { side: "purchase", base: { value: "419.0", currency: "EUR" } },
    { side: "sales", base: { value: "419.0", currency: "EUR" } },
  ]);
  t.same(
    article.productDescription.shortText?.map(({ lang }) => lang),
    ["de", "en"],
  );
  t.equal(article.descriptionMode, undefined, "its short text is printed too");
  t.equal(article.productDescription.longText?.[1]?.value.split("\n").length, 3);
  t.equal(article.features.filter(({ visible }) => visible).length, 5);
  t.same(
    project.manufacturers?.["ACTIFORCE"]?.name.map(({ lang }) => lang),
    ["und", "de", "en"],
  );

  const [image] = article.images ?? [];
  const asset = project.assets?.[image?.asset ?? ""];
  t.match(asset, {
    mediaType: "image/jpeg",
    width: 512,
    height: 512,
    attributes: { zoom: "30.0", bgColor: "[1.0, 1.0, 1.0]" },
  });
  const pixels = await sharp(Buffer.from(asset?.base64 ?? "", "base64")).metadata();
  t.match(pixels, { format: "jpeg", width: 512, height: 512 });

  t.same(
    project.views?.map(({ name, showTexts }) => [name, showTexts]),
    [
      ["Standard", false],
      ["WBK-Standard", true],
    ],
  );
  t.same(project.views?.[0]?.items, [
    { id: "b97e64d1-6611-4800-9ae5-f20ee05acb22", basketItemIds: [article.id], positionNumber: "1" },
  ]);
  const [procedure] = project.procedures ?? [];
  t.match(procedure, { name: "STDB2B_WBK", halfWay: "even" });
  const line = (level: number) => procedure?.lines.find((each) => each.level === level);
  t.match(line(210), { conditionType: "DIP10", from: 200, tags: ["DISCOUNT"], accessMethod: "DIP10" });
  t.match(line(605), { parent: 400 });
  t.match(line(720), { parent: 500, from: 30, subtotalType: "PMQ", tags: ["MARGIN_QTY"] });
  t.match(line(530), { kind: "subtotal", printControl: "HeaderAlways", tags: ["FINAL_VALUE"] });
  const type = (name: string) => procedure?.conditionTypes.find((each) => each.name === name);
  t.match(type("VAT01"), { conditionClass: "tax", taxType: "VAT", roundAt: "aggregate", rule: "percent" });
  t.match(type("HDIP00"), { group: true, header: true, distributeResidue: true });
  t.equal(project.conditions, undefined, "slots without data are no conditions");
});

t.test("a real OBX", { skip: withoutSamples }, async (t) => {
  const { project, warnings } = await readObx(await readFile(join(samples, "one-article.obx")));
  t.same(warnings, []);
  t.match(project.settings, { currency: "EUR", languages: ["en", "de", "es", "fr", "it", "nl"] });
  const article = articleAt(project.items, 0);
  t.match(article, { finalArticleNumber: "VLTSB5DCBC1111I", updateState: "Unknown", manufacturerId: "CBV" });
  t.same(
    project.manufacturers?.["CBV"]?.name,
    [{ lang: "und", value: "Company BV" }],
    "two blanks are no language",
  );
  t.equal(article.features.length, 15);
  t.same(article.features[7]?.valueText, article.features[5]?.valueText, "a text that is referred to");
  t.equal(article.features[7]?.valueText[0]?.value, "Double extension down (pole mounted)");
  const sales = article.productPrices.find(({ side }) => side === "sales");
  const components = sales?.components ?? [];
  t.same(
    components.map(({ amount }) => amount.value),
    ["65", "140", "10", "80", "10", "80", "10", "80", "10", "10"],
  );
  const total = components.reduce((sum, { amount }) => sum + Number(amount.value), Number(sales?.base.value));
  t.equal(total, 495, "shares in percent are parts of the price");
  t.match(article.productPrices.find(({ side }) => side === "purchase")?.base, {
    value: "495.0",
    currency: "EUR",
  });
});

t.test("the demo project", async (t) => {
  const project = await demo();

  await t.test("is what the generator makes", async (t) => {
    const folder = t.testdir();
    await promisify(execFile)(process.execPath, [testProgram("config/generate-demo"), folder], {
      cwd: root,
    });
    const made: ProjectDocument = JSON.parse(await readFile(join(folder, "demo-project.json"), "utf8"));
    const withoutPictures = (each: ProjectDocument) => ({ ...each, assets: Object.keys(each.assets ?? {}) });
    t.same(withoutPictures(made), withoutPictures(project));
    for (const [uri, asset] of Object.entries(project.assets ?? {})) {
      const pixels = (base64: string | undefined) =>
        sharp(Buffer.from(base64 ?? "", "base64"))
          .raw()
          .toBuffer();
      const [kept, drawn] = await Promise.all([pixels(asset.base64), pixels(made.assets?.[uri]?.base64)]);
      const difference = kept.reduce((sum, value, index) => sum + Math.abs(value - (drawn[index] ?? 255)), 0);
      t.ok(difference / kept.length < 2, `${uri} shows what is drawn`);
    }
    const file = (path: string, name: string) => readFile(join(path, name));
    const committed = join(root, "config/demo");
    t.ok((await file(folder, "demo-project.obx")).equals(await file(committed, "demo-project.obx")));
    const [obk, madeObk] = await Promise.all(
      [committed, folder].map(async (path) => readObk(await file(path, "demo-project.obk"))),
    );
    t.ok(obk && madeObk);
    if (obk && madeObk) t.same(withoutPictures(madeObk.project), withoutPictures(obk.project));
    t.same(obk?.project.assets, project.assets, "the OBK holds the pictures of the JSON");
  });

  await t.test("has everything that a quote can have", async (t) => {
    const all = (items: readonly Item[]): Item[] =>
      items.flatMap((item) => [item, ...(item.type === "text" ? [] : all(item.children ?? []))]);
    const items = all(project.items);
    const kinds = new Set(items.map(({ type }) => type));
    t.same([...kinds].sort(), ["article", "folder", "setArticle", "text", "userArticle"]);
    t.equal(Object.keys(project.manufacturers ?? {}).length, 3);
    t.ok(
      items.some(
        (item) => item.type === "article" && item.articleKind === "aggregate" && item.children?.length,
      ),
    );
    t.same(
      new Set(
        items.flatMap((item) => ("inactive" in item ? (item.inactive ?? []).map(({ kind }) => kind) : [])),
      ),
      new Set(["alternative", "optional"]),
    );
    t.ok(items.some((item) => "taxCategories" in item && item.taxCategories?.["VAT"] === "reduced_rate"));
    t.ok(
      project.conditions?.some(({ itemId }) => itemId === undefined),
      "a header discount",
    );
    for (const item of items) {
      if (!("images" in item)) continue;
      for (const { asset } of item.images ?? []) t.ok(project.assets?.[asset], `${asset} is there`);
    }
  });

  await t.test("survives OBK and back", async (t) => {
    const { project: read, warnings } = await readObk(await writeObk(project));
    t.same(warnings, []);
    t.same(read, project, "also without the procedure that its conditions are for");
    const brought = await readObk(await readFile(join(root, "config/demo/demo-project.obk")));
    t.same(brought.warnings, []);
    const { procedures, ...rest } = brought.project;
    t.same(rest, project);
    const standard = JSON.parse(await readFile(join(root, "config/procedures/STDB2B_WBK.json"), "utf8"));
    t.same(procedures, [standard], "the procedure of the host");
  });

  await t.test("gives the same bytes every time", async (t) => {
    const [first, second] = await Promise.all([writeObk(project), writeObk(structuredClone(project))]);
    t.ok(Buffer.from(first).equals(second));
  });

  await t.test("survives OBX and back, as far as it goes", async (t) => {
    const { project: read, warnings } = await readObx(bytes(writeObx(project)));
    t.same(warnings, []);
    t.same(read.items, project.items);
    t.same(read.manufacturers, project.manufacturers);
    t.match(read.settings, { currency: "EUR", languages: ["en", "de"] });
  });
});

/** The demo, and the real files as projects. */
async function projects(): Promise<[name: string, project: ProjectDocument][]> {
  const file = (name: string) => readFile(join(samples, name));
  const real: [string, ProjectDocument][] = withoutSamples
    ? []
    : [
        ["real OBK", (await readObk(await file("one-article-with-contact.obk"))).project],
        ["real OBX", (await readObx(await file("one-article.obx"))).project],
      ];
  const brought = await readObk(await readFile(join(root, "config/demo/demo-project.obk")));
  return [["demo", await demo()], ["demo OBK", brought.project], ...real];
}

/** Without what an OBX has no place for: properties and planning data of articles, quantities that a price is per. */
function asObxCarries(item: Item): Item {
  const copy = structuredClone(item);
  if (copy.type === "article") {
    delete copy.properties;
    delete copy.planning;
  }
  if (copy.type === "article" || copy.type === "userArticle") {
    for (const price of copy.productPrices) delete price.perQuantity;
  }
  if (copy.type !== "text" && copy.children) copy.children = copy.children.map(asObxCarries);
  return copy;
}

t.test("an OBX says what its items say, however they came", async (t) => {
  for (const [name, project] of await projects()) {
    const { project: read, warnings } = await readObx(bytes(writeObx(project)));
    t.same(warnings, [], name);
    t.same(read.items, project.items.map(asObxCarries), `${name}: the items`);
    t.same(read.manufacturers, project.manufacturers, `${name}: names of manufacturers and series`);
    t.equal(writeObx(read), writeObx(project), `${name}: written again it is the same file`);
  }
  const project = await demo();
  const article = [...walkItems(project.items)].find(({ type }) => type === "article");
  if (article?.type !== "article") throw new Error("the demo has articles");
  article.properties = [{ className: "C", name: "P", value: "1" }];
  article.planning = { roomId: "R" };
  for (const price of article.productPrices) price.perQuantity = { value: "10", unit: "C62" };
  const { project: read } = await readObx(bytes(writeObx(project)));
  t.same(read.items, project.items.map(asObxCarries), "and what it cannot say is left out");
});

t.test("any text in an item comes back from an OBX", async (t) => {
  const allowed = (text: string): string =>
    text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");
  const unit = fc.oneof(
    fc.constantFrom("]]>", "&", "<", "&amp;", "&nbsp;", "\r", "\n", "\t", "\u0000", "\ufffe", "\ud800", "🪑"),
    fc.string({ unit: "binary", maxLength: 4 }),
  );
  const anyText = fc.array(unit, { minLength: 1, maxLength: 8 }).map((parts) => `x${parts.join("")}`);
  const whole = await demo();
  const property = fc.asyncProperty(anyText, anyText, async (text, code) => {
    const texts = [{ lang: "en", value: text }];
    const item: Item = {
      type: "userArticle",
      id: "11111111-1111-4111-8111-111111111111",
      quantity: { value: "1", unit: "C62" },
      manufacturerId: code,
      articleNumber: code,
      userDescription: { shortText: texts },
      customTexts: [{ id: "@add", visible: true, text: texts }],
      productPrices: [],
    };
    const { project, warnings } = await readObx(bytes(writeObx({ ...whole, items: [item] })));
    const kept = [{ lang: "en", value: allowed(text) }];
    const expected = {
      ...item,
      manufacturerId: allowed(code),
      articleNumber: allowed(code),
      userDescription: { shortText: kept },
      customTexts: [{ id: "@add", visible: true, text: kept }],
    };
    return warnings.length === 0 && isDeepStrictEqual(project.items, [expected]);
  });
  await t.resolves(fc.assert(property, { numRuns: 40, seed: 20_261_121 }));
});

t.test("both XML writers give the same OBX", async (t) => {
  for (const [name, project] of await projects()) {
    const [streaming, building] = [new StreamingXmlWriter(), new DocumentXmlWriter()];
    writeObxInto(streaming, project);
    writeObxInto(building, project);
    const canonical = canonicalXml(building.text());
    t.equal(canonicalXml(streaming.take()), canonical, name);
    const withoutIndentation = writeObx(project).replace(/>\n *</g, "><");
    t.equal(canonicalXml(withoutIndentation), canonical, `${name}: the file differs in its indentation only`);
  }
});

t.test("a large OBX is made in parts, as they are asked for", async (t) => {
  const project = await demo();
  const [first] = [...walkItems(project.items)].filter(isPosition);
  if (!first) throw new Error("the demo has articles");
  const children = Array.from({ length: 200 }, (_, index) => ({
    ...first,
    id: `11111111-1111-4111-8111-${String(index).padStart(12, "0")}`,
  }));
  const large: ProjectDocument = {
    ...project,
    items: [{ type: "folder", id: "22222222-2222-4222-8222-222222222222", name: [], children }],
  };
  const parts = [...streamObx(large)];
  t.equal(parts.join(""), writeObx(large));
  t.ok(parts.length > 10);
  const lengths = parts.slice(0, -1).map(({ length }) => length);
  t.ok(Math.min(...lengths) >= 65_536 && Math.max(...lengths) < 100_000, "of about 64 KB");

  let asked = 0;
  const include = (): boolean => {
    asked += 1;
    return true;
  };
  const counted = streamObx(large, { include });
  counted.next();
  t.ok(
    asked > 1 && asked < 100,
    "the first part needs the first items only, although they are in one folder",
  );
});

t.test("an OBX of some items", async (t) => {
  const project = await demo();
  const shape = (items: readonly Item[]): unknown[] =>
    items.map((item) => [item.type, item.id, ...shape(childrenOf(item))]);
  const readShape = async (options: ObxOptions): Promise<unknown[]> => {
    const { project: read, warnings } = await readObx(bytes(writeObx(project, options)));
    t.same(warnings, []);
    return shape(read.items);
  };
  const lifted = (items: readonly Item[]): Item[] =>
    items.flatMap((item) => (item.type === "folder" ? lifted(item.children) : [item]));
  t.same(await readShape({}), shape(project.items));
  t.same(await readShape({ folders: true }), shape(project.items));
  t.same(
    await readShape({ folders: false }),
    shape(lifted(project.items)),
    "contents take the place of folders",
  );
  t.same(await readShape({ include: ({ type }) => type !== "folder" }), shape(lifted(project.items)));
  t.same(await readShape({ include: () => false }), []);

  const asked: Item["type"][] = [];
  const types = await readShape({
    folders: false,
    include: (item) => {
      asked.push(item.type);
      return item.type !== "setArticle" && item.type !== "text";
    },
  });
  t.notOk(asked.includes("folder"), "folders that are left out anyway are not asked for");
  const kept = lifted(project.items).filter(({ type }) => type !== "setArticle" && type !== "text");
  t.same(types, shape(kept), "a set takes its parts with it");

  const composite = [...walkItems(project.items)].find(
    (item) => item.type === "article" && item.children !== undefined,
  );
  if (composite?.type !== "article") throw new Error("the demo has a composite article");
  const [part, ...others] = childrenOf(composite);
  if (part?.type !== "article") throw new Error("its first part is an article");
  const isWanted = ({ id }: Item): boolean => id === composite.id || id === part.id;
  t.same(await readShape({ include: isWanted }), [["article", composite.id, ["article", part.id]]]);
  t.ok(others.length > 0);

  const flat: ProjectDocument = { ...project, items: [{ ...composite, children: [] }, part] };
  t.match(writeObx(flat), /<mainItem /);
  const withoutMain = writeObx(flat, { include: ({ id }) => id === part.id });
  t.notMatch(withoutMain, /<mainItem /, "nothing refers to an article that is left out");

  const names = ({ id, type }: Item): boolean => type === "folder" || id === part.id;
  const { project: read } = await readObx(bytes(writeObx(flat, { include: names })));
  const maker = part.manufacturerId;
  t.same(
    read.manufacturers?.[maker]?.name,
    project.manufacturers?.[maker]?.name,
    "names stand with the first article that is written",
  );
});

t.test("the OBX of one article, for embedding", async (t) => {
  const project = await demo();
  for (const item of [...walkItems(project.items)].filter(isPosition)) {
    item.quantity.value = "7";
    item.userDescription = { ...item.userDescription, longText: [{ lang: "en", value: "by the user ]]>" }] };
    const fragment = writeObxArticle(project, item);
    t.match(fragment, /^<cutBuffer><versionInfo /, "no XML declaration");
    t.notMatch(fragment, /\]\]>|<!\[CDATA\[|<quantity|<itemPrice|<exclOffer|<userDescription|\n</);
    const { project: read, warnings } = await readObx(bytes(fragment));
    t.same(warnings, [], "nothing refers to what is not in it");
    const found = [...walkItems(read.items)];
    t.same(
      found.map(({ type, id }) => [type, id]),
      [...walkItems([item])].map(({ type, id }) => [type, id]),
      "with its parts",
    );
    const [first] = read.items;
    if (!first || !isPosition(first)) throw new Error("the article is there");
    t.equal(first.quantity.value, "1");
    if (first.type === "article" && item.type === "article") {
      const { variantCode, features, productDescription, classifications, packaging } = item;
      t.match(first, {
        productPrices: [],
        variantCode,
        features,
        productDescription,
        classifications,
        packaging,
      });
      t.equal(first.userDescription, undefined);
      t.same(
        read.manufacturers?.[item.manufacturerId]?.name,
        project.manufacturers?.[item.manufacturerId]?.name,
      );
    }
    if (first.type === "userArticle") t.same(first.userDescription, item.userDescription, "its own texts");
    t.equal(writeObxArticle(project, item), fragment, "whatever was written before");
  }
});

t.test("texts and codes", async (t) => {
  const odd = `  two  blanks\u00a0& <tags> "quotes" 'single' &amp; &lt; ]]> %\tTab\r\nlines\n 家具 🪑 é\u0301 \u05db\u05d9\u05e1\u05d0`;
  const project = await demo();
  const [first] = project.items;
  if (first?.type !== "folder") throw new Error("the demo begins with a folder");
  const chair = articleAt(first.children, 2);
  chair.productDescription.longText = [{ lang: "und", value: odd }];
  chair.variantCode = "A  B   C";
  chair.features = [
    {
      name: odd.replace(/\s/g, " "),
      value: "x\ny",
      nameText: [{ lang: "de_DE", value: odd }],
      valueText: [],
      visible: false,
    },
  ];
  chair.customTexts = [{ id: "@add", visible: false, text: [{ lang: "en", value: odd, format: "html" }] }];
  project.header.name = odd;
  project.header.headerText = [{ lang: "ja", value: "見積書\n2行目" }];
  for (const [form, read] of [
    ["OBX", (await readObx(bytes(writeObx(project)))).project],
    ["OBK", (await readObk(await writeObk(project))).project],
  ] as const) {
    const folder = read.items[0];
    t.same(folder?.type === "folder" && folder.children[2], chair, `unchanged through ${form}`);
    if (form === "OBK") t.same([read.header.name, read.header.headerText], [odd, project.header.headerText]);
  }
  chair.variantCode = "a\u0001b\ufffec";
  t.match(writeObx(project), />abc</, "what XML cannot hold is left out");

  const utf16 = Buffer.from(
    `\ufeff${inBuffer("<bskText><label lang='de'>Größe</label></bskText>")}`,
    "utf16le",
  );
  t.match((await readObx(utf16)).project.items, [{ type: "text", text: [{ lang: "de", value: "Größe" }] }]);
  const latin = Buffer.from(
    `<?xml version="1.0" encoding="ISO-8859-1"?><cutBuffer><items><bskText><label>Größe</label></bskText></items></cutBuffer>`,
    "latin1",
  );
  t.match((await readObx(latin)).project.items, [{ text: [{ lang: "und", value: "Größe" }] }]);
  const wrong = Buffer.concat([
    bytes("<cutBuffer><items><bskText><label>"),
    Buffer.from([0xff, 0xfe]),
    bytes("</label></bskText></items></cutBuffer>"),
  ]);
  t.match((await readObx(wrong)).warnings, [{ message: /2 characters could not be decoded/ }]);
});

t.test("what items can say", async (t) => {
  const { project, warnings } = await readObx(
    bytes(
      inBuffer(`
<bskArticle basketId='11111111-1111-4111-8111-111111111111' itemType='BasketAggregate'>
  <manufacturer id='M'><name lang='  '>Maker</name><name lang='und'>Second</name></manufacturer>
  <series id='S'><name>Series</name></series>
  <artNr type='base'>B  1</artNr><artNr type='final'>B1</artNr>
  <quantity count='2.'/>
  <itemPrice type='purchase' pd='1' override='1' currency='GBP' value='1.0'/>
  <itemPrice type='sale' currency='GBP' value='9.0'/>
  <itemPrice type='sale' pd='1' currency='EUR' value='110.50'/>
  <itemPriceComponents type='sale'>
    <itemPriceComponent currency='%' value='10'><name lang='en'>Cover</name></itemPriceComponent>
    <itemPriceComponent currency='EUR' value='20.00' name='Arms'/>
    <itemPriceComponent currency='USD' value='5'><name>Lost</name></itemPriceComponent>
  </itemPriceComponents>
  <exclOffers><exclOffer optional='1' ppName='X'/><exclOffer/></exclOffers>
  <taxInfos><taxInfo type='VAT' category='reduced_rate'/></taxInfos>
  <packInfos><packInfo key='netWeight' value='3.5'/><packInfo key='width' value='3'/></packInfos>
</bskArticle>
<bskArticle basketId='22222222-2222-4222-8222-222222222222'>
  <manufacturer id='M'/><series id='S'/><artNr type='base'>P</artNr>
  <mainItem id='11111111-1111-4111-8111-111111111111'/>
</bskArticle>
<bskArticle basketId='22222222-2222-4222-8222-222222222222' itemType='Strange'><artNr type='base'>Q</artNr></bskArticle>
<usrArticle><artNr type='base'>U</artNr><description type='short'><text>Mine</text></description>
  <itemPrice type='sale' currency='EUR' value='12'/></usrArticle>
<setArticle><bskArticle basketId='33333333-3333-4333-8333-333333333333'><artNr type='base'>R</artNr></bskArticle></setArticle>`),
    ),
  );
  const main = articleAt(project.items, 0);
  t.match(main, { quantity: { value: "2" }, baseArticleNumber: "B  1", useFinalArticleNumber: false });
  t.same(main.productPrices, [
    {
      side: "sales",
      base: { value: "79.45", currency: "EUR" },
      components: [
        {
          label: [{ lang: "en", value: "Cover" }],
          amount: { kind: "money", value: "11.05", currency: "EUR" },
        },
        {
          label: [{ lang: "und", value: "Arms" }],
          amount: { kind: "money", value: "20.00", currency: "EUR" },
        },
      ],
    },
  ]);
  t.same(main.inactive, [{ scheme: "X", kind: "optional" }, { kind: "alternative" }]);
  t.same(main.taxCategories, { VAT: "reduced_rate" });
  t.same(main.packaging, { netWeight: { value: "3.5", unit: "KGM" } });
  t.same(project.manufacturers, {
    M: { name: [{ lang: "und", value: "Maker" }], series: { S: [{ lang: "und", value: "Series" }] } },
    "": { name: [], series: { "": [] } },
  });
  t.match(
    main.children,
    [{ baseArticleNumber: "P", mainArticleId: main.id }],
    "a flat sub-article finds its place",
  );
  t.equal(project.items.length, 4);
  t.not(articleAt(project.items, 1).id, "22222222-2222-4222-8222-222222222222", "ids occur once");
  t.match(project.items[2], {
    type: "userArticle",
    articleNumber: "U",
    productPrices: [{ base: { value: "12" } }],
  });
  const set = project.items[3];
  t.match(set, { type: "setArticle", children: [{ setArticleId: set?.id }] });
  t.match(
    warnings.map(({ message }) => message).sort(),
    [
      'the item type "Strange" is read as BasketArticle',
      "skipped: a length without a unit",
      "skipped: no exchange rate from USD to EUR for a price component",
      "the id of an earlier item; it gets another one",
    ].sort(),
  );
});

t.test("ids that every object inherits are ids like any other", async (t) => {
  for (const id of ["__proto__", "constructor", "toString"]) {
    const file = inBuffer(`<bskArticle><manufacturer id='${id}'><name>Maker</name></manufacturer>
<series id='${id}'><name>Line</name></series><artNr type='base'>A</artNr>
<itemPrice type='sale' pd='1' currency='EUR' value='9'/>
<itemPriceComponents type='sale'><itemPriceComponent currency='${id}' value='1'/></itemPriceComponents>
<taxInfos><taxInfo type='${id}' category='none'/></taxInfos></bskArticle>
<bskArticle><manufacturer id='${id}'/><series id='${id}'/><artNr type='base'>B</artNr></bskArticle>`);
    const { project, warnings } = await readObx(bytes(file));
    t.match(warnings, [{ message: /no exchange rate from/ }], id);
    const line = Object.entries(project.manufacturers?.[id]?.series ?? {});
    t.same(line, [[id, [{ lang: "und", value: "Line" }]]], "the series has its name");
    t.same(Object.keys(articleAt(project.items, 0).taxCategories ?? {}), [id]);
    t.same((await readObx(bytes(writeObx(project)))).project.items, project.items, "written and read again");
  }
});

t.test("a basket with discounts, taxes and merged view items", async (t) => {
  const item = "44444444-4444-4444-8444-444444444444";
  const basket = `<basket>
<config><currency unit='CHF'/><taxScheme id='CH'><taxType id='VAT' unit='%'><taxCategory id='standard_rate' rate='8.1'/>
<taxCategory id='reduced_rate' rate='2.6'/></taxType></taxScheme></config>
<topFolder><bskArticle basketId='${item}'><artNr type='base'>X</artNr>
<itemPrice type='sale' pd='1' currency='CHF' value='99.0'/>
<images><image tag='default'>gen:55555555-5555-4555-8555-555555555555</image></images></bskArticle></topFolder>
<docCalculation.2><priceProc name='P' halfWayRndMode='HalfUp'>
<condType name='BASE' accMethod='BPR00' condClass='Price' calcRule='Quantity'/>
<condType name='VAR' accMethod='VAPR00' condClass='PriceModifier' calcRule='Quantity'/>
<condType name='D' condClass='PriceModifier' calcRule='Percent'/>
<condType name='H' condClass='PriceModifier' calcRule='Percent'><condTypeFlag value='GroupCondition'/></condType>
<condType name='T' accMethod='TAX01_VAT' condClass='Tax' calcRule='Percent'/>
<condType name='ODD' condClass='Unheard' calcRule='Percent'/>
<ppLevel number='10'><ppLine counter='0' lineType='Condition' insertMode='Auto' condType='BASE'/></ppLevel>
<ppLevel number='20'><ppLine counter='0' lineType='Condition' insertMode='Auto' condType='VAR'/></ppLevel>
<ppLevel number='30'><ppLine counter='0' lineType='Condition' insertMode='Manual' condType='D'/></ppLevel>
<ppLevel number='40'><ppLine counter='0' lineType='Condition' insertMode='Always' condType='H'/></ppLevel>
<ppLevel number='50'><ppLine counter='0' lineType='Condition' insertMode='Auto' condType='T'/></ppLevel>
</priceProc>
<condRecords>
<condRecord id='0'><amount type='money' currency='CHF' value='90.'/><qtyRel value='10' unit='C62'/></condRecord>
<condRecord id='1'><description>Arms</description><amount type='money' currency='CHF' value='9'/></condRecord>
<condRecord id='2'><amount type='percentage' value='2.6'/></condRecord>
<condRecord id='3'><amount type='percentage' value='-5.0'/></condRecord>
<condRecord id='4'><amount type='percentage' value='-2.0'/></condRecord>
</condRecords>
<condGroups><condGroup id='0' condType='H'><groupKey level='40' counter='0'/></condGroup></condGroups>
<itemCalculations><itemCalculation id='${item}'><calcLines>
<itemCondition level='10' counter='0' condRecord='0'/><itemCondition level='20' counter='1' condRecord='1'/>
<itemCondition level='30' counter='0' condRecord='3'/><itemCondition level='40' counter='0' condGroup='0' condRecord='4'/>
<itemCondition level='50' counter='0' condRecord='2'/>
<itemCondition level='30' counter='0' condRecord='4'><inactiveFlag value='NoData'/></itemCondition>
</calcLines></itemCalculation></itemCalculations></docCalculation.2>
<view id='66666666-6666-4666-8666-666666666666' name='Old'/>
<view.4 id='66666666-6666-4666-8666-666666666666' name='New'><viewConfig><displayMode mode='1' mergeMode='3' setArticleMode='2'/></viewConfig>
<folder viewId='77777777-7777-4777-8777-777777777777'><mergedArticle viewId='88888888-8888-4888-8888-888888888888'>
<basketItem id='${item}'/><basketItem id='11111111-1111-4111-8111-111111111111'/><posNr value='3'/></mergedArticle></folder></view.4>
</basket>`;
  const { project, warnings } = await readObk(await smallObk(basket));
  t.same(articleAt(project.items, 0).productPrices, [
    {
      side: "sales",
      base: { value: "90", currency: "CHF" },
      perQuantity: { value: "10", unit: "C62" },
      components: [
        { label: [{ lang: "und", value: "Arms" }], amount: { kind: "money", value: "9", currency: "CHF" } },
      ],
    },
  ]);
  t.same(
    articleAt(project.items, 0).taxCategories,
    { VAT: "reduced_rate" },
    "the category follows from the rate",
  );
  t.same(project.conditions, [
    { scheme: "P", itemId: item, level: 30, counter: 0, amount: { kind: "percentage", value: "-5.0" } },
    { scheme: "P", level: 40, counter: 0, amount: { kind: "percentage", value: "-2.0" } },
  ]);
  t.match(project.views, [
    { name: "New", displayMode: "sorted", mergeMode: "Compact", setArticleMode: "Dynamic" },
  ]);
  t.match(project.views?.[0]?.items, [{ positionNumber: "3", basketItemIds: [item] }]);
  t.match(warnings, [
    { path: /condType\[6\]$/, message: /unknown class/ },
    { path: /mergedArticle$/, message: /names an item that is not in the file/ },
    { message: /picture gen:.* is not in the file/ },
  ]);
});

t.test("the header of older files", async (t) => {
  const header = `<metainf lang='de' languages='en de' projState='in-progress'><createDate date='x' utc='yesterday'/>
<settings><projectData projDate='2026-02-30'><name>N</name></projectData>
<customerData><customerNumber>77</customerNumber><firstName>Ada</firstName><lastName>Byron</lastName><company>Engines</company>
<streetAddr>Mill 1</streetAddr><city>Leeds</city><postalCode>LS1</postalCode><EmailAddr>ada@engines.example</EmailAddr></customerData>
<appData><application key='W-BK'><node key='report'><node key='templateConfig'><node key='quote'>{"basketViewId":"v"}</node></node></node></application></appData>
<addresses><address type='nowhere'/></addresses></settings></metainf>`;
  const { project, warnings } = await readObk(await smallObk(smallBasket, header));
  t.same(project.settings.languages, ["de", "en"]);
  t.same(project.header, { name: "N", state: "InProgress", customerNumber: "77", company: "Engines" });
  t.match(project.addresses, [
    { addressType: "SoldTo", name1: "Engines", street: "Mill 1", postalCode: "LS1", contactIds: [1] },
  ]);
  t.match(project.contacts, [{ id: 1, firstName: "Ada", lastName: "Byron" }]);
  t.same(project.appData, { "W-BK": { "report/templateConfig/quote": { basketViewId: "v" } } });
  t.match(warnings, [{ path: "metainf/settings/addresses/address", message: /unknown type/, line: 6 }]);
});

t.test(
  "what is unknown is kept in items; elsewhere it is skipped with one warning for all of its kind",
  async (t) => {
    const article = (id: number): string =>
      `<bskArticle colour='red'><artNr type='base'>${id}</artNr><gadget size='1'><artNr>no</artNr></gadget></bskArticle>`;
    const file = inBuffer([1, 2, 3].map(article).join("\n")).replace(
      "<cutBuffer>",
      "<cutBuffer xmlns:x='urn:x' colour='red'><gadget/><gadget/>",
    );
    const { project, warnings } = await readObx(bytes(file));
    t.equal(project.items.length, 3);
    t.same(warnings, [
      {
        path: "cutBuffer/@colour",
        message: "skipped: this attribute is unknown",
        line: 2,
      },
      {
        path: "cutBuffer/gadget",
        message: "skipped: this element is unknown",
        line: 2,
        count: 2,
      },
    ]);
    t.same(articleAt(project.items, 2).kept, {
      attributes: { colour: "red" },
      elements: [
        { name: "gadget", attributes: { size: "1" } },
        { name: "artNr", level: 1, text: "no" },
      ],
    });
    t.same((await readObx(bytes(file))).project, project, "ids that are made up are the same every time");
  },
);

t.test("broken XML is refused with its place", async (t) => {
  const cases: [name: string, file: string, expected: RegExp][] = [
    ["cut off", inBuffer("<bskArticle>").slice(0, -25), /line \d+, column \d+: .*unclosed tag/],
    ["mismatched tags", inBuffer("<bskArticle></setArticle>"), /line 4, column 26: unexpected close tag/],
    [
      "document type",
      `<!DOCTYPE cutBuffer><cutBuffer/>`,
      /line 1, column \d+: a document type declaration is not allowed/,
    ],
    [
      "entity bomb",
      `<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><cutBuffer>&c;</cutBuffer>`,
      /document type/,
    ],
    ["undefined entity", inBuffer("&nbsp;"), /line 4, column \d+: undefined entity/],
    [
      "two equal attributes",
      inBuffer("<bskArticle a='1' a='2'/>"),
      /line 4, column \d+: duplicate attribute/,
    ],
    ["control character", inBuffer("\u0001"), /line 4, column \d+: disallowed character/],
    ["nesting", `<cutBuffer>${"<items>".repeat(70)}`, /nested deeper than 64 levels/],
    ["other root", "<html/>", /line 1, column \d+: its root element must be "cutBuffer", but is "html"/],
    ["nothing", "", /root/],
    ["no XML", "PK\u0003\u0004", /line 1, column \d+/],
    [
      "unknown encoding",
      `<?xml version="1.0" encoding="klingon"?><cutBuffer/>`,
      /encoding "klingon" is unknown/,
    ],
    [
      "no number",
      inBuffer("<bskArticle>\n<itemPrice type='sale' pd='1' currency='EUR' value='abc'/></bskArticle>"),
      /line 5, column \d+: cutBuffer\/items\/bskArticle\/itemPrice: "abc" in value is not a decimal number/,
    ],
    [
      "too long",
      inBuffer(`<bskArticle><artNr type='base'>${"9".repeat(5000)}</artNr></bskArticle>`),
      /baseArticleNumber/,
    ],
  ];
  for (const [name, file, expected] of cases) {
    const error = await refusal(readObx(bytes(file)));
    t.match(
      error.toObject(),
      { code: 400, id: "request-bad-request", type: "request", message: expected },
      name,
    );
  }
  const inEntry = await refusal(readObk(await smallObk("<basket>\n<config></basket>")));
  t.match(inEntry.toObject(), {
    message: /entry 1\.bsk, line 2, column 18: unexpected close tag/,
    additionalInformation: { entry: "1.bsk", line: 2, column: 18 },
  });
  const whole = bytes(writeObx(await demo()));
  for (let part = 1; part < 40; part += 1) {
    const error = await refusal(readObx(whole.subarray(0, Math.floor((whole.length * part) / 40))));
    t.equal(error.code, 400);
  }
});

t.test("a damaged or hostile container is refused", async (t) => {
  const message = async (file: Uint8Array): Promise<string> => {
    const error = await refusal(readObk(file));
    t.match(error.toObject(), { code: 400, id: "request-bad-request" });
    return error.message;
  };
  const good = await smallObk();
  t.match(await readObk(good), { project: { items: [] }, warnings: [] });
  t.match(await message(Buffer.from("no zip")), /damaged or not a ZIP file/);
  t.match(await message(Buffer.alloc(0)), /damaged or not a ZIP file/);
  t.match(await message(await zip([["1.bsk", smallBasket]])), /entry metainf\.xml: this entry is missing/);
  t.match(await message(await zip([["metainf.xml", smallHeader]])), /entry 1\.bsk: this entry is missing/);
  for (let length = 0; length < good.length; length += 16) await message(good.subarray(0, length));

  const flipped = Buffer.from(good);
  flipped.fill(0xaa, 40, 60);
  t.match(await message(flipped), /entry 1\.bsk: the entry is damaged/);

  const bomb = await smallObk(`<basket>${" ".repeat(3_000_000)}</basket>`);
  t.ok(bomb.length < 10_000);
  t.match(
    await message(bomb),
    /entry 1\.bsk: the content is 3000017 bytes from \d+, a ratio above the limit/,
  );

  const lying = Buffer.from(await smallObk(`<basket>${" ".repeat(900_000)}</basket>`));
  const directory = lying.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
  lying.writeUInt32LE(10, directory + 24);
  t.match(await message(lying), /entry 1\.bsk: the entry is damaged: .*too many bytes/);
  lying.writeUInt32LE(200 * 1024 * 1024, directory + 24);
  t.match(await message(lying), /entry 1\.bsk: the content is too large/);

  const many = Buffer.from(good);
  const end = many.indexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  for (const place of [8, 10]) many.writeUInt16LE(20_001, end + place);
  t.match(await message(many), /more than 20000 entries/);

  const twice = await zip([
    ["1.bsk", smallBasket],
    ["1.bsk", smallBasket],
    ["metainf.xml", smallHeader],
  ]);
  t.match(await message(twice), /entry 1\.bsk: two entries have this name/);

  for (const trick of ["../x.bsk", "/etc/x.x", "C:/x.bsk", "a\\..\\b.x", "x\u0000.bskk"]) {
    const file = await zip([
      ["1.bsk", smallBasket],
      ["metainf.xml", smallHeader],
      ["harmless", "content"],
    ]);
    const renamed = Buffer.from(file.toString("latin1").replaceAll("harmless", trick), "latin1");
    t.match(await message(renamed), /damaged|control characters/, JSON.stringify(trick));
  }
});
