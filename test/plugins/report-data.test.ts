/** The data that templates receive: it is what its schema says, and its sums are exact. */
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Exact } from "@slipway/sdk";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import t, { type Test } from "tap";
import { largeProject } from "../bench/pdf/large-project.js";
import { repository, startHost } from "../start-host.js";
import { fullProject as quoteProject } from "../templates/quote-project.js";
import { hostileProject } from "./oex-hostile-project.js";
import { flagProject } from "./oex-project.js";
import { fullProject, fullRequest, listedViewId, writeFullTemplate } from "./report-data-project.js";
import { membersOf, objectsOf, occurringMembers } from "./report-data-schema.js";
import {
  allItems,
  article,
  demoFile,
  id,
  isJson,
  type Json,
  project,
  ReporterClient,
} from "./reporter-client.js";

const templates = await mkdtemp(join(tmpdir(), "slipway-templates-"));
await writeFullTemplate(templates);
const host = await startHost({ templates: [templates] });
t.teardown(async () => {
  await host.stop();
  await rm(templates, { recursive: true, force: true });
});
const client = new ReporterClient(host.url);

const schema = json(await readFile(join(repository, "sdk", "schemas", "report-data.schema.json"), "utf8"));
const ajv = new Ajv2020({ strict: true });
formats.default(ajv);
const validate = ajv.compile(schema);
const occurring = new Set<string>();

function json(text: string): Json {
  const value: unknown = JSON.parse(text);
  if (!isJson(value)) throw new TypeError("no JSON object");
  return value;
}

/** Members of suppressed errors, which are the same in every answer. */
function isOfErrors(name: string): boolean {
  return name.startsWith("ReportData.errors.");
}

/** The answer of data.json. */
async function dataOf(
  opened: Json | Uint8Array<ArrayBuffer>,
  request: Json = {},
  locale = "en_GB",
): Promise<Json> {
  const sessionId = await client.open(opened, locale);
  return client.data({ sessionId, templateKey: "full", ...request });
}

/** Fails with what does not fit. */
function valid(t: Test, data: Json, name: string): void {
  t.ok(validate(data), `${name} fits its schema`, { errors: validate.errors });
  for (const member of occurringMembers(schema, data)) occurring.add(member);
}

function rows(object: unknown, member: string): Json[] {
  const value = isJson(object) ? object[member] : undefined;
  return Array.isArray(value) ? value.filter(isJson) : [];
}

function sum(of: readonly Json[], member: string): Exact {
  return of.reduce((total, each) => total.plus(String(each[member] ?? 0)), new Exact(0));
}

/** What is wrong with the sums of a report; nothing where all are exact. */
function wrongSums({ totals }: Json): string[] {
  if (!isJson(totals)) return ["no totals"];
  const wrong: string[] = [];
  const same = (what: string, got: Exact, wanted: unknown): void => {
    if (!got.eq(String(wanted))) wrong.push(`${what}: ${got} instead of ${wanted}`);
  };
  for (const part of ["byManufacturer", "byFolder"]) {
    const parts = rows(totals, part);
    for (const member of ["positions", "quantity"])
      same(`${part} ${member}`, sum(parts, member), totals[member]);
    same(`${part} net`, sum(parts, "net"), totals["itemNet"]);
    const isZero = new Exact(String(totals["itemNet"])).isZero();
    const shares = parts.filter((each) => each["share"] !== null);
    if (isZero) same(`${part} shares`, new Exact(shares.length), 0);
    else same(`${part} shares`, sum(shares, "share"), 100);
  }
  same("tax", sum(rows(totals, "taxes"), "value"), totals["tax"]);
  same("net", sum(rows(totals, "headerDiscounts"), "value").plus(String(totals["itemNet"])), totals["net"]);
  const steps = ["net", "eco", "tax", "rounding"].map((member) => ({ value: totals[member] }));
  same("total", sum(steps, "value"), totals["total"]);
  return wrong;
}

/** Lines that totals add up where all of the basket is printed as it is nested. */
function countedLines(data: Json): Json[] {
  return allItems(data).filter(
    (item) =>
      item["kind"] === "article" &&
      item["status"] === "active" &&
      item["articleType"] !== "setArticle" &&
      item["isPseudo"] === false,
  );
}

t.test("the schema files say what the code says", (t) => {
  const checked = spawnSync(process.execPath, [join(repository, "sdk", "write-schemas.mjs"), "--check"]);
  t.equal(checked.stderr.toString(), "");
  t.equal(checked.status, 0);
  t.same(
    membersOf(schema).flatMap(({ name, schema: { description } }) =>
      isOfErrors(name) || (typeof description === "string" && description !== "") ? [] : name,
    ),
    [],
    "every member is described",
  );
  t.same(
    [...objectsOf(schema)].flatMap((each) =>
      isOfErrors(each.name) || each.schema["additionalProperties"] === false ? [] : each.name,
    ),
    ["ReportData.options", "ReportData.data", "ReportData.errors"],
    "what is not described is refused",
  );
  t.end();
});

t.test("data of all kinds of projects fit the schema, and their sums are exact", async (t) => {
  const projects: [string, Json | Uint8Array<ArrayBuffer>, Json?][] = [
    ["everything", fullProject(), fullRequest],
    ["one folder of everything", fullProject(), { ...fullRequest, items: [id(10)] }],
    ["a part of everything in another order", fullProject(), { viewId: listedViewId }],
    ["demo.json", await demoFile("json")],
    ["demo.obk", await demoFile("obk")],
    ["demo.obx", await demoFile("obx")],
    ["quote", { ...quoteProject() }],
    ["flags of the export", flagProject()],
    ["hostile", hostileProject()],
    ["300 articles", { ...(await largeProject(300)) }],
    ["a text and nothing else", project([{ type: "text", id: id(1), text: [] }])],
  ];
  for (const [name, content, request] of projects) {
    const data = await dataOf(content, request, name.startsWith("demo") ? "de_DE" : "en_GB");
    valid(t, data, name);
    t.same(wrongSums(data), [], name);
  }
  t.same(
    membersOf(schema).flatMap(({ name }) => (isOfErrors(name) || occurring.has(name) ? [] : name)),
    [],
    "every member of the schema occurs",
  );
  const data = await dataOf(fullProject(), fullRequest);
  t.notOk(validate({ ...data, further: 1 }), "what is not described is refused");
  t.notOk(validate({ ...data, generated: "today" }));
});

t.test("totals tell what each maker and folder contributes", async (t) => {
  const pieces = (value: string, unit = "C62"): Json => ({ quantity: { value, unit } });
  const own = { type: "userArticle", ...pieces("1") };
  const cost = (value: string): Json => ({
    productPrices: [{ side: "sales", base: { value, currency: "EUR" } }],
  });
  const folder = (number: number, name: string, children: Json[]): Json => {
    return { type: "folder", id: id(number), name: [{ lang: "en", value: name }], children };
  };
  const items = [
    folder(10, "Hall", [
      article(1, "10.00"),
      article(2, "10.00", { manufacturerId: "N", inactive: [{ kind: "alternative" }] }),
      folder(11, "Niche", [article(3, "20.00", { manufacturerId: "N", ...pieces("1.5", "MTR") })]),
    ]),
    folder(20, "Office", [
      { type: "setArticle", id: id(21), ...pieces("2"), children: [article(22, "3.33", pieces("3"))] },
    ]),
    folder(30, "Empty", []),
    { ...own, id: id(40), manufacturerName: "Joiner", ...cost("0.02") },
    { ...own, id: id(41), ...cost("30.00") },
  ];
  const manufacturers = { M: { name: [{ lang: "en", value: "Maker" }], series: {} } };
  const conditions = [{ level: 410, counter: 0, amount: { kind: "percentage", value: "-5" } }];
  const { totals } = await dataOf(project(items, { manufacturers, conditions }));
  t.match(totals, {
    itemNet: "90.00",
    net: "85.50",
    tax: "16.24",
    positions: 5,
    quantity: "9",
    purchase: null,
  });
  t.same(rows(totals, "byManufacturer"), [
    { manufacturerId: "N", name: "", positions: 1, quantity: "0", net: "30.00", share: "33.34" },
    { manufacturerId: "M", name: "Maker", positions: 2, quantity: "7", net: "29.98", share: "33.31" },
    { manufacturerId: "", name: "Joiner", positions: 1, quantity: "1", net: "0.02", share: "0.02" },
    { manufacturerId: "", name: "", positions: 1, quantity: "1", net: "30.00", share: "33.33" },
  ]);
  t.same(rows(totals, "byFolder"), [
    { id: id(10), position: "1", name: "Hall", positions: 2, quantity: "1", net: "40.00", share: "44.44" },
    { id: id(20), position: "2", name: "Office", positions: 1, quantity: "6", net: "19.98", share: "22.20" },
    { id: id(30), position: "3", name: "Empty", positions: 0, quantity: "0", net: "0.00", share: "0.00" },
    { id: null, position: "", name: "", positions: 2, quantity: "2", net: "30.02", share: "33.36" },
  ]);
});

t.test("what articles cost to buy and take up is told for one and for all", async (t) => {
  const data = await dataOf(fullProject());
  const [, chair, , , part] = allItems(data);
  t.match(chair, { quantity: "4", purchaseUnitPrice: "60.00", purchaseTotalPrice: "240.00" });
  t.same(chair?.["packaging"], {
    ...{ width: "650", height: "1100", depth: "609.6", volume: "0.3105" },
    ...{ netWeight: "17.25", grossWeight: "18.3", packages: "2" },
    ...{ totalVolume: "1.242", totalNetWeight: "69", totalGrossWeight: "73.2" },
  });
  t.match(part, { packaging: null, purchaseUnitPrice: null, purchaseTotalPrice: null });
  t.same(chair?.["features"], [{ id: "COL", name: "Colour", value: "black" }]);
  const { totals } = data;
  t.match(totals, {
    purchase: "240.00",
    delivery: {
      ...{ packages: "2", netWeight: "69", grossWeight: "73.2", volume: "1.242" },
      ...{ withoutWeight: 3, withoutVolume: 3 },
    },
  });
});

t.test("whatever a project holds and a request filters, the sums are exact", async (t) => {
  let next = 0;
  const price = fc.integer({ min: -300, max: 100_000 }).map((cents) => new Exact(cents).div(100).toFixed(2));
  const maker = fc.constantFrom({}, { manufacturerId: "" }, { manufacturerId: "A" }, { manufacturerId: "B" });
  const status = fc.constantFrom({}, {}, {}, { inactive: [{ kind: "alternative" }] });
  const amount = fc.constantFrom("1", "3", "0.5", "0", "17");
  const quantity = fc.record({ value: amount, unit: fc.constantFrom("C62", "H87", "MTR") });
  const leaf = fc
    .tuple(price, fc.record({ quantity }), maker, status)
    .map(([cost, ...more]): Json => Object.assign(article(0, cost), ...more));
  const name = [{ lang: "en", value: "Folder" }];
  const { items } = fc.letrec<{ items: Json[]; item: Json }>((tie) => ({
    items: fc.array(tie("item"), { maxLength: 4 }),
    item: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      tie("items").map((children): Json => ({ type: "folder", name, children })),
      fc.tuple(leaf, tie("items")).map(
        ([main, children]): Json => ({
          ...main,
          children: children.filter((each) => each["type"] !== "folder"),
        }),
      ),
      fc
        .tuple(quantity, status, fc.array(leaf, { maxLength: 3 }))
        .map(([each, more, children]): Json => ({ type: "setArticle", quantity: each, ...more, children })),
    ),
  }));
  const numbered = (list: readonly Json[]): Json[] =>
    list.map((item) => ({
      ...item,
      id: id(++next),
      ...(item["children"] === undefined ? {} : { children: numbered(rows(item, "children")) }),
    }));
  const discount = fc.constantFrom("-5", "-33.3", "2.5");
  await fc.assert(
    fc.asyncProperty(
      items,
      discount,
      fc.array(fc.nat(12), { maxLength: 2 }),
      async (generated, value, picked) => {
        next = 0;
        const conditions = [{ level: 410, counter: 0, amount: { kind: "percentage", value } }];
        const list = numbered([...generated, article(0, "1.00")]);
        const sessionId = await client.open(project(list, { conditions }));
        const all = await client.data({ sessionId, templateKey: "full" });
        const some = picked.map((number) => id(1 + (number % next)));
        const filtered = await client.data({ sessionId, templateKey: "full", items: some });
        for (const data of [all, filtered]) {
          if (!validate(data)) throw new Error(JSON.stringify(validate.errors));
          const wrong = wrongSums(data);
          if (wrong.length > 0) throw new Error(wrong.join("; "));
        }
        const { totals } = all;
        const counted = countedLines(all);
        const net = sum(counted, "totalPrice").toFixed(2);
        const expected = { positions: counted.length, itemNet: net };
        const got = isJson(totals) ? { positions: totals["positions"], itemNet: totals["itemNet"] } : {};
        if (JSON.stringify(got) !== JSON.stringify(expected))
          throw new Error(JSON.stringify([got, expected]));
      },
    ),
    { numRuns: 60 },
  );
  t.pass("no counter-example");
});
