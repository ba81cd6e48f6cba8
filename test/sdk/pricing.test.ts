import { existsSync, readFileSync } from "node:fs";
import {
  type Amount,
  type ArticleItem,
  type CalculateOptions,
  type Calculation,
  type ConditionRecord,
  calculate,
  checkProcedure,
  countedItemIds,
  currencyDigits,
  Exact,
  findProcedure,
  groupSheet,
  type Item,
  itemStatus,
  joinLines,
  linesWithTag,
  netPrice,
  ownItemStatus,
  PricingProcedure,
  type ProductPrice,
  type ProjectDocument,
  printedLines,
  projectPrices,
  readObk,
  resolveView,
  type SetArticleItem,
  type Sheet,
  type SheetLine,
  type Suppression,
  tagged,
  unitPrice,
  Validator,
  valueOfTag,
  walkNodes,
} from "@slipway/sdk";
import { id } from "@slipway/sdk/testing";
import fc from "fast-check";
import t from "tap";

const scheme = "STDB2B_WBK";
const procedure = readProcedure();

function readProcedure(): PricingProcedure {
  const file = new URL(`../../config/procedures/${scheme}.json`, import.meta.url);
  const json: unknown = JSON.parse(readFileSync(file, "utf8"));
  const checked = new Validator().compile(PricingProcedure, "procedure")(json);
  if (!checked.ok) throw new Error(JSON.stringify(checked.violations));
  return checked.value;
}

function sales(value: string, more: Partial<ProductPrice> = {}, currency = "EUR"): ProductPrice {
  return { side: "sales", base: { value, currency }, ...more };
}

function purchase(value: string): ProductPrice {
  return { side: "purchase", base: { value, currency: "EUR" } };
}

function money(value: string, currency = "EUR"): Amount {
  return { kind: "money", value, currency };
}

function percent(value: string): Amount {
  return { kind: "percentage", value };
}

function article(number: number, prices: ProductPrice[], more: Partial<ArticleItem> = {}): ArticleItem {
  return {
    type: "article",
    id: id(number),
    articleKind: "article",
    manufacturerId: "NORD",
    seriesId: "FJORD",
    baseArticleNumber: `A-${number}`,
    useFinalArticleNumber: false,
    productDescription: {},
    features: [],
    quantity: { value: "1", unit: "C62" },
    productPrices: prices,
    ...more,
  };
}

function pieces(value: string): { value: string; unit: string } {
  return { value, unit: "C62" };
}

function setArticle(number: number, children: Item[], more: Partial<SetArticleItem> = {}): SetArticleItem {
  return { type: "setArticle", id: id(number), quantity: pieces("1"), children, ...more };
}

/** A record at "210.0"; with an item number, for that item. */
function record(place: string, amount: Amount, item?: number): ConditionRecord {
  const [level, counter] = place.split(".");
  const key = { level: Number(level), counter: Number(counter), amount };
  return item === undefined ? key : { ...key, itemId: id(item) };
}

interface ProjectParts {
  items: Item[];
  conditions?: ConditionRecord[];
  settings?: Partial<ProjectDocument["settings"]> | undefined;
}

const germanTaxes = {
  id: "DE",
  order: ["VAT"],
  taxTypes: [
    {
      id: "VAT",
      rateUnit: "%",
      categories: [
        { id: "standard_rate", rate: "19" },
        { id: "reduced_rate", rate: "7" },
        { id: "exemption" },
      ],
    },
  ],
};

function project({ items, conditions, settings }: ProjectParts): ProjectDocument {
  return {
    formatVersion: "1",
    id: id(999_999),
    header: {},
    settings: {
      languages: ["en"],
      currency: "EUR",
      referenceCurrency: "EUR",
      exchangeRates: {},
      rounding: { halfWay: "even", interval: "0.01" },
      ...settings,
    },
    items,
    ...(conditions === undefined ? {} : { conditions }),
  };
}

class Result {
  constructor(
    readonly calculation: Calculation,
    readonly errors: Suppression[],
  ) {}

  static of(parts: ProjectParts, options: CalculateOptions = {}): Result {
    const { calculation, errors } = calculate(project(parts), procedure, options);
    return new Result(calculation, errors);
  }

  sheet(item?: number): Sheet {
    const sheet = item === undefined ? this.calculation.header : this.calculation.items[id(item)];
    if (sheet === undefined) throw new Error(`no sheet of ${item}`);
    return sheet;
  }

  /** Of an item, or, without a number, of the header. */
  line(place: string, item?: number): SheetLine | undefined {
    return this.sheet(item).lines.find(({ level, counter }) => `${level}.${counter}` === place);
  }

  value(place: string, item?: number): string | undefined {
    return this.line(place, item)?.value?.value;
  }

  values(places: string[], item?: number): (string | undefined)[] {
    return places.map((place) => this.value(place, item));
  }
}

t.test("the procedure that comes with Slipway", async (t) => {
  t.same(checkProcedure(procedure), [], "can be evaluated");
  for (const { label } of procedure.conditionTypes) {
    t.same(label.map(({ lang }) => lang).sort(), [
      "cs",
      "da",
      "de",
      "en",
      "es",
      "fr",
      "it",
      "nl",
      "pl",
      "sv",
    ]);
  }
});

t.test("prices in another currency, known results", async (t) => {
  const british = (rate: string): ProjectParts["settings"] => ({
    currency: "GBP",
    exchangeRates: { GBP: rate },
    taxScheme: {
      id: "GB",
      order: ["VAT"],
      taxTypes: [{ id: "VAT", rateUnit: "%", categories: [{ id: "standard_rate", rate: "20.0" }] }],
    },
  });
  const totals = ["500.0", "510.0", "530.0"];
  const first = Result.of({ items: [article(1, [sales("419.0")])], settings: british("0.857635") });
  t.same(first.values(totals), ["359.35", "71.87", "431.22"]);
  t.same(first.line("110.0", 1)?.amount, money("359.35", "GBP"), "the unit price is converted and rounded");
  t.same(first.sheet().netValue, { value: "359.35", currency: "GBP" });
  t.same(first.sheet().tax, { value: "71.87", currency: "GBP" });
  const second = Result.of({ items: [article(1, [sales("1567")])], settings: british("0.860965") });
  t.same(second.values(totals), ["1349.13", "269.83", "1618.96"]);
  t.same(second.errors, []);

  const sample = new URL("../../../shared/samples/one-article-with-contact.obk", import.meta.url);
  if (!existsSync(sample)) return t.comment("skipped: no real project file here");
  const real = (await readObk(readFileSync(sample))).project;
  const own = await findProcedure(real, scheme, { find: async () => undefined });
  for (const each of [own, procedure]) {
    const { calculation, errors } = calculate(real, each);
    t.equal(valueOfTag(calculation.header, each, "FINAL_VALUE")?.value, "431.22");
    t.same(errors, []);
  }
});

t.test("conversions that are not possible, other digits and intervals", async (t) => {
  const missing = Result.of({
    items: [article(1, [sales("100", {}, "USD")]), article(2, [sales("50")])],
    conditions: [record("413.0", money("5", "CHF"))],
    settings: { exchangeRates: { CHF: "0" } },
  });
  t.equal(missing.value("500.0"), "50.00", "the other prices count");
  t.match(missing.errors, [
    { id: "item-price-error", additionalInformation: { itemId: id(1) }, message: /USD/ },
    { id: "item-price-error", message: /CHF/ },
  ]);
  t.same(missing.line("110.0", 1)?.inactive, ["NoData"]);

  const yen = Result.of({
    items: [article(1, [sales("10")], { quantity: pieces("3") })],
    settings: { currency: "JPY", exchangeRates: { JPY: "161.55" } },
  });
  t.equal(yen.value("500.0"), "4848", "1615.5 is rounded to 1616, half to even");
  t.same(["EUR", "JPY", "KWD"].map(currencyDigits), [2, 0, 3]);

  const swiss = Result.of({
    items: [article(1, [sales("100", {}, "CHF")])],
    conditions: [record("210.0", percent("-3.33"), 1)],
    settings: { currency: "CHF", rounding: { halfWay: "even", interval: "0.05" } },
  });
  t.equal(swiss.value("210.0", 1), "-3.35");
  t.equal(swiss.value("400.0", 1), "96.65");

  const dollars = Result.of({
    items: [article(1, [sales("100", {}, "USD")])],
    settings: { currency: "GBP", exchangeRates: { USD: "1.25", GBP: "0.8" } },
  });
  t.equal(dollars.value("400.0", 1), "64.00", "100 / 1.25 * 0.8");
});

t.test("base and variant prices, purchase and sales", async (t) => {
  const components = [
    { label: [{ lang: "en", value: "Oak" }], amount: money("30") },
    { label: [{ lang: "en", value: "Fire class" }], amount: percent("5") },
    { label: [{ lang: "en", value: "No drawer" }], amount: money("-12.50") },
  ];
  const result = Result.of({
    items: [
      article(1, [purchase("120"), sales("200", { components })], { quantity: pieces("2") }),
      article(2, [sales("4.50", { perQuantity: pieces("100") })], { quantity: pieces("250") }),
      article(3, [sales("80")], { quantity: { value: "2.5", unit: "MTR" } }),
    ],
    conditions: [record("20.0", percent("-10"), 1), record("23.0", money("-1"), 1)],
  });
  const variants = result.sheet(1).lines.filter(({ level }) => level === 120);
  t.same(
    variants.map(({ label, value, counter }) => [label[0]?.value, value?.value, counter]),
    [
      ["Oak", "60.00", 0],
      ["Fire class", "20.00", 1],
      ["No drawer", "-25.00", 2],
    ],
    "one line for each component; 5 % of the base price",
  );
  t.same(result.values(["12.0", "20.0", "23.0", "30.0"], 1), ["240.00", "-24.00", "-2.00", "214.00"]);
  t.same(result.values(["125.0", "200.0", "400.0"], 1), ["455.00", "455.00", "455.00"], "sales start anew");
  t.same(result.values(["710.0", "715.0", "720.0"], 1), ["214.00", "455.00", "241.00"]);
  t.same(result.line("725.0", 1)?.amount, percent("52.97"), "241 of 455");
  t.same(result.line("720.0", 2)?.inactive, ["NoData"], "no margin without a purchase price");
  t.equal(result.value("400.0", 2), "11.25");
  t.equal(result.value("400.0", 3), "200.00");
  t.same(result.sheet(3).quantity, { value: "2.5", unit: "MTR" });
  t.equal(result.value("120.0"), "55.00", "the header has one line of all variant prices");
  t.equal(result.line("11.0", 1), undefined, "a line that comes by itself is not there without data");
  t.same(result.line("13.0", 1)?.inactive, ["NoData"], "one that is always there is an empty slot");
  t.equal(result.line("21.0", 1), undefined, "a manual line is not there without a record");
  t.equal(result.line("1.0", 1)?.label[0]?.value, "Purchase", "texts keep their labels");
});

t.test("a manual price replaces the prices above it", async (t) => {
  const components = [{ label: [], amount: money("20") }];
  const result = Result.of({
    items: [article(1, [sales("100", { components })], { quantity: pieces("3") }), article(2, [sales("10")])],
    conditions: [record("130.0", money("75.50"), 1), record("131.0", percent("10"), 1)],
  });
  t.same(result.line("110.0", 1)?.inactive, ["SubsequentPrice"]);
  t.same(result.line("120.0", 1)?.inactive, ["SubsequentPrice"]);
  t.equal(result.value("110.0", 1), "300.00", "the replaced price stays readable");
  t.equal(result.value("125.0", 1), "360.00", "so does the price of the product data");
  t.equal(result.line("130.0", 1)?.manual, true);
  t.same(result.values(["130.0", "131.0", "200.0"], 1), ["226.50", "22.65", "249.15"]);
  t.equal(result.value("110.0"), "10.00", "the header adds up what counts");
  const free = Result.of({ items: [article(1, [sales("9")])], conditions: [record("130.0", money("0"), 1)] });
  t.equal(free.value("400.0", 1), "0.00");
  t.ok(netPrice(free.sheet(1), procedure), "free of charge is a price");
  t.equal(netPrice(Result.of({ items: [article(1, [])] }).sheet(1), procedure), undefined);
});

t.test("discounts and surcharges of items", async (t) => {
  const result = Result.of({
    items: [article(1, [sales("100")], { quantity: pieces("2") })],
    conditions: [
      record("210.0", percent("-10"), 1),
      record("210.1", percent("-5"), 1),
      record("211.0", percent("2"), 1),
      record("214.0", money("-3.50"), 1),
      { ...record("215.0", money("-1"), 1), label: [{ lang: "en", value: "Showroom piece" }] },
    ],
  });
  t.same(
    result.values(["210.0", "210.1", "211.0", "214.0", "215.0", "300.0", "400.0"], 1),
    ["-20.00", "-9.00", "3.42", "-7.00", "-2.00", "-34.58", "165.42"],
    "each of what is left, absolute ones per piece",
  );
  t.equal(result.line("215.0", 1)?.label[0]?.value, "Showroom piece");
  t.same(result.line("210.0", 1)?.amount, percent("-10"));

  const half = { items: [article(1, [sales("0.25")])], conditions: [record("210.0", percent("-10"), 1)] };
  t.equal(Result.of(half).value("210.0", 1), "-0.02", "0.025 goes to the even cent");
  const up = calculate(project(half), { ...procedure, halfWay: "up" });
  t.equal(valueOfTag(up.calculation.header, procedure, "DISCOUNT")?.value, "-0.03");
});

t.test("records that cannot be placed are told, better fitting ones win", async (t) => {
  const result = Result.of({
    items: [article(1, [sales("100")]), setArticle(2, [])],
    conditions: [
      { ...record("210.0", percent("-10"), 1), scheme },
      record("210.0", percent("-50"), 1),
      { ...record("211.0", percent("-50"), 1), scheme: "OTHER" },
      record("210.7", percent("-1"), 1),
      record("777.0", percent("-50"), 1),
      record("210.0", percent("-50")),
      record("410.0", percent("-50"), 1),
      record("210.0", percent("-50"), 2),
      record("210.0", percent("-50"), 404),
    ],
  });
  t.equal(result.value("400.0", 1), "89.00", "10 % by the scheme's record, and 1 % more of the same base");
  const summary = result.errors.map(
    ({ message, scope }) => `${scope} ${message.replace(/.*at (\S+) .*/, "$1")}`,
  );
  t.same(summary.sort(), ["WARN 210.0", "WARN 210.0", "WARN 410.0", "WARN 777.0"]);
  const units = Result.of({
    items: [article(1, [sales("1", { perQuantity: { value: "1", unit: "KGM" } })])],
  });
  t.match(units.errors, [{ scope: "WARN", message: /KGM/ }]);
  const zero = Result.of({ items: [article(1, [sales("1", { perQuantity: pieces("0") })])] });
  t.match(zero.errors, [{ scope: "ERROR", message: /quantity of 0/ }]);
});

t.test("header discounts and surcharges are spread to the cent", async (t) => {
  const items = [article(3, [sales("33.34")]), article(1, [sales("33.33")]), article(2, [sales("33.33")])];
  const discount = Result.of({ items, conditions: [record("410.0", percent("-10"))] });
  t.same(
    [1, 2, 3].map((each) => discount.value("410.0", each)),
    ["-3.33", "-3.33", "-3.34"],
  );
  t.same(discount.values(["400.0", "410.0", "500.0"]), ["100.00", "-10.00", "90.00"]);
  t.same(discount.line("410.0")?.amount, percent("-10"));

  const equal = [1, 2, 3].map((each) => article(each, [sales("10")]));
  const freight = Result.of({
    items: equal,
    conditions: [record("413.0", money("1")), record("413.1", money("-0.02"))],
  });
  t.same(
    [1, 2, 3].map((each) => freight.value("413.0", each)),
    ["0.34", "0.33", "0.33"],
    "equal remainders go by item id",
  );
  t.same(freight.values(["413.0", "413.1", "500.0"]), ["1.00", "-0.02", "30.98"]);
  t.same(freight.line("413.0")?.amount, money("1.00"), "the header states the amount");
  t.equal(freight.line("413.0", 1)?.amount, undefined, "the items only their part of it");

  const credit = Result.of({
    items: [article(1, [sales("100")]), article(2, [sales("-90")])],
    conditions: [record("413.0", money("19")), record("410.0", percent("-10"))],
  });
  t.same(credit.values(["410.0", "413.0", "500.0"], 1), ["-10.00", "10.00", "100.00"]);
  t.same(credit.values(["410.0", "413.0", "500.0"], 2), ["9.00", "9.00", "-72.00"], "by size, not by sign");

  const nothing = Result.of({
    items: [article(1, [sales("10")], { discountable: false })],
    conditions: [record("413.0", money("-5"))],
  });
  t.equal(nothing.value("500.0"), "10.00");
  t.match(nothing.errors, [{ scope: "WARN", message: /413\.0/ }]);
});

t.test("what is not discountable takes no discount, but surcharges", async (t) => {
  const result = Result.of({
    items: [
      article(1, [sales("100")], { discountable: false }),
      article(2, [sales("100")]),
      setArticle(3, [article(4, [sales("100")])], { discountable: false }),
    ],
    conditions: [
      record("210.0", percent("-10"), 1),
      record("210.0", percent("-10"), 4),
      record("214.0", money("4"), 1),
      record("410.0", percent("-20")),
      record("413.0", money("-30")),
      record("413.1", money("26.4")),
    ],
  });
  t.same(result.line("210.0", 1)?.inactive, ["NoData"]);
  t.same(result.line("410.0", 1)?.inactive, ["NoData"]);
  t.same(result.values(["400.0", "413.1"], 1), ["104.00", "10.81"], "104 of the 254 that are left");
  t.same(result.values(["410.0", "413.0", "413.1"], 2), ["-20.00", "-30.00", "5.20"]);
  t.equal(result.value("400.0", 4), "100.00", "parts of a set follow the set");
  t.same(result.values(["410.0", "413.0", "500.0"]), ["-20.00", "-30.00", "280.40"]);
});

t.test("taxes by category, rounded on the total", async (t) => {
  const items = [
    article(1, [sales("0.33")]),
    article(2, [sales("0.33")]),
    article(3, [sales("0.33")]),
    article(4, [sales("20")], { taxCategories: { VAT: "reduced_rate" } }),
    article(5, [sales("7")], { taxCategories: { VAT: "exemption" } }),
    article(6, [sales("7")], { taxCategories: { VAT: "luxury_rate" } }),
  ];
  const result = Result.of({ items, settings: { taxScheme: germanTaxes } });
  const lines = linesWithTag(result.sheet(), procedure, "VAT").map(({ line }) => [
    line.counter,
    line.taxCategory,
    line.amount?.value,
    line.value?.value,
  ]);
  t.same(lines, [
    [0, "standard_rate", "19", "0.19"],
    [1, "reduced_rate", "7", "1.40"],
    [2, "exemption", "0", "0.00"],
  ]);
  t.same(
    [1, 2, 3].map((each) => result.value("510.0", each)),
    ["0.07", "0.06", "0.06"],
  );
  t.equal(result.value("530.0"), "36.58");
  t.match(result.errors, [{ message: /luxury_rate/, additionalInformation: { itemId: id(6) } }]);

  const several = Result.of({
    items: [article(1, [sales("100")])],
    settings: {
      taxScheme: {
        id: "CA",
        order: ["CST", "GST"],
        taxTypes: ["CST", "GST"].map((each, index) => ({
          id: each,
          rateUnit: "%",
          categories: [{ id: "standard_rate", rate: ["7", "5"][index] ?? "" }],
        })),
      },
    },
  });
  t.same(
    several.values(["511.0", "512.0", "530.0"]),
    ["7.00", "5.00", "112.00"],
    "taxes do not tax each other",
  );
  t.same(several.sheet().tax, { value: "12.00", currency: "EUR" });
});

t.test("eco contribution by net weight, part of what is taxed", async (t) => {
  const taxScheme = {
    ...germanTaxes,
    taxTypes: [
      ...germanTaxes.taxTypes,
      { id: "ECO_FR", rateUnit: "EUR/KGM", categories: [{ id: "standard_rate", rate: "0.10" }] },
    ],
  };
  const result = Result.of({
    items: [
      article(1, [sales("25")], {
        quantity: pieces("4"),
        packaging: { netWeight: { value: "2500", unit: "GRM" } },
      }),
      article(2, [sales("1")]),
      article(3, [sales("1")], { packaging: { netWeight: { value: "1", unit: "XYZ" } } }),
    ],
    settings: { taxScheme },
  });
  t.same(result.values(["508.0", "509.0", "510.0", "530.0"], 1), ["1.00", "101.00", "19.19", "120.19"]);
  t.same(result.values(["508.0", "509.0"]), ["1.00", "103.00"]);
  t.same(result.line("508.0", 2)?.inactive, ["NoData"]);
  t.match(result.errors, [{ additionalInformation: { itemId: id(3) }, message: /netWeight/ }]);
  t.equal(valueOfTag(result.sheet(), procedure, "NET_VALUE_ECO")?.value, "103.00");
});

t.test("the total is rounded to a multiple of what the rounding line states", async (t) => {
  const result = Result.of({
    items: [article(1, [sales("70")]), article(2, [sales("30.31")], { discountable: false })],
    conditions: [record("520.0", money("1"))],
    settings: { taxScheme: germanTaxes },
  });
  t.same(result.values(["510.0", "520.0", "530.0"]), ["19.06", "-0.37", "119.00"]);
  t.same(
    [1, 2].map((each) => result.value("520.0", each)),
    ["-0.26", "-0.11"],
  );
  t.equal(result.value("630.0"), "119.37", "the branch without header discounts has none of it");
});

t.test("alternative and optional positions", async (t) => {
  const result = Result.of({
    items: [
      article(1, [sales("100")]),
      article(2, [sales("50")], { inactive: [{ kind: "alternative" }] }),
      article(3, [sales("40")], { inactive: [{ scheme, kind: "optional" }] }),
      article(4, [sales("30")], { inactive: [{ scheme: "OTHER", kind: "optional" }] }),
    ],
    conditions: [
      record("410.0", percent("-10")),
      record("413.0", money("-13")),
      record("210.0", percent("-2"), 2),
    ],
    settings: { taxScheme: germanTaxes },
  });
  t.same(result.values(["400.0", "413.0", "500.0", "510.0"]), ["130.00", "-13.00", "104.00", "19.76"]);
  t.same(
    result.values(["400.0", "410.0", "500.0", "510.0"], 2),
    ["49.00", "-4.90", "44.10", "8.38"],
    "their own sheets are computed with what applies to a single item",
  );
  t.same(
    result.line("413.0", 2)?.inactive,
    ["NoData"],
    "and take no part of an amount for the whole project",
  );
});

t.test("sets, composites and pseudo articles", async (t) => {
  const items: Item[] = [
    setArticle(
      1,
      [
        article(2, [sales("10")], { quantity: pieces("2") }),
        article(3, [sales("99")], { inactive: [{ kind: "alternative" }] }),
        setArticle(4, [article(5, [sales("1.5")])], { quantity: pieces("4") }),
      ],
      { quantity: pieces("3") },
    ),
    article(6, [sales("100")], {
      articleKind: "aggregate",
      quantity: pieces("2"),
      children: [article(7, [sales("5")], { quantity: pieces("4") })],
    }),
    article(8, [sales("6")], { mainArticleId: id(6) }),
    article(9, [sales("77")], { pseudoArticle: true, children: [article(10, [sales("8")])] }),
    setArticle(11, [article(12, [sales("1")])], { inactive: [{ kind: "optional" }] }),
  ];
  const result = Result.of({ items, conditions: [record("210.0", percent("-10"), 2)] });
  const net = (...numbers: number[]): (string | undefined)[] =>
    numbers.map((number) => result.value("400.0", number));
  t.same(net(2, 5), ["54.00", "18.00"], "quantities are per set, sheets state those of the document");
  t.same(result.sheet(5).quantity, pieces("12"));
  t.same(net(4, 1), ["18.00", "72.00"], "a set is the sum of its parts, without alternative ones");
  t.same(unitPrice(result.line("400.0", 1) ?? missing(), result.sheet(1)), {
    value: "24.00",
    currency: "EUR",
  });
  t.same(net(6, 7, 8), ["200.00", "40.00", "12.00"], "a composite and its parts have prices of their own");
  t.same(net(9, 10), ["0.00", "8.00"], "a pseudo article has none");
  t.equal(netPrice(result.sheet(9), procedure), undefined);
  t.equal(net(11)[0], "1.00", "an optional set has the sum of its parts");
  t.equal(result.value("400.0"), "332.00", "72 + 200 + 40 + 12 + 8: nothing twice");
  t.same(countedItemIds(project({ items }), scheme), [2, 5, 6, 7, 8, 10].map(id));

  const grouped = Result.of({ items }, { groupPseudoArticleParts: true });
  t.equal(grouped.value("400.0", 9), "8.00");
  t.equal(grouped.value("500.0"), "338.00", "338 without the discount, and still nothing twice");

  const group = groupSheet(result.calculation, procedure, [id(2), id(7), id(404)]);
  t.equal(group.netValue?.value, "94.00");
  const wholly = groupSheet(result.calculation, procedure, countedItemIds(project({ items }), scheme));
  t.same(wholly, result.sheet(), "the header sheet is the sheet of all items that count");
});

function missing(): never {
  throw new Error("the line is missing");
}

t.test("calculations and procedures that a project brings", async (t) => {
  const given: Calculation = { scheme, header: { currency: "EUR", lines: [] }, items: {} };
  const base = project({ items: [article(1, [sales("1")])] });
  t.equal(calculate({ ...base, calculations: [given] }, procedure).calculation, given, "counts as it is");
  t.not(calculate({ ...base, calculations: [{ ...given, scheme: "X" }] }, procedure).calculation, given);

  const server = { find: async (name: string) => (name === scheme ? procedure : undefined) };
  const own = { ...procedure };
  t.equal(await findProcedure(base, scheme, server), procedure);
  t.equal(await findProcedure({ ...base, procedures: [own] }, scheme, server), own, "the project's own wins");
  const unknown = await findProcedure(base, "NONE", server).catch((error: unknown) => error);
  t.match(unknown, { id: "request-calculation-not-found", code: 422, message: /NONE/ });

  const twice = project({ items: [article(1, []), article(1, [])] });
  t.throws(() => calculate(twice, procedure), { id: "request-bad-request", message: new RegExp(id(1)) });
});

t.test("the prices of a project are computed once, with what reads its sheets", async (t) => {
  const components = [1, 2].map((each) => ({ label: [], amount: money(String(each)) }));
  const items = [
    article(1, [sales("10", { components })]),
    article(2, [sales("20", { components })]),
    article(3, [sales("30", {}, "USD")], { inactive: [{ kind: "optional" }] }),
  ];
  const given = project({ items, conditions: [record("210.0", percent("-10"), 1)] });
  let asked = 0;
  const server = {
    find: async () => {
      asked += 1;
      return procedure;
    },
  };
  const prices = await projectPrices(given, scheme, server);
  t.equal(await projectPrices(given, scheme, server), prices, "another time for the same project");
  t.equal(asked, 1);
  t.not(await projectPrices({ ...given }, scheme, server), prices, "a new revision starts anew");
  t.same(prices.countedItemIds, [id(1), id(2)]);
  t.match(prices.errors, [{ id: "item-price-error", additionalInformation: { itemId: id(3) } }]);
  const sheets = [1, 2].flatMap((each) => prices.calculation.items[id(each)] ?? []);
  const sum = prices.sheets.sum(sheets);
  t.same(
    sum.filter(({ line }) => line.level === 120).map(({ value }) => value.toFixed()),
    ["2", "4"],
    "every variant price stays a line of its own",
  );
  t.equal(tagged(sum, "ITEM_NET_VALUE")?.value.toFixed(2), "34.70");
  t.equal(prices.sheets.value(sheets, "ITEM_NET_VALUE").toFixed(2), "34.70");
  t.same([sum.find(({ line }) => line.level === 210)?.sales, tagged(sum, "NO_TAG")], [true, undefined]);
  const unknown = await projectPrices({ ...given }, "NONE", { find: async () => undefined }).catch(
    (error: unknown) => error,
  );
  t.match(unknown, { id: "request-calculation-not-found" });
});

t.test("parts of parts that stand beside each other: prices and views agree on quantities", async (t) => {
  const items: Item[] = [
    article(1, [sales("5")], { mainArticleId: id(2) }),
    article(2, [sales("10")], { setArticleId: id(3), quantity: pieces("3") }),
    setArticle(3, [], { quantity: pieces("2") }),
    article(4, [sales("7")], {
      quantity: pieces("2"),
      children: [
        article(5, [], { quantity: pieces("4"), children: [article(6, [], { mainArticleId: id(4) })] }),
      ],
    }),
  ];
  const result = Result.of({ items });
  const quantities = new Map<string, string | undefined>();
  for (const node of walkNodes(resolveView(project({ items })).nodes))
    for (const item of node.items) quantities.set(item.id, node.quantity?.value);
  const numbers = [1, 2, 3, 4, 5, 6];
  const expected = ["6", "6", "2", "2", "8", "8"];
  t.same(
    numbers.map((number) => quantities.get(id(number))),
    expected,
  );
  t.same(
    numbers.map((number) => result.sheet(number).quantity?.value),
    expected,
  );
});

t.test("a part in a folder counts as its composite does", async (t) => {
  const part = article(2, [], { mainArticleId: id(1) });
  const items: Item[] = [
    article(1, [], { inactive: [{ kind: "optional" }] }),
    { type: "folder", id: id(3), name: [{ lang: "en", value: "Parts" }], children: [part] },
  ];
  t.equal(itemStatus(project({ items }), part, scheme), "optional");
});

t.test("an id that a file repeats keeps nothing from ending", async (t) => {
  const inner = article(1, []);
  const items: Item[] = [
    article(1, [], { children: [inner] }),
    article(2, [], { children: [article(3, [], { mainArticleId: id(1) })] }),
    article(3, [], { children: [article(2, [])] }),
  ];
  t.equal(itemStatus(project({ items }), inner, scheme), "active");
  t.throws(() => Result.of({ items }), { code: 400, message: /two items with the id/ });
});

t.test("what an item counts as, by itself and within what it is a part of", async (t) => {
  const part = article(2, []);
  const beside = article(3, [], { mainArticleId: id(4) });
  const items: Item[] = [
    setArticle(1, [part], { inactive: [{ scheme, kind: "alternative" }] }),
    beside,
    article(4, [], { inactive: [{ kind: "optional" }] }),
    article(5, [], { inactive: [{ scheme: "OTHER", kind: "optional" }] }),
    article(6, [], { mainArticleId: id(6) }),
  ];
  const given = project({ items });
  const statuses = [...items.slice(0, 1), part, ...items.slice(1)].map((each) =>
    itemStatus(given, each, scheme),
  );
  t.same(statuses, ["alternative", "alternative", "optional", "optional", "active", "active"]);
  t.equal(itemStatus(given, part, "OTHER"), "active");
  t.same(
    [part, beside].map((each) => ownItemStatus(each, scheme)),
    ["active", "active"],
  );
});

t.test("a malformed procedure is refused with everything that is wrong", async (t) => {
  const [firstType] = procedure.conditionTypes;
  const broken: PricingProcedure = {
    ...procedure,
    conditionTypes: [...procedure.conditionTypes, ...(firstType === undefined ? [] : [firstType])],
    lines: [
      { level: 10, counter: 0, kind: "condition", conditionType: "NONE", tags: [], insertMode: "auto" },
      { level: 10, counter: 0, kind: "condition", tags: [], insertMode: "auto", from: 20 },
      { level: 20, counter: 0, kind: "subtotal", tags: [], insertMode: "always", from: 20 },
      {
        level: 30,
        counter: 0,
        kind: "subtotal",
        tags: [],
        insertMode: "always",
        from: 20,
        to: 30,
        parent: 40,
      },
      { level: 40, counter: 0, kind: "subtotal", tags: ["MARGIN_REL"], insertMode: "always" },
      { level: 50, counter: 0, kind: "subtotal", tags: [], insertMode: "always", from: 30, to: 20 },
      { level: 60, counter: 0, kind: "subtotal", tags: [], insertMode: "always", to: 20 },
    ],
  };
  t.same(
    checkProcedure(broken).map(({ path }) => path),
    [
      `conditionTypes[${procedure.conditionTypes.length}].name`,
      "lines[1]",
      "lines[0].conditionType",
      "lines[1].conditionType",
      "lines[1].from",
      "lines[2].from",
      "lines[3].to",
      "lines[3].parent",
      "lines[4].from",
      "lines[5].from",
      "lines[6].from",
    ],
  );
  t.throws(() => calculate(project({ items: [] }), broken), {
    name: "RequestError",
    id: "request-bad-request",
  });
});

t.test("reading sheets", async (t) => {
  const { calculation } = calculate(
    project({
      items: [article(1, [purchase("50"), sales("100")], { quantity: pieces("3") })],
      conditions: [record("210.0", percent("-10"), 1), record("410.0", percent("-1"))],
      settings: { taxScheme: germanTaxes },
    }),
    procedure,
  );
  const sheet = calculation.items[id(1)] ?? missing();
  t.same(netPrice(sheet, procedure), {
    unit: { value: "90.00", currency: "EUR" },
    total: { value: "270.00", currency: "EUR" },
  });
  t.equal(valueOfTag(sheet, procedure, "GROSS_SALES_PRICE")?.value, "300.00");
  t.equal(valueOfTag(sheet, procedure, "NO_SUCH_TAG"), undefined);
  t.same(
    joinLines({ currency: "EUR", lines: [{ level: 210, counter: 9, label: [] }] }, procedure)[0]?.tags,
    ["DISCOUNT"],
    "an unknown counter belongs to counter 0",
  );
  const places = (which: Sheet, where: "position" | "header"): string[] =>
    printedLines(which, procedure, where).map(({ line }) => `${line.level}.${line.counter}`);
  t.same(
    places(sheet, "position").filter((each) => Number(each) >= 100 && Number(each) < 700),
    ["110.0", "125.0", "200.0", "210.0", "300.0", "400.0", "509.0"],
  );
  t.same(places(calculation.header, "header"), ["410.0", "500.0", "510.0", "530.0"]);

  const control = (printControl: string): PricingProcedure => ({
    ...procedure,
    lines: procedure.lines.map((line) => (line.level === 200 ? { ...line, printControl } : line)),
  });
  const shows = (printControl: string): boolean =>
    printedLines(sheet, control(printControl), "position").some(({ line }) => line.level === 200);
  t.same(
    [
      "Never",
      "PositionAlways",
      "PositionNonZero",
      "PositionChanged",
      "PositionChangedNonZero",
      "HeaderAlways",
    ].map(shows),
    [false, true, true, false, false, false],
    "200 is the same as the subtotal 125 before it",
  );
});

/** A random project: prices, quantities, discounts of items and of the whole, exclusions, taxes, rounding. */
const randomItem = fc.record({
  price: fc.integer({ min: -20_000, max: 500_000 }),
  quantity: fc.integer({ min: 1, max: 500 }),
  discount: fc.option(fc.integer({ min: -9999, max: 9999 })),
  perPiece: fc.option(fc.integer({ min: -300, max: 300 })),
  discountable: fc.boolean(),
  inactive: fc.boolean(),
  category: fc.constantFrom("standard_rate", "reduced_rate", "exemption"),
});
const randomProject = fc.record({
  items: fc.array(randomItem, { minLength: 1, maxLength: 12 }),
  percents: fc.array(fc.integer({ min: -5000, max: 5000 }), { maxLength: 3 }),
  amounts: fc.array(fc.integer({ min: -5000, max: 5000 }), { maxLength: 3 }),
  rounding: fc.option(fc.constantFrom("0.05", "1", "10")),
  interval: fc.constantFrom("0.01", "0.05"),
});
type RandomProject = typeof randomProject extends fc.Arbitrary<infer T> ? T : never;

function hundredths(value: number): string {
  return new Exact(value).div(100).toFixed(2);
}

function partsOf(random: RandomProject): ProjectParts & { conditions: ConditionRecord[] } {
  const conditions: ConditionRecord[] = [];
  const items = random.items.map((each, index) => {
    if (each.discount !== null) conditions.push(record("210.0", percent(hundredths(each.discount)), index));
    if (each.perPiece !== null) conditions.push(record("214.0", money(hundredths(each.perPiece)), index));
    return article(index, [sales(hundredths(each.price))], {
      quantity: pieces(new Exact(each.quantity).div(8).toFixed()),
      discountable: each.discountable,
      taxCategories: { VAT: each.category },
      ...(each.inactive ? { inactive: [{ kind: "optional" as const }] } : {}),
    });
  });
  const levels = ["410.0", "410.1", "411.0"];
  for (const [index, each] of random.percents.entries()) {
    conditions.push(record(levels[index] ?? "412.0", percent(hundredths(each))));
  }
  const amountLevels = ["413.0", "413.1", "414.0"];
  for (const [index, each] of random.amounts.entries()) {
    conditions.push(record(amountLevels[index] ?? "415.0", money(hundredths(each))));
  }
  if (random.rounding !== null) conditions.push(record("520.0", money(random.rounding)));
  const settings = {
    taxScheme: germanTaxes,
    rounding: { halfWay: "even" as const, interval: random.interval },
  };
  return { items, conditions, settings };
}

function holds(test: (random: RandomProject) => boolean | undefined): void {
  fc.assert(
    fc.property(randomProject, (random) => test(random) !== false),
    { numRuns: 150, seed: 20_260_701 },
  );
}

function total(values: (string | undefined)[]): Exact {
  return values.reduce((sum, value) => sum.plus(value ?? 0), new Exact(0));
}

t.test("whatever the project, the sheets agree", async (t) => {
  t.doesNotThrow(
    () =>
      holds((random) => {
        const { calculation } = calculate(project(partsOf(random)), procedure);
        const counted = random.items.flatMap((each, index) => (each.inactive ? [] : [id(index)]));
        return ["ITEM_NET_VALUE", "NET_VALUE", "TAX", "FINAL_VALUE", "HEADER_DISCOUNT"].every((tag) => {
          const ofItems = counted.map((each) => {
            const sheet = calculation.items[each];
            return sheet && valueOfTag(sheet, procedure, tag)?.value;
          });
          return total(ofItems).eq(valueOfTag(calculation.header, procedure, tag)?.value ?? 0);
        });
      }),
    "values and taxes of the items add up to those of the header",
  );

  t.doesNotThrow(
    () =>
      holds((random) => {
        const { header } = calculate(project(partsOf(random)), procedure).calculation;
        const value = (tag: string): Exact => new Exact(valueOfTag(header, procedure, tag)?.value ?? 0);
        const rounded = header.lines.find(({ level }) => level === 520)?.value?.value ?? "0";
        const net = value("ITEM_NET_VALUE").plus(value("HEADER_DISCOUNT"));
        return net.eq(value("NET_VALUE")) && net.plus(value("TAX")).plus(rounded).eq(value("FINAL_VALUE"));
      }),
    "net value, taxes and rounding add up to the total",
  );

  t.doesNotThrow(
    () =>
      holds((random) => {
        const discountsOnly: RandomProject = {
          ...random,
          items: random.items.map((each) => ({ ...each, perPiece: null })),
          percents: random.percents.map((each) => -Math.abs(each)),
          amounts: random.amounts.map((each) => -Math.abs(each)),
        };
        const parts = partsOf(discountsOnly);
        const none = parts.conditions.filter(({ itemId, amount }) => itemId && !amount.value.startsWith("-"));
        const after = calculate(project(parts), procedure).calculation;
        const before = calculate(project({ ...parts, conditions: none }), procedure).calculation;
        return random.items.every((each, index) => {
          if (each.discountable) return true;
          return after.items[id(index)]?.netValue?.value === before.items[id(index)]?.netValue?.value;
        });
      }),
    "discounts never change an item that is not discountable",
  );

  t.doesNotThrow(
    () =>
      holds((random) => {
        const parts = partsOf(random);
        const turned = {
          ...parts,
          items: [...parts.items].reverse(),
          conditions: [...parts.conditions].reverse(),
        };
        const first = calculate(project(parts), procedure).calculation;
        const second = calculate(project(turned), procedure).calculation;
        const sorted = ({ header, items }: Calculation): string =>
          JSON.stringify([header, Object.entries(items).sort(([a], [b]) => (a < b ? -1 : 1))]);
        return sorted(first) === sorted(second);
      }),
    "the order of items and records changes nothing",
  );

  t.doesNotThrow(
    () =>
      holds((random) => {
        const { calculation } = calculate(project(partsOf(random)), procedure);
        return [calculation.header, ...Object.values(calculation.items)].every((sheet) =>
          sheet.lines.every(({ value }) => {
            if (value === undefined) return true;
            return /^-?\d+\.\d\d$/.test(value.value) && new Exact(value.value).mod(random.interval).isZero();
          }),
        );
      }),
    "every value has the digits of the currency and is a multiple of the rounding interval",
  );
});
