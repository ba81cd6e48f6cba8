/** What project files say of prices, from the file to the cent: rounding rules, formulas, discounts, and what is told. */
import { readFileSync } from "node:fs";
import {
  calculate,
  countedItemIds,
  Exact,
  PricingProcedure,
  type ProjectDocument,
  readObk,
  readObx,
  type Sheet,
  type Suppression,
  Validator,
  valueOfTag,
  writeObk,
  writeObx,
} from "@slipway/sdk";
import { id } from "@slipway/sdk/testing";
import t from "tap";
import { bytes, inBuffer, smallObk } from "./small-files.js";

const standard = readProcedure();

function readProcedure(): PricingProcedure {
  const file = new URL("../../config/procedures/STDB2B_WBK.json", import.meta.url);
  const checked = new Validator().compile(
    PricingProcedure,
    "procedure",
  )(JSON.parse(readFileSync(file, "utf8")));
  if (!checked.ok) throw new Error(JSON.stringify(checked.violations));
  return checked.value;
}

interface FileParts {
  /** One article for each price; currency EUR, one piece. */
  prices?: string[];
  quantity?: string;
  purchase?: string | undefined;
  config?: string;
  /** Condition types beside those of base prices. */
  types?: string;
  lines?: string;
  records?: string;
  /** Of each item, with `RECORD` for the id of its own record of the price. */
  conditions?: string;
  groups?: string;
  calculation?: string;
  more?: string;
}

const baseTypes = `<condType name='BPR01' accMethod='BPR01' condClass='Price' calcRule='Quantity'/>
<condType name='BPR00' accMethod='BPR00' condClass='Price' calcRule='Quantity'/>`;

/** A basket with a procedure: purchase price 10 and 30, break 100, base price 110, then what the parts say. */
function basket(parts: FileParts): string {
  const { prices = ["100"], purchase, quantity = "1", calculation = "" } = parts;
  const items = prices.map(
    (_, index) => `<bskArticle basketId='${id(index + 1)}'><artNr type='base'>A</artNr>
<quantity count='${quantity}'/></bskArticle>`,
  );
  const records = prices.map(
    (price, index) =>
      `<condRecord id='p${index}'><amount type='money' currency='EUR' value='${price}'/></condRecord>`,
  );
  const bought = purchase === undefined ? "" : "<itemCondition level='10' counter='0' condRecord='k'/>";
  const calculations = prices.map(
    (_, index) => `<itemCalculation id='${id(index + 1)}'><calcLines>${bought}
<itemCondition level='110' counter='0' condRecord='p${index}'/>${parts.conditions ?? ""}</calcLines></itemCalculation>`,
  );
  return `<basket><config><currency unit='EUR'/>${parts.config ?? ""}</config><topFolder>${items.join("")}</topFolder>
${parts.more ?? ""}<docCalculation.2 ${calculation}><priceProc name='P' halfWayRndMode='HalfEven'>${baseTypes}${parts.types ?? ""}
<ppLevel number='10'><ppLine counter='0' lineType='Condition' insertMode='Auto' condType='BPR01'/></ppLevel>
<ppLevel number='30'><ppLine counter='0' lineType='Subtotal' insertMode='Always'><ppLineTag value='PURCHASE_VALUE'/></ppLine></ppLevel>
<ppLevel number='100'><ppLine counter='0' lineType='CalculationBreak' insertMode='Always'/></ppLevel>
<ppLevel number='110'><ppLine counter='0' lineType='Condition' insertMode='Auto' condType='BPR00'/></ppLevel>
${parts.lines ?? ""}</priceProc>
<condRecords>${records.join("")}${purchase === undefined ? "" : `<condRecord id='k'><amount type='money' currency='EUR' value='${purchase}'/></condRecord>`}
${parts.records ?? ""}</condRecords><condGroups>${parts.groups ?? ""}</condGroups>
<itemCalculations>${calculations.join("")}</itemCalculations></docCalculation.2></basket>`;
}

interface Priced {
  project: ProjectDocument;
  procedure: PricingProcedure;
  header: Sheet;
  items: Sheet[];
  errors: Suppression[];
  warnings: string[];
}

async function priced(file: Uint8Array): Promise<Priced> {
  const { project, warnings } = await readObk(file);
  return { ...pricesOf(project), warnings: warnings.map(({ path, message }) => `${path}: ${message}`) };
}

function pricesOf(project: ProjectDocument): Omit<Priced, "warnings"> {
  const procedure = project.procedures?.[0] ?? standard;
  const { calculation, errors } = calculate(project, procedure);
  const items = countedItemIds(project, procedure.name).flatMap((each) => calculation.items[each] ?? []);
  return { project, procedure, header: calculation.header, items, errors };
}

async function pricesIn(parts: FileParts): Promise<Priced> {
  return priced(await smallObk(basket(parts)));
}

const lineAt = (sheet: Sheet | undefined, level: number) => sheet?.lines.find((line) => line.level === level);
const value = (sheet: Sheet | undefined, level: number) => lineAt(sheet, level)?.value?.value;

const condition = (level: number, type: string, more = ""): string =>
  `<ppLevel number='${level}'><ppLine counter='0' lineType='Condition' insertMode='Auto' condType='${type}' ${more}/></ppLevel>`;
const subtotal = (level: number, tag: string, more = "", inner = ""): string =>
  `<ppLevel number='${level}'><ppLine counter='0' lineType='Subtotal' insertMode='Always' ${more}>${inner}<ppLineTag value='${tag}'/></ppLine></ppLevel>`;

const taxScheme = `<taxScheme id='GB'><taxType id='VAT' unit='%' rndpos='header'><taxCategory id='standard_rate' rate='20.0'/></taxType></taxScheme>`;

function taxed(rule: string, level: string, prices: string[]): FileParts {
  return {
    prices,
    config: taxScheme,
    types: `<condType name='VAT01' accMethod='TAX01_VAT' condClass='Tax' condSign='Positive' calcRule='Percent' rndRule='${rule}' rndLevel='${level}'/>`,
    lines: subtotal(500, "NET_VALUE") + condition(510, "VAT01") + subtotal(530, "FINAL_VALUE"),
  };
}

t.test("taxes are rounded by the rule of their condition type", async (t) => {
  const expected: [rule: string, tax: string, credit: string, total: string][] = [
    ["RoundToNearest", "412.49", "-412.49", "2474.92"],
    ["RoundDown", "412.48", "-412.48", "2474.91"],
    ["RoundUp", "412.49", "-412.49", "2474.92"],
    ["NoRounding", "412.486", "-412.486", "2474.92"],
  ];
  for (const [rule, tax, credit, total] of expected) {
    for (const level of ["Item", "Aggregate"]) {
      const bill = await pricesIn(taxed(rule, level, ["2062.43"]));
      t.same([value(bill.header, 510), value(bill.header, 530)], [tax, total], `${rule}, ${level}`);
      t.same([value(bill.items[0], 510), value(bill.items[0], 530)], [tax, total], "of the item alike");
      const again = await priced(await writeObk(bill.project));
      t.equal(value(again.header, 510), tax, "written and read again");
      t.same(again.procedure, bill.procedure);
      const back = await pricesIn(taxed(rule, level, ["-2062.43"]));
      t.equal(value(back.header, 510), credit, "away from zero and towards it, whatever the sign");
    }
  }
  t.equal(
    value((await pricesIn(taxed("RoundUp", "Item", ["2062.41"]))).header, 510),
    "412.49",
    "from 412.482",
  );

  const coins = `${taxScheme}<roundingModes><roundingMode type='default' mode='HalfUp' interval='RI_0_05'/></roundingModes>`;
  const inCoins = async (rule: string): Promise<string | undefined> =>
    value((await pricesIn({ ...taxed(rule, "Item", ["2062.40"]), config: coins })).header, 510);
  t.same(
    [await inCoins("RoundDown"), await inCoins("RoundUp")],
    ["412.45", "412.50"],
    "412.48 in steps of 0.05",
  );

  const three = ["0.33", "0.33", "0.33"];
  const parts = async (rule: string): Promise<(string | undefined)[]> => {
    const { header, items } = await pricesIn(taxed(rule, "Aggregate", three));
    return [value(header, 510), ...items.map((item) => value(item, 510))];
  };
  t.same(await parts("RoundDown"), ["0.19", "0.07", "0.06", "0.06"], "0.198, and the parts add up");
  t.same(await parts("RoundUp"), ["0.20", "0.07", "0.07", "0.06"]);
  t.same(await parts("NoRounding"), ["0.198", "0.066", "0.066", "0.066"]);
});

function grouped(rule: string, amount: string, calculation = "Percent"): FileParts {
  return {
    prices: ["33.33", "33.33", "33.34"],
    types: `<condType name='H' condClass='PriceModifier' calcRule='${calculation}' rndRule='${rule}' rndDiffComp='Distribute'>
<condTypeFlag value='GroupCondition'/><condTypeFlag value='HeaderCondition'/></condType>`,
    lines: subtotal(400, "ITEM_NET_VALUE") + condition(410, "H") + subtotal(500, "NET_VALUE"),
    records: `<condRecord id='h'><amount ${amount}/></condRecord>`,
    groups: "<condGroup id='0' condType='H' condRecord='h'><groupKey level='410' counter='0'/></condGroup>",
  };
}

t.test("discounts of items and of the whole project are rounded by their rules", async (t) => {
  const ofItem = (rule: string): FileParts => ({
    prices: ["0.25"],
    types: `<condType name='D' condClass='PriceModifier' calcRule='Percent' rndRule='${rule}'/>`,
    lines: condition(210, "D") + subtotal(400, "ITEM_NET_VALUE"),
    records: "<condRecord id='d'><amount type='percentage' value='-10'/></condRecord>",
    conditions: "<itemCondition level='210' counter='0' condRecord='d'/>",
  });
  const discounts = { RoundToNearest: "-0.02", RoundDown: "-0.02", RoundUp: "-0.03", NoRounding: "-0.025" };
  for (const [rule, expected] of Object.entries(discounts)) {
    const { items } = await pricesIn(ofItem(rule));
    t.equal(value(items[0], 210), expected, rule);
  }
  t.equal(
    value((await pricesIn(ofItem("NoRounding"))).items[0], 400),
    "0.22",
    "a subtotal is a whole amount",
  );

  const totals = { RoundToNearest: "-1.24", RoundDown: "-1.23", RoundUp: "-1.24", NoRounding: "-1.238" };
  for (const [rule, expected] of Object.entries(totals)) {
    const { header, items } = await pricesIn(grouped(rule, "type='percentage' value='-1.238'"));
    t.equal(value(header, 410), expected, rule);
    const sum = items.reduce((total, item) => total.plus(value(item, 410) ?? 0), new Exact(0));
    t.equal(sum.toFixed(), expected, "the parts of the items add up to it");
    t.equal(
      items.reduce((total, item) => total.plus(value(item, 500) ?? 0), new Exact(0)).toFixed(2),
      value(header, 500),
      "and so do their net values",
    );
  }
  const step = async (rule: string): Promise<string | undefined> =>
    value((await pricesIn(grouped(rule, "type='money' currency='EUR' value='7'", "Rounding"))).header, 500);
  t.equal(await step("RoundToNearest"), "98.00", "the nearest multiple of 7");
  t.equal(await step("RoundUp"), "105.00");
  t.equal(await step("RoundDown"), "98.00");
});

const marginTypes = `<subtType name='PMQ' calcRule='Quantity' rndRule='RoundToNearest' margin='true' adjCondType='D'/>
<subtType name='OWN' calcRule='Percent' rndRule='RoundToNearest' margin='true'/>`;
const ofUnit = `<valueFormula level='Item' signature='abc'>value = netval.subtract(base).round();
qtyrel = unitsz;
amount = value.divide(qty).round();</valueFormula>`;
const ofNet = `<valueFormula level='Item'>value = netval.subtract(base).round();
qtyrel = Packages.egr.eai.types.Quantity.INVALID;
amount = value.divide(netval).round(3);</valueFormula><valueFormula level='Aggregate'>amount = value.divide(netval).round(3);</valueFormula>`;

t.test("formulas of lines are computed", async (t) => {
  const margins: FileParts = {
    prices: ["227.50", "227.50"],
    quantity: "2",
    purchase: "107",
    types: marginTypes,
    lines:
      subtotal(500, "NET_VALUE") +
      subtotal(720, "X", "subtType='PMQ' from='30'", ofUnit) +
      subtotal(725, "Y", "subtType='OWN' from='30'", ofNet),
  };
  const { header, items, errors, project, procedure } = await pricesIn(margins);
  t.same(errors, []);
  t.match(lineAt(items[0], 720), { value: { value: "241.00" }, amount: { kind: "money", value: "120.50" } });
  t.match(lineAt(items[0], 725), { value: { value: "241.00" }, amount: { kind: "percentage", value: "53" } });
  t.match(lineAt(header, 720), { value: { value: "482.00" } });
  t.match(lineAt(header, 725), { amount: { kind: "percentage", value: "53" } });
  const again = await priced(await writeObk(project));
  t.same(again.procedure, procedure, "the formulas are written with their signatures");
  t.same(again.header, header);

  const unpriced = await pricesIn({ ...margins, purchase: undefined });
  t.same([lineAt(unpriced.items[0], 720)?.inactive, unpriced.errors], [["NoData"], []], "no cost, no margin");

  const formula = (text: string, level = "Item"): string =>
    `<valueFormula level='${level}'>${text}</valueFormula>`;
  const sum = await pricesIn({
    prices: ["80", "20"],
    lines:
      subtotal(200, "A") +
      subtotal(
        300,
        "B",
        "from='200'",
        formula("value = netval.multiply(1.5).subtract(base.divide(4)).abs();"),
      ) +
      subtotal(500, "NET_VALUE"),
  });
  t.same(
    [300, 500].map((level) => value(sum.items[0], level)),
    ["100.00", "80.00"],
    "the running sum goes on",
  );
  t.equal(value(sum.header, 300), "125.00", "100 and 25");

  const conditions = await pricesIn({
    prices: ["80"],
    types: `<condType name='D' condClass='PriceModifier' calcRule='Percent' rndRule='RoundDown'/>
<condType name='C' condClass='PriceModifier' calcRule='Quantity'/>`,
    lines:
      `<ppLevel number='210'><ppLine counter='0' lineType='Condition' insertMode='Auto' condType='D'>${formula("value = netval.multiply(amount).divide(3);")}</ppLine></ppLevel>
<ppLevel number='220'><ppLine counter='0' lineType='Condition' insertMode='Auto' condType='C'>${formula("value = -base.divide(10).min(5);")}</ppLine></ppLevel>` +
      subtotal(400, "ITEM_NET_VALUE"),
    records: "<condRecord id='d'><amount type='percentage' value='-10'/></condRecord>",
    conditions: "<itemCondition level='210' counter='0' condRecord='d'/>",
  });
  t.same(
    [210, 220, 400].map((level) => value(conditions.header, level)),
    ["-2.66", "-5.00", "72.34"],
    "with the stated amount, and without one",
  );
  t.same(conditions.errors, []);
});

t.test("a formula that cannot be computed is a price error of its level", async (t) => {
  const deep = 50_000;
  const formulas: [text: string, reason: RegExp][] = [
    ["value = netval.divide(netval.subtract(netval));", /divides by zero/],
    ["value = secret.add(1);", /name "secret" is not known/],
    ["value = base;", /base has no value/],
    ["value = netval.exec(1);", /method "exec" is not known/],
    ["value = netval.constructor.constructor(1)();", /is not called|expected/],
    ["value = __proto__;", /not known/],
    ["value = netval + 1;", /"\+" is not part/],
    ["value = netval.add(1, 2);", /takes 1 values, not 2/],
    ["value = netval.round(99);", /decimal places/],
    ["other = netval;", /states neither/],
    ["value = ", /its end/],
    ["", /it is empty/],
    ["value = 😀;", /"😀" is not part/],
    [`value = ${"(".repeat(30_000)}1${")".repeat(30_000)};`, /more than 2000 characters/],
    [`value = ${"(".repeat(900)}1${")".repeat(900)};`, /nested more than 32 deep/],
    [`value = netval${".abs()".repeat(300)};`, /chains more than 32 calls/],
    [`value = netval; ${"value = value.multiply(value); ".repeat(40)}`, /too large/],
    ["value = netval.multiply(99999999999999999999);", /more than 20 digits/],
    [`value = ${"-".repeat(500)}1;`, /nested more than/],
    [`value = ${"a.".repeat(deep / 100)}b;`, /chains|not known/],
  ];
  for (const [text, reason] of formulas) {
    const { items, header, errors } = await pricesIn({
      prices: ["80", "20"],
      lines:
        subtotal(300, "A", "", `<valueFormula level='Item'>${text}</valueFormula>`) +
        subtotal(500, "NET_VALUE"),
    });
    t.ok(errors.length > 0 && errors.length <= 2, `${errors.length} errors of ${text.slice(0, 40)}`);
    t.match(errors[0], {
      id: "item-price-error",
      scope: "ERROR",
      message: /^The formula at 300\.0 cannot be/,
    });
    t.match(errors[0]?.message, reason);
    t.ok((errors[0]?.message.length ?? 999) < 300, "the formula is shown in part");
    t.same([lineAt(items[0], 300)?.inactive, lineAt(header, 300)?.inactive], [["NoData"], ["NoData"]]);
    t.equal(value(header, 500), "100.00", "the other lines count");
  }

  const circle: FileParts = {
    lines: subtotal(300, "A", "from='310'", ofUnit) + subtotal(310, "B", "from='300'", ofUnit),
  };
  await t.rejects(pricesIn(circle), { id: "request-bad-request", message: /P/ }, "levels in a circle");

  const text = await pricesIn({
    lines: `<ppLevel number='200'><ppLine counter='0' lineType='Text' insertMode='Always'>${ofUnit}</ppLine></ppLevel>`,
  });
  t.match(text.errors, [{ id: "item-price-error", scope: "WARN", message: /200\.0 has no effect/ }]);
  const aggregate = await pricesIn({
    lines: subtotal(300, "A", "", "<valueFormula level='Aggregate'>value = qty;</valueFormula>"),
  });
  t.match(aggregate.errors, [{ id: "item-price-error", message: /300\.0 cannot be computed.*qty/ }]);
  t.same(lineAt(aggregate.header, 300)?.inactive, ["NoData"]);
});

const prices = `<itemPrice type='purchase' pd='1' currency='EUR' value='495.0'/><itemPrice type='sale' pd='1' currency='EUR' value='495.0'/>`;
const articleIn = (inner: string, stated = prices): string =>
  inBuffer(`<bskArticle basketId='${id(1)}'><artNr type='base'>A</artNr>${stated}${inner}</bskArticle>`);

async function exchanged(file: string): Promise<{ values: (string | undefined)[]; told: string[] }> {
  const { project, warnings } = await readObx(bytes(file));
  const read = pricesOf(project);
  const values = ["PURCHASE_VALUE", "ITEM_NET_VALUE"].map(
    (tag) => valueOfTag(read.header, read.procedure, tag)?.value,
  );
  const again = pricesOf((await readObx(bytes(writeObx(project)))).project);
  const kept = again.project.procedures === read.project.procedures ? again.header : read.header;
  if (JSON.stringify(kept) !== JSON.stringify(read.header)) throw new Error("other prices after writing");
  return {
    values,
    told: [...warnings.map(({ message }) => message), ...read.errors.map(({ message }) => message)],
  };
}

t.test("discounts that an article states count without a calculation", async (t) => {
  const given = (predefined: string, entered = ""): string =>
    articleIn(`<predefVendorDiscount incr='1' ${predefined}/><artCalc>${entered}</artCalc>`);
  const cases: [file: string, values: string[]][] = [
    [given("relative='0.0' currency='EUR' value='0.0'"), ["495.00", "495.00"]],
    [given("relative='10' currency='EUR' value='0.0'"), ["445.50", "495.00"]],
    [given("relative='0.0' currency='EUR' value='5.5'"), ["489.50", "495.00"]],
    [given("relative='10' currency='EUR' value='5.5'"), ["440.00", "495.00"]],
    [given("relative='-10' currency='EUR' value='0.0'"), ["544.50", "495.00"]],
    [
      given("relative='10'", "<vendorDiscount label='V' incr='1' inOrderList='1' predefined='1'/>"),
      ["445.50", "495.00"],
    ],
    [given("relative='10'", "<vendorDiscount label='V' incr='1' relative='20'/>"), ["396.00", "495.00"]],
    [
      given("relative='10'", "<vendorDiscount predefined='1'/><vendorDiscount currency='%' value='10'/>"),
      ["400.95", "495.00"],
    ],
    [
      given(
        "relative='0'",
        "<itemDiscount label='1' relative='10'/><itemDiscount label='2' incr='1' relative='10'/><itemDiscount label='3'/>",
      ),
      ["495.00", "400.95"],
    ],
    [given("relative='0'", "<itemDiscount label='1' currency='EUR' value='45'/>"), ["495.00", "450.00"]],
    [articleIn("<predefItemDiscount relative='10'/>"), ["495.00", "445.50"]],
    [articleIn("<predefItemDiscount relative='-10'/>"), ["495.00", "544.50"]],
  ];
  for (const [file, values] of cases) {
    t.same(await exchanged(file), { values, told: [] }, file.slice(300));
  }
  const { project } = await readObx(
    bytes(given("relative='10'", "<itemDiscount label='Korting' relative='10'/>")),
  );
  const kept = await priced(await writeObk(project, { procedures: [standard] }));
  t.same(
    ["PURCHASE_VALUE", "ITEM_NET_VALUE"].map((tag) => valueOfTag(kept.header, standard, tag)?.value),
    ["445.50", "445.50"],
    "in an OBK they are records of its procedure, once",
  );
  t.match(lineAt(kept.items[0], 210)?.label, [{ value: "Korting" }]);
  const plain = await readObk(await writeObk(project));
  t.same(plain.project.items, project.items, "and without a procedure what the article states");

  const written = writeObx(project);
  t.match(written, /<predefVendorDiscount incr="1" relative="10"\/>/, "as it came while it says the same");
  t.notMatch(written, /<vendorDiscount/, "and once");
  const changed = structuredClone(project);
  const [article] = changed.items;
  if (article?.type !== "article") throw new Error("the article is there");
  for (const price of article.productPrices) {
    if (price.side === "purchase") price.discounts = [{ amount: { kind: "percentage", value: "15" } }];
    else delete price.discounts;
  }
  const other = (await readObx(bytes(writeObx(changed)))).project.items[0];
  t.same(
    other?.type === "article" && other.productPrices,
    article.productPrices,
    "discounts of the document take the place of those that say something else",
  );
  t.notMatch(writeObx(project, { listPricesOnly: true }), /Discount|artCalc/, "an export tells none");

  const dollars = await exchanged(given("relative='0' currency='USD' value='5'"));
  t.match(dollars.told, [/no exchange rate for USD/]);
  const many = await exchanged(given("relative='0'", "<itemDiscount relative='1'/>".repeat(6)));
  t.match(many.told, [/sales discount of 1 % is left out: .*STDB2B_WBK.* has no line/]);
});

t.test("prices and discounts of articles that have no effect are told", async (t) => {
  const told = async (file: string): Promise<string[]> => (await exchanged(file)).told;
  t.match(await told(articleIn("<predefVendorDiscount relative='0' value='3'/>")), [/without a currency/]);
  t.match(await told(articleIn("<predefVendorDiscount relative='9'/>", "")), [
    /discount without a purchase price/,
  ]);
  t.match(
    await told(
      articleIn("<artCalc><itemDiscount relative='1'/><itemDiscount incr='0' relative='1'/></artCalc>"),
    ),
    [/incr="0" has no effect/],
  );
  t.match(await told(articleIn("<itemPrice type='sale' currency='EUR' value='450'/>")), [
    /450 EUR has no effect/,
  ]);
  t.match(await told(articleIn("<artCalc><salesPrice currency='EUR' value='400'/></artCalc>")), [
    /400 EUR has no/,
  ]);
  t.match(await told(articleIn("<artCalc><rebate relative='4'/></artCalc>")), [/this element is unknown/]);
  t.match(await told(articleIn("<artCalc><itemDiscount factor='2'/></artCalc>")), [
    /this attribute is unknown/,
  ]);
  t.match(await told(articleIn("<taxInfos><taxInfo type='VAT' rate='2'/></taxInfos>")), [
    /this attribute is unknown/,
  ]);
  t.same(await told(articleIn("<rack><itemPrice factor='2'/></rack>")), [], "it is no price of the article");
  const replaced = "<itemPrice type='sale' pd='1' override='1' currency='EUR' value='450'/>";
  t.match(
    await told(articleIn(replaced)),
    [/450 EUR has no effect/],
    "it takes the place of the product price",
  );
  t.same(
    await told(articleIn(`${replaced}<itemPrice type='sale' currency='EUR' value='495'/>`)),
    [],
    "unless the article has the product price again",
  );
  t.match(await told(articleIn("<itemPrice type='rental' currency='EUR' value='4'/>")), [/type "rental"/]);
  const bought =
    "<artCalc><purchasePrice currency='EUR' value='445.5'/></artCalc><predefVendorDiscount relative='10'/>";
  t.same(await told(articleIn(bought)), [], "the discounted price is no other one");
});

t.test("a calculation in an OBX decides, as in an OBK", async (t) => {
  const calculation = basket({
    prices: ["300"],
    types: "<condType name='D' condClass='PriceModifier' calcRule='Percent'/>",
    lines: condition(210, "D") + subtotal(400, "ITEM_NET_VALUE") + subtotal(500, "NET_VALUE"),
    records: "<condRecord id='d'><amount type='percentage' value='-50'/></condRecord>",
    conditions: "<itemCondition level='210' counter='0' condRecord='d'/>",
  }).replace(/^.*<\/topFolder>|<\/basket>$/gs, "");
  const file = articleIn("<predefVendorDiscount relative='10'/><predefItemDiscount relative='10'/>").replace(
    "</items>",
    `</items>${calculation}`,
  );
  const { project, warnings } = await readObx(bytes(file));
  t.same(warnings, []);
  const { header, procedure } = pricesOf(project);
  t.equal(procedure.name, "P");
  t.equal(value(header, 500), "150.00", "300 less 50 %, and no 10 %");
  t.equal(project.settings.defaultScheme, "P");
});

t.test("what changes prices in a file and is not computed is told when it is opened", async (t) => {
  const told = async (parts: FileParts): Promise<string[]> => (await pricesIn(parts)).warnings;
  const modes = (inner: string, discount = "none"): FileParts => ({
    config: `<roundingModes discount='${discount}'>${inner}</roundingModes>`,
  });
  const usual = "<roundingMode type='default' mode='HalfUp' interval='RI_0_01'/>";
  t.same(await told(modes(`${usual}<roundingMode type='swedish' begin='None'/>`)), []);
  t.match(await told(modes(`${usual}<roundingMode type='swedish' begin='Total' interval='RI_0_05'/>`)), [
    /Swedish rounding is not computed/,
  ]);
  t.match(await told(modes("<roundingMode type='cash' begin='Net'/>")), [/rounding mode "cash"/]);
  t.match(await told(modes("<roundingMode type='default' mode='HalfDown' interval='0.05'/>")), [
    /mode="HalfDown"/,
    /interval="0.05"/,
  ]);
  t.match(await told(modes(usual, "net")), [/discount="net" has no effect/]);
  const tax = (position: string): FileParts => ({
    ...taxed("RoundToNearest", "Aggregate", ["1"]),
    config: taxScheme.replace("header", position),
  });
  t.same(await told(tax("header")), []);
  t.match(await told(tax("item")), [/rndpos="item" is not known/]);
  t.match(await told(taxed("RoundToNearest", "Item", ["1"])), [/rndpos="header" has no effect.*VAT01/]);
  t.match(await told({ config: "<VAT value='20.0'/>" }), [
    /taxes are computed where the file has a tax scheme/,
  ]);
  t.match(await told({ calculation: "currency='CHF' usedFeatures='LevelTree Bonus'" }), [
    /in CHF; prices are computed in EUR/,
    /feature "Bonus"/,
  ]);
  const type = (attributes: string, inner = ""): FileParts => ({
    types: `<condType name='D' condClass='PriceModifier' calcRule='Percent' ${attributes}>${inner}</condType>`,
  });
  t.same(
    await told(type("condSign='NoRestriction' rndRule='RoundToNearest' rndLevel='Item' rndDiffComp='None'")),
    [],
  );
  t.match(await told(type("rndRule='RoundHalf'")), [
    /rndRule="RoundHalf" is not known.*expected RoundToNearest, RoundUp/,
  ]);
  t.match(await told(type("rndLevel='Group' rndDiffComp='First' condSign='Odd'")), [
    /condSign/,
    /rndLevel/,
    /rndDiffComp/,
  ]);
  t.match(await told(type("", "<condTypeFlag value='Compound'/>")), [/flag "Compound"/]);
  t.match(await told({ lines: subtotal(300, "A", "from='x' ndiscMode='Keep'") }), [
    /ndiscMode="Keep"/,
    /from="x"/,
  ]);
  t.match(
    await told({ lines: subtotal(300, "A", "", "<valueFormula level='Group'>value = 1;</valueFormula>") }),
    [/neither for items nor for aggregates/],
  );
  t.match(await told({ conditions: "<itemCondition level='110' counter='1' condRecord='lost'/>" }), [
    /condition record "lost" is not in the file/,
  ]);
  t.match(
    await told({
      conditions: "<itemCondition level='110' counter='1'><inactiveFlag value='Odd'/></itemCondition>",
    }),
    [/flag "Odd"/],
  );
  t.match(await told({ more: "<docCalculation><condRecords/></docCalculation>" }), [/without a procedure/]);
  t.same(await told({ more: "<docCalculation/>" }), [], "an empty one has nothing that could change a price");
  const old =
    "<bskCalc><headerDiscount label='D' base='16'/><totalDiscount type='relNet' currency='%' value='5.'/><totalPrice type='VAT' value='20'/></bskCalc>";
  const { warnings } = await readObk(await smallObk(`<basket><topFolder/>${old}</basket>`));
  t.match(warnings, [{ path: "basket/bskCalc/totalDiscount", message: /has no effect/ }]);
  t.same(await told({ more: old }), [], "with a procedure it is a copy");
});

t.test("taxes that a file found are those that are computed", async (t) => {
  const withTax = (amount: string, config = taxScheme): FileParts => ({
    ...taxed("RoundToNearest", "Aggregate", ["100"]),
    config,
    records: `<condRecord id='t'><amount ${amount}/><qtyRel value='1' unit='C62'/></condRecord>`,
    conditions: "<itemCondition level='510' counter='0' condRecord='t'/>",
  });
  const tax = async (parts: FileParts): Promise<string | undefined> =>
    value((await pricesIn(parts)).header, 510);
  t.equal(await tax(withTax("type='percentage' value='20'")), "20.00");
  t.equal(
    await tax(withTax("type='percentage' value='17.5'")),
    "17.50",
    "a rate that the scheme does not have",
  );
  t.equal(await tax(withTax("type='percentage' value='17.5'", "")), "17.50", "without a tax scheme");
  const charge = withTax("type='money' currency='EUR' value='3'");
  const { types = "" } = charge;
  t.equal(
    await tax({ ...charge, types: types.replace("Percent", "Quantity") }),
    "3.00",
    "a tax that is no percentage",
  );
});

t.test("variant prices count wherever they stand", async (t) => {
  const variant = (quantity: string): FileParts => ({
    types: "<condType name='VAPR00' accMethod='VAPR00' condClass='PriceModifier' calcRule='Quantity'/>",
    lines: condition(109, "VAPR00") + subtotal(500, "NET_VALUE"),
    records: `<condRecord id='v'><amount type='money' currency='EUR' value='7'/>${quantity}</condRecord>`,
  });
  const before = basket(variant("")).replace(
    "<itemCondition level='110'",
    "<itemCondition level='109' counter='0' condRecord='v'/><itemCondition level='110'",
  );
  const { project, warnings } = await priced(await smallObk(before));
  t.match(project.items[0], {
    productPrices: [{ base: { value: "100" }, components: [{ amount: { value: "7" } }] }],
  });
  t.same(warnings, []);
  const other = basket(variant("<qtyRel value='10' unit='C62'/>")).replace(
    "<itemCondition level='110'",
    "<itemCondition level='109' counter='0' condRecord='v'/><itemCondition level='110'",
  );
  t.match((await priced(await smallObk(other))).warnings, [/for another quantity/]);
});
