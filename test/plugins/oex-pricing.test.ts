/**
 * Pricing lines of order exports: those of items and of the header, from the sheets of a project. Tested by itself: lines of
 * hundreds of generated projects are seen apart from the rest of a document.
 */
import type { Calculation, PricingProcedure, ProjectPrices, Sheet, SheetLine } from "@slipway/sdk";
import fc from "fast-check";
import t from "tap";
import type { OexItem, PricingLine } from "../../plugins/oex/document/oex-document.js";
import { createOexChecker } from "./oex-checking-support.js";
import { documentTypes, oexVersions } from "./oex-formats.js";
import { article, documentOf, folder, id, pieces, set } from "./oex-items-support.js";
import {
  german,
  lineValue,
  money,
  type PricedExport,
  type PricedProject,
  percent,
  priced,
  pricedExport,
  procedure,
  record,
  scheme,
  shown,
  taxScheme,
} from "./oex-pricing-support.js";

const salesOnly = { calculationPurchase: false };
const purchaseOnly = { calculationSales: false };
const quotes = { documentType: "QUOTES" } as const;
const reduced = { taxCategories: { VAT: "reduced_rate" } };

/** The standard procedure with the header's conditions among purchase prices, at levels 40 and 41, as well. */
const purchaseProcedure: PricingProcedure = {
  ...procedure,
  lines: [
    ...procedure.lines,
    ...["HDIP00", "HDIA00"].map((conditionType, index) => ({
      level: 40 + index,
      counter: 0,
      kind: "condition" as const,
      conditionType,
      tags: ["HEADER_DISCOUNT"],
      insertMode: "always" as const,
    })),
  ],
};

t.test("the worked example of the OEX reference, section 15.6", async (t) => {
  const items = [
    priced(1, { purchase: "250", quantity: "3" }),
    priced(2, { purchase: "40", quantity: "2" }, reduced),
  ];
  const conditions = [
    record("20.0", percent("-20"), 1),
    record("21.0", percent("-5"), 1),
    record("23.0", money("-4"), 2),
    record("40.0", percent("-3")),
    record("41.0", money("25")),
  ];
  const given = { items, conditions, taxes: german, procedure: purchaseProcedure, config: purchaseOnly };
  const made = await pricedExport(given);
  t.strictSame(shown(made.item(1)), [
    "P SGRO 250.00",
    "P DISI<1 BD- 20.00% 50.00",
    "P DISI<2 D1- 5.00% 10.00",
    "P SNET 190.00",
    "P TNET 570.00",
    "P TTNE tax1 570.00",
    "P TTAX<6 tax1 19.00% 108.30",
    "P TOTL 678.30",
    "P SNEH 191.70",
    "P TNEH 575.10",
  ]);
  t.strictSame(shown(made.item(2)), [
    "P SGRO 40.00",
    "P DISI<1 SD- 4.00",
    "P SNET 36.00",
    "P TNET 72.00",
    "P TTNE tax2 72.00",
    "P TTAX<5 tax2 7.00% 5.04",
    "P TOTL 77.04",
    "P SNEH 36.32",
    "P TNEH 72.64",
  ]);
  t.strictSame(
    shown(made.header()),
    [
      "P TGRO 830.00",
      "P DISI<1 BD- 150.00",
      "P DISI<1 D1- 30.00",
      "P DISI<1 SD- 8.00",
      "P TNET 642.00",
      "P DISH<5 VO- 3.00% 19.26",
      "P SURH<6 S2+ 25.00",
      "P TNEH 647.74",
      "P TTNE tax1 575.10",
      "P TTAX<9 tax1 19.00% 109.27",
      "P TTNE tax2 72.64",
      "P TTAX<11 tax2 7.00% 5.08",
      "P TOTL 762.09",
    ],
    "the procedure does not say that the surcharge is for transport",
  );
  t.equal(made.pricing.currency, "EUR");
  t.strictSame(made.repairs(), []);
});

t.test("areas by document type and configuration", async (t) => {
  const items = [priced(1, { purchase: "60", sales: "100", quantity: "2" })];
  const areas = async (config: PricedProject["config"] = {}): Promise<string[]> => {
    const made = await pricedExport({ items, config });
    const found = made.item(1).map(({ area, type }) => `${area} ${type}`);
    const ofHeader = new Set(made.header().map(({ area }) => area));
    t.strictSame([...new Set(found.map((each) => each.slice(0, 1)))], [...ofHeader]);
    return found;
  };
  const lines = (area: string): string[] => ["SGRO", "SNET", "TNET", "TOTL"].map((type) => `${area} ${type}`);
  t.strictSame(await areas(), [...lines("P"), ...lines("S")], "purchase first");
  t.strictSame(await areas(purchaseOnly), lines("P"));
  t.strictSame(await areas(salesOnly), lines("S"));
  t.strictSame(await areas({ ...salesOnly, ...purchaseOnly }), []);
  t.strictSame(await areas(quotes), lines("S"), "purchase prices do not reach a customer");
  t.strictSame(await areas({ ...quotes, ...salesOnly }), lines("S"));
  t.strictSame(await areas({ ...quotes, ...purchaseOnly }), []);

  const made = await pricedExport({ items });
  const references = [...made.item(1), ...made.header()].map(({ currency }) => currency);
  t.strictSame([...new Set(references)], ["EUR"]);
});

t.test("discounts and surcharges of sales prices", async (t) => {
  const conditions = [
    record("131.0", percent("10"), 1),
    record("210.0", percent("-10"), 1),
    record("210.1", percent("-5"), 1, "Ausstellungsstück mit einem Kratzer an der Seite"),
    record("211.0", percent("2"), 1),
    record("214.0", money("-3.50"), 1),
    record("215.0", money("1"), 1, "Fracht\nund Zoll"),
    record("212.0", percent("0"), 1),
  ];
  const given = { items: [priced(1, { sales: "100", quantity: "2" })], conditions, config: salesOnly };
  const made = await pricedExport(given);
  t.strictSame(
    shown(made.item(1), true),
    [
      "S SGRO 110.00",
      'S DISI<1 BD- 10.00% 11.00 "Rabatt in Prozent 1"',
      'S DISI<2 D1- 5.00% 4.95 "Ausstellungsstück mit einem Kratzer"',
      'S SURI<3 S3+ 2.00% 1.88 "Rabatt in Prozent 3"',
      'S DISI<4 SD- 3.50 "Rabatt als Betrag 1"',
      'S SURI<5 S8+ 1.00 "Fracht und Zoll"',
      "S SNET 93.43",
      "S TNET 186.86",
      "S TOTL 186.86",
    ],
    "a hidden markup is part of the gross price, a discount of nothing is no line",
  );
  const lines = made.header();
  t.strictSame(shown(lines).slice(0, 2), ["S TGRO 220.00", "S DISI<1 BD- 22.00"]);
  t.strictSame(made.repairs().length, 1, "a name that is cut is told once");
  t.match(made.repairs()[0], /^WARN name of a price line .*cut to 35 characters/);
  const english = await pricedExport({ ...given, locale: "en_GB" });
  t.equal(english.item(1)[1]?.text, "Percent discount 1", "names are in the language of the document");
});

t.test("what a discount is a percentage of", async (t) => {
  const items = [priced(1, { sales: "200" })];
  const conditions = [
    record("210.1", percent("-10"), 1),
    record("211.0", percent("-10"), 1),
    record("212.0", percent("-10"), 1),
    record("213.0", percent("-12.345"), 1),
  ];
  const lineFrom = (level: number, from: number, to?: number): PricingProcedure => ({
    ...procedure,
    lines: procedure.lines.map((line) =>
      line.level === level ? { ...line, from, ...(to === undefined ? {} : { to }) } : line,
    ),
  });
  const lines = async (used: PricingProcedure): Promise<string[]> => {
    const made = await pricedExport({ items, conditions, config: salesOnly, procedure: used });
    return shown(made.item(1)).slice(1, 5);
  };
  t.strictSame(
    await lines(procedure),
    [
      "S DISI<1 D1- 10.00% 20.00",
      "S DISI<2 D2- 10.00% 18.00",
      "S DISI<3 D3- 10.00% 16.20",
      "S DISI<4 D4- 18.00",
    ],
    "a rate that has more than two decimals is left out, its value is not",
  );
  t.match((await lines(lineFrom(212, 200)))[2], /^S DISI<1 D3- 10.00% 20.00$/, "of the gross price");
  t.equal((await lines(lineFrom(212, 131)))[2], "S DISI<3 D4- 20.00", "of nothing: no line");
  t.match(
    (await lines(lineFrom(212, 210, 211)))[2],
    /^S SURI<3 S4\+ 3.80$/,
    "a base that no line has: the value alone, after the line before",
  );
});

t.test("free articles, articles without a tax, and prices of many", async (t) => {
  const items = [
    priced(1, { sales: "10" }),
    priced(2, { purchase: "0", sales: "0" }),
    priced(3, { purchase: "4.50", sales: "0.5", per: "100", quantity: "250" }),
    priced(4, { purchase: "1", sales: "7", quantity: "0" }),
    article(5, { pseudoArticle: true }),
  ];
  const conditions = [record("20.0", percent("-10"), 3)];
  const made = await pricedExport({ items, conditions });
  t.strictSame(shown(made.item(1)), [
    "P TNET 0.00",
    "S SGRO 10.00",
    "S SNET 10.00",
    "S TNET 10.00",
    "S TOTL 10.00",
  ]);
  t.strictSame(shown(made.item(2)).slice(0, 4), ["P SGRO 0.00", "P SNET 0.00", "P TNET 0.00", "P TOTL 0.00"]);
  t.strictSame(
    shown(made.item(3)).slice(0, 5),
    ["P SGRO 4.50 /100", "P DISI<1 BD- 10.00% 0.45 /100", "P SNET 4.05 /100", "P TNET 10.13", "P TOTL 10.13"],
    "the total of the session, from its rounded discount of 1.12",
  );
  t.strictSame(shown(made.item(4)), ["P TNET 0.00", "P TOTL 0.00", "S TNET 0.00", "S TOTL 0.00"]);
  t.strictSame(shown(made.item(5)), ["P TNET 0.00", "S TNET 0.00"]);
  t.equal(made.item(3)[1]?.text, "Rabatt in Prozent 1");
  const metre = priced(6, { sales: "10.01", quantity: "0.125" });
  const less = await pricedExport({
    items: [metre],
    conditions: [record("210.0", percent("-10"), 6)],
    config: salesOnly,
  });
  t.strictSame(
    shown(less.item(6)).slice(0, 4),
    ["S SGRO 10.01", "S DISI<1 BD- 10.00% 1.00", "S SNET 9.01", "S TNET 1.13"],
    "less than one unit: the price as it is stated, not 1.25 / 0.125",
  );
  const quote = await pricedExport({
    items,
    conditions: [record("210.0", percent("-10"), 3)],
    config: quotes,
  });
  const discount = quote.item(3)[1];
  t.strictSame([discount?.priceUnit, discount?.text], ["100", undefined], "in quotations never both");
});

t.test("several taxes: codes by category, one rate for each code", async (t) => {
  const categories = {
    standard_rate: "20",
    reduced_rate: "10",
    super_reduced_rate: "5.5",
    parking_rate: "12",
  };
  const more = { services: "8", zero_rate: "0", luxury: "33", exemption: "0" };
  const names = [...Object.keys(categories), ...Object.keys(more)];
  const items = names.map((name, index) =>
    priced(index + 1, { sales: "100" }, { taxCategories: { VAT: name } }),
  );
  const taxes = taxScheme({ VAT: { ...categories, ...more } });
  const made = await pricedExport({ items: items.toReversed(), taxes, config: salesOnly });
  const codes = names.map((_, index) => made.item(index + 1).find(({ type }) => type === "TTAX")?.taxCode);
  t.strictSame(codes, [1, 2, 3, 4, 5, 6, 100, 0]);
  t.equal(made.header().filter(({ type }) => type === "TTNE").length, 8);

  const canada = taxScheme({ CST: { standard_rate: "7" }, GST: { standard_rate: "5", zero_rate: "0" } });
  const zero = { taxCategories: { GST: "zero_rate" } };
  const several = await pricedExport({
    items: [priced(1, { sales: "100" }), priced(2, { sales: "10" }, zero)],
    taxes: canada,
    config: salesOnly,
  });
  t.strictSame(shown(several.item(1)).slice(3), [
    "S TTNE tax1 100.00",
    "S TTAX<4 tax1 7.00% 7.00",
    "S TTNE tax100 100.00",
    "S TTAX<6 tax100 5.00% 5.00",
    "S TOTL 112.00",
  ]);
  t.strictSame(shown(several.header()).slice(2), [
    "S TTNE tax1 110.00",
    "S TTAX<3 tax1 7.00% 7.70",
    "S TTNE tax100 100.00",
    "S TTAX<5 tax100 5.00% 5.00",
    "S TTNE tax6 10.00",
    "S TTAX<7 tax6 0.00% 0.00",
    "S TOTL 122.70",
  ]);

  const quebec = taxScheme({ VAT: { standard_rate: "9.975" } });
  const fine = await pricedExport({
    items: [priced(1, { sales: "1000" })],
    taxes: quebec,
    config: salesOnly,
  });
  t.match(shown(fine.header()), [
    "S TGRO 1000.00",
    "S TNET 1000.00",
    "S TTNE tax1 1000.00",
    "S TTAX<3 tax1 9.98% 99.75",
  ]);
  t.match(fine.repairs(), [/^WARN tax .*9\.975.*: rate written as 9\.98/]);
});

t.test("header discounts leave residues, and the header's totals are those of the project", async (t) => {
  const items = [
    folder(10, [priced(3, { sales: "33.34" }), priced(1, { sales: "33.33", quantity: "1" })]),
    priced(2, { sales: "33.33" }, reduced),
    priced(4, { sales: "0.33", quantity: "3" }, { discountable: false }),
  ];
  const conditions = [
    record("410.0", percent("-10")),
    record("410.1", percent("-2.5"), undefined, "Skonto"),
    record("413.0", money("-7")),
    record("414.0", money("12.5"), undefined, "Fracht"),
  ];
  const made = await pricedExport({ items, conditions, taxes: german, config: salesOnly });
  t.strictSame(shown(made.header(), true), [
    "S TGRO 100.99",
    "S TNET 100.99",
    'S DISH<2 VO- 10.00 "Rabatt in Prozent 1"',
    'S DISH<3 D1- 2.25 "Skonto"',
    'S DISH<4 D4- 7.00 "Rabatt als Betrag 1"',
    'S SURH<5 S7+ 12.50 "Fracht"',
    "S TNEH 94.24",
    "S TTNE tax1 63.20",
    "S TTAX<8 tax1 19.00% 12.01",
    "S TTNE tax2 31.04",
    "S TTAX<10 tax2 7.00% 2.17",
    "S TOTL 108.42",
  ]);
  const sheet = made.prices.calculation.header;
  const ofProject = made.prices.sheets;
  t.equal(ofProject.value([sheet], "NET_VALUE").toFixed(2), "94.24");
  t.equal(ofProject.value([sheet], "FINAL_VALUE").toFixed(2), "108.42");
  const shares = [1, 2, 3, 4].map((each) => Number(lineValue(made.item(each), "TNEH")));
  t.equal(shares.reduce((sum, each) => sum + each).toFixed(2), "94.24");
  t.strictSame(made.repairs(), []);

  const rated = await pricedExport({ items: items.slice(0, 2), conditions, config: salesOnly });
  const lines = shown(rated.header());
  t.strictSame(
    lines.slice(2, 4),
    ["S DISH<2 VO- 10.00% 10.00", "S DISH<3 D1- 2.50% 2.25"],
    "of all articles",
  );
});

t.test("hidden discounts: no line loses its base", async (t) => {
  const items = [priced(1, { purchase: "100", sales: "200" })];
  const conditions = [
    record("20.0", percent("-10"), 1),
    record("210.0", percent("-10"), 1),
    record("210.1", percent("-10"), 1),
    record("410.0", percent("-10")),
    record("410.1", percent("-10")),
  ];
  const lines = async (config: NonNullable<PricedProject["config"]>): Promise<[string[], string[]]> => {
    const made = await pricedExport({ items, conditions, taxes: german, config });
    return [shown(made.item(1)), shown(made.header())];
  };
  const purchase = ["P SGRO 100.00", "P DISI<1 BD- 10.00% 10.00", "P SNET 90.00", "P TNET 90.00"];
  const purchaseTaxes = ["P TTNE tax1 90.00", "P TTAX<5 tax1 19.00% 17.10", "P TOTL 107.10"];
  const [hidden, hiddenHeader] = await lines({ hideSalesDiscounts: true });
  t.strictSame(hidden, [
    ...[...purchase, ...purchaseTaxes],
    ...[
      "S SNET 162.00",
      "S TNET 162.00",
      "S TTNE tax1 162.00",
      "S TTAX<10 tax1 19.00% 30.78",
      "S TOTL 192.78",
    ],
    ...["S SNEH 131.22", "S TNEH 131.22"],
  ]);
  t.strictSame(hiddenHeader, [
    ...["P TGRO 100.00", "P DISI<1 BD- 10.00", "P TNET 90.00"],
    ...["P TTNE tax1 90.00", "P TTAX<4 tax1 19.00% 17.10", "P TOTL 107.10"],
    ...[
      "S TNET 162.00",
      "S TNEH 131.22",
      "S TTNE tax1 131.22",
      "S TTAX<9 tax1 19.00% 24.93",
      "S TOTL 156.15",
    ],
  ]);
  const [all, allHeader] = await lines({ hideDiscounts: true });
  t.notMatch([...all, ...allHeader].join(), /SGRO|TGRO|DIS|SUR/);
  t.match(all, ["P SNET 90.00", "P TNET 90.00", "P TTNE tax1 90.00", "P TTAX<3 tax1 19.00% 17.10"]);
  const [bought, boughtHeader] = await lines({ hidePurchaseDiscounts: true });
  t.notMatch([...bought, ...boughtHeader].join(), /P (?:SGRO|TGRO|DIS|SUR)/);
  t.match(bought.slice(5), ["S SGRO 200.00", "S DISI<6 BD- 10.00% 20.00", "S DISI<7 D1- 10.00% 18.00"]);
  const [visible, header] = await lines({ hideHeaderDiscounts: true, ...salesOnly });
  t.match(visible, [/SGRO/, /DISI/, /DISI/, /SNET/]);
  t.strictSame(header.slice(0, 5), [
    ...["S TGRO 200.00", "S DISI<1 BD- 20.00", "S DISI<1 D1- 18.00", "S TNET 162.00", "S TNEH 131.22"],
  ]);
});

t.test("alternative and optional articles of quotations, and sets", async (t) => {
  const items = [
    set(
      1,
      [
        priced(2, { sales: "10", quantity: "2" }),
        priced(3, { sales: "99" }, { inactive: [{ kind: "alternative" }] }),
        set(4, [priced(5, { sales: "1.5" })], { quantity: pieces("4") }),
      ],
      { quantity: pieces("3") },
    ),
    set(6, [priced(7, { sales: "40" })], { inactive: [{ kind: "optional" }] }),
    priced(8, { sales: "20" }, { inactive: [{ kind: "alternative" }] }),
    priced(9, { sales: "100" }),
  ];
  const conditions = [record("210.0", percent("-10"), 2), record("410.0", percent("-10"))];
  const made = await pricedExport({ items, conditions, taxes: german, config: quotes });
  t.strictSame(
    shown(made.item(1)),
    [
      ...["S SGRO 26.00", "S DISI<1 BD- 2.00", "S SNET 24.00", "S TNET 72.00"],
      ...["S SNEH 21.60", "S TNEH 64.80"],
    ],
    "a set is the sum of its articles without alternative ones, and has no taxes",
  );
  t.strictSame(shown(made.item(4)).slice(0, 3), ["S SGRO 1.50", "S SNET 1.50", "S TNET 18.00"]);
  t.equal(lineValue(made.item(6), "TNET"), "40.00", "an optional set is the sum of its own articles");
  t.equal(lineValue(made.item(8), "TNET"), "20.00");
  t.equal(lineValue(made.item(8), "TNEH"), "18.00");
  t.equal(lineValue(made.header(), "TNET"), "172.00", "72 + 100: neither sets nor what is not ordered");
  t.equal(lineValue(made.header(), "TOTL"), "184.21", "as in the project");
  t.strictSame(made.repairs(), []);

  const flat = await pricedExport({ items, conditions, config: { ...quotes, exportSetArticle: false } });
  t.equal(lineValue(flat.header(), "TNET"), "172.00");
});

t.test("documents with part of the articles have their parts of what is for the whole project", async (t) => {
  const items = [1, 2, 3, 4, 5, 6, 7].map((each) =>
    priced(each, { sales: "33.33" }, { manufacturerId: each < 3 ? "NORD" : "SUED" }),
  );
  const conditions = [
    record("410.0", percent("-3"), undefined, "Menge"),
    record("413.0", money("-10"), undefined, "Nachlass"),
  ];
  const of = (manufacturer: string) =>
    pricedExport({
      ...{ items, conditions, taxes: german },
      config: { ...salesOnly, manufacturerIds: [manufacturer] },
    });
  const whole = await pricedExport({ items, conditions, taxes: german, config: salesOnly });
  const north = await of("NORD");
  const south = await of("SUED");
  const lines = shown(north.header());
  t.strictSame(lines, [
    "S TGRO 66.66",
    "S TNET 66.66",
    "S DISH<2 VO- 3.00% 2.00",
    "S DISH<3 D4- 2.85",
    "S TNEH 61.81",
    "S TTNE tax1 61.81",
    "S TTAX<6 tax1 19.00% 11.74",
    "S TOTL 73.55",
  ]);
  t.match(north.repairs(), [/^WARN discount .* area S \(Nachlass -10.00\): "-2.85" is written/]);
  t.strictSame(whole.repairs(), []);
  const sum = Number(lineValue(north.header(), "TNEH")) + Number(lineValue(south.header(), "TNEH"));
  t.equal(
    sum.toFixed(2),
    lineValue(whole.header(), "TNEH"),
    "documents that a project is split into add up to it",
  );
  const optional = await pricedExport({
    items: [...items, priced(8, { sales: "1" }, { inactive: [{ kind: "optional" }] })],
    ...{ conditions, taxes: german, config: salesOnly },
  });
  t.strictSame(
    shown(optional.header()),
    shown(whole.header()),
    "what an order leaves out was not in the totals",
  );
  t.strictSame(optional.repairs(), []);
});

t.test("negative values are written as nothing, and told", async (t) => {
  const items = [
    priced(1, { purchase: "5", sales: "10" }),
    priced(2, { sales: "100" }),
    priced(3, { sales: "-20" }),
  ];
  const conditions = [
    record("214.0", money("-12"), 1),
    record("214.0", money("30"), 3),
    record("413.0", money("-108")),
  ];
  const made = await pricedExport({ items, conditions, taxes: german, config: salesOnly });
  t.strictSame(shown(made.item(1)), ["S TNET 0.00"]);
  t.strictSame(
    shown(made.item(3)).slice(0, 3),
    ["S SGRO 10.00", "S SNET 10.00", "S TNET 10.00"],
    "a surcharge on a credit: the net price alone",
  );
  t.equal(lineValue(made.header(), "TNET"), "110.00", "the sum of what the items say");
  for (const { value } of [...made.header(), ...made.item(2)]) t.match(value, /^\d+\.\d\d$/);
  const told = made.repairs();
  t.ok(told.some((each) => /^ERROR 1: net value, area S \(-2.00\): written as 0.00/.test(each)));
  t.ok(told.some((each) => /^WARN 3: gross value, area S \(-20.00\)/.test(each)));
  const credit = await pricedExport({
    ...{ items: [priced(1, { sales: "10" })], conditions: [record("413.0", money("-12"))] },
    config: salesOnly,
  });
  t.strictSame(shown(credit.header()).slice(1), [
    "S TNET 10.00",
    "S DISH<2 D4- 12.00",
    "S TNEH 0.00",
    "S TOTL 0.00",
  ]);
  t.equal(lineValue(credit.item(1), "TNEH"), "0.00");
  t.match(credit.repairs(), [
    /^ERROR net total after header discounts, area S \(-2.00\)/,
    /^ERROR 1: net value/,
  ]);
});

t.test("eco contribution and rounding of the total", async (t) => {
  const taxes = taxScheme({ ECO_FR: { standard_rate: "0.10" }, VAT: { standard_rate: "20" } });
  const packaging = { netWeight: { value: "2.5", unit: "KGM" } };
  const items = [priced(1, { sales: "25", quantity: "4" }, { packaging }), priced(2, { sales: "50.31" })];
  const conditions = [record("410.0", percent("-10")), record("520.0", money("1"))];
  const made = await pricedExport({ items, conditions, taxes, config: salesOnly });
  t.strictSame(shown(made.item(1)), [
    ...["S SGRO 25.00", "S SNET 25.00", "S TNET 100.00"],
    ...["S TTNE tax1 100.00", "S TTAX<4 tax1 20.00% 20.00", "S TOTL 120.00"],
    ...["S ECFR 1.00", "S SNEH 22.75", "S TNEH 91.00"],
  ]);
  t.strictSame(shown(made.header(), true), [
    "S TGRO 150.31",
    "S TNET 150.31",
    'S DISH<2 VO- 10.00% 15.03 "Rabatt in Prozent 1"',
    'S SURH<3 S9+ 1.00 "Umweltabgabe"',
    "S TNEH 136.28",
    "S TTNE tax1 136.28",
    "S TTAX<6 tax1 20.00% 27.26",
    "S TOTL 163.54",
    "S ECFR 1.00",
  ]);
  t.equal(made.prices.sheets.value([made.prices.calculation.header], "FINAL_VALUE").toFixed(2), "164.00");
  t.match(made.repairs(), [/^WARN rounding of the total \(0.46\): left out/]);
});

/** The lines of a sheet that somebody else computed: "level.counter", value and, of taxes and percentages, the rate. */
function sheet(...lines: [place: string, value: string, rate?: string][]): Sheet {
  return {
    currency: "EUR",
    lines: lines.map(([place, value, rate]): SheetLine => {
      const [level, counter] = place.split(".");
      return {
        ...{ level: Number(level), counter: Number(counter), label: [], value: { value, currency: "EUR" } },
        ...(rate === undefined ? {} : { amount: percent(rate) }),
      };
    }),
  };
}

function calculation(header: Sheet, ...items: Sheet[]): Calculation {
  return { scheme, header, items: Object.fromEntries(items.map((each, index) => [id(index + 1), each])) };
}

t.test("sheets of somebody else", async (t) => {
  const items = [1, 2, 3].map((each) => priced(each, {}));
  const own = (value: string): Sheet =>
    sheet(["200.0", value], ["400.0", value], ["500.0", value], ["510.0", "9.99", "19"]);
  const given = calculation(
    sheet(
      ["400.0", "300"],
      ["410.0", "-30", "-10"],
      ["413.0", "-1"],
      ["500.0", "268"],
      ["510.0", "50.92", "19"],
    ),
    ...[own("100.00"), own("100.00"), own("100.00")],
  );
  const made = await pricedExport({ items, taxes: german, calculations: [given], config: salesOnly });
  t.strictSame(
    shown(made.header()),
    [
      ...[
        "S TGRO 300.00",
        "S TNET 300.00",
        "S DISH<2 VO- 10.00% 30.00",
        "S DISH<3 D4- 1.00",
        "S DISH<4 D9- 1.00",
      ],
      ...["S TNEH 268.00", "S TTNE tax1 268.00", "S TTAX<7 tax1 19.00% 50.92", "S TOTL 318.92"],
    ],
    "discounts that only the project's sheet states are spread, also one without a line",
  );
  const shares = [1, 2, 3].map((each) => lineValue(made.item(each), "TNEH"));
  t.strictSame(shares, ["89.34", "89.32", "89.34"], "the rest of each on the last");
  t.strictSame(made.repairs(), []);

  const netOnly = calculation(
    { currency: "EUR", lines: [] },
    { currency: "EUR", lines: [], netValue: { value: "12.5", currency: "EUR" } },
    sheet(["110.0", "7"], ["120.0", "1"], ["210.0", "-2"]),
  );
  const sparse = await pricedExport({ items, calculations: [netOnly], config: salesOnly });
  t.strictSame(shown(sparse.item(1)), ["S SGRO 12.50", "S SNET 12.50", "S TNET 12.50", "S TOTL 12.50"]);
  t.strictSame(shown(sparse.item(2)).slice(0, 3), ["S SGRO 8.00", "S DISI<1 BD- 2.00", "S SNET 6.00"]);
  t.strictSame(shown(sparse.item(3)), ["S TNET 0.00"]);
  t.match(sparse.repairs(), [/^ERROR 3: calculation .*no price sheet/]);
  t.equal(lineValue(sparse.header(), "TNET"), "18.50");
});

t.test("procedures without the usual tags and sections", async (t) => {
  const items = [priced(1, { purchase: "60", sales: "100", quantity: "2" }, { discountable: true })];
  const conditions = [record("210.0", percent("-10"), 1), record("410.0", percent("-5"))];
  const lines = async (used: PricingProcedure, config: PricedProject["config"] = {}) => {
    const made = await pricedExport({ items, conditions, taxes: german, procedure: used, config });
    return { item: shown(made.item(1)), header: shown(made.header()), repairs: made.repairs() };
  };
  const untagged = { ...procedure, lines: procedure.lines.map((line) => ({ ...line, tags: [] })) };
  const plain = await lines(untagged);
  t.match(plain.item, [/^S SGRO/, /^S SNET/, /^S TNET 1\d\d\.00$/]);
  t.match(
    plain.header,
    [/^S TGRO/, /^S TNET 180.00$/],
    "the last subtotal before the taxes, less header discounts",
  );
  t.match(plain.repairs, [/^WARN calculationScheme .*: purchase prices left out/]);

  const onlyNet = {
    ...procedure,
    lines: procedure.lines.map((line) => ({
      ...line,
      tags: line.tags.filter((tag) => tag !== "ITEM_NET_VALUE" && tag !== "GROSS_SALES_PRICE"),
    })),
  };
  const net = await lines(onlyNet, salesOnly);
  t.strictSame(net.item.slice(0, 4), [
    "S SGRO 100.00",
    "S DISI<1 BD- 10.00% 10.00",
    "S SNET 90.00",
    "S TNET 180.00",
  ]);
  t.match(net.header[3], /^S DISH<3 VO- 5.00% 9.00$/);

  const types = new Map(procedure.conditionTypes.map((type) => [type.name, type]));
  const bare: PricingProcedure = {
    ...procedure,
    lines: [
      { level: 110, counter: 0, kind: "condition", conditionType: "BPR00", tags: [], insertMode: "auto" },
    ],
    conditionTypes: [types.get("BPR00") ?? []].flat(),
  };
  const bareLines = await pricedExport({ items, procedure: bare });
  t.strictSame(shown(bareLines.item(1)), [
    "S SGRO 100.00",
    "S SNET 100.00",
    "S TNET 200.00",
    "S TOTL 200.00",
  ]);
  const nothing = await pricedExport({ items, procedure: { ...procedure, lines: [], conditionTypes: [] } });
  t.strictSame(shown(nothing.item(1)), ["S TNET 0.00"]);
  t.strictSame(shown(nothing.header()).slice(-2), ["S TNET 0.00", "S TOTL 0.00"]);
});

t.test("a currency with three decimals, and one with none", async (t) => {
  const settings = { currency: "KWD", exchangeRates: { KWD: "1" } };
  const items = [priced(1, { sales: "1.005", quantity: "3" }), priced(2, { sales: "2.006" })];
  const conditions = [record("210.0", percent("-10"), 1), record("410.0", percent("-10"))];
  const made = await pricedExport({ items, conditions, settings, config: salesOnly });
  const [header, first] = [made.header(), made.item(1)];
  const sum = Number(lineValue(first, "TNET")) + Number(lineValue(made.item(2), "TNET"));
  t.equal(lineValue(header, "TNET"), sum.toFixed(2));
  t.match(made.repairs(), [/^WARN currency \(KWD\)/]);
  t.equal(header[0]?.currency, "KWD");
  const yen = await pricedExport({
    items,
    settings: { currency: "JPY", exchangeRates: { JPY: "100" } },
    config: salesOnly,
  });
  t.strictSame(shown(yen.item(1)), ["S SGRO 100.00", "S SNET 100.00", "S TNET 300.00", "S TOTL 300.00"]);
});

/** The whole document, items and header with their prices. */
function documentWithPrices({ made, pricing }: PricedExport): Promise<Uint8Array> {
  const items = async (): Promise<OexItem[]> =>
    (await made.items()).map((item, index) => {
      const selected = made.selected[index];
      if (selected === undefined || (item.kind !== "article" && item.kind !== "set")) return item;
      return { ...item, pricing: pricing.item(selected) };
    });
  return documentOf({ context: made.context, items }, pricing.header());
}

t.test("documents with prices keep to the schema of their format", async (t) => {
  const checker = await createOexChecker();
  const taxes = taxScheme({
    ECO_FR: { standard_rate: "0.10" },
    VAT: { standard_rate: "20", reduced_rate: "9.975" },
  });
  const packaging = { netWeight: { value: "2.5", unit: "KGM" } };
  const prices = { purchase: "61", sales: "99.99", quantity: "3" };
  const items = [
    priced(1, prices, { packaging }),
    priced(2, { ...prices, per: "100" }, reduced),
    set(3, [priced(4, prices), priced(5, prices, { inactive: [{ kind: "alternative" }] })]),
    priced(6, {}),
    priced(7, { sales: "-5" }),
  ];
  const long = "Ein Nachlass, dessen Name 😀 viel länger ist als ein Feld";
  const conditions = [
    ...[1, 2, 4].flatMap((each) => [
      record("20.0", percent("-10"), each),
      record("210.0", percent("-33.333"), each),
      record("211.0", percent("3"), each),
      record("214.0", money("-1.5"), each, long),
    ]),
    record("410.0", percent("-3")),
    record("413.0", money("17.50"), undefined, long),
  ];
  for (const documentType of documentTypes) {
    for (const oexVersion of oexVersions) {
      const made = await pricedExport({
        items,
        conditions,
        taxes,
        config: { documentType, oexVersion },
      });
      t.strictSame(await checker.check(await documentWithPrices(made)), [], `${documentType} ${oexVersion}`);
    }
  }
});

/** In cents, so that sums are exact. */
function amount(line: PricingLine | undefined): number {
  return line === undefined ? 0 : Math.round(Number(line.value) * 100);
}

function sumOf(lines: readonly PricingLine[], ...types: PricingLine["type"][]): number {
  return lines.filter(({ type }) => types.includes(type)).reduce((sum, line) => sum + amount(line), 0);
}

function find(lines: readonly PricingLine[], type: PricingLine["type"]): PricingLine | undefined {
  return lines.find((line) => line.type === type);
}

const arbitraryItem = fc.record({
  purchase: fc.option(fc.integer({ min: 0, max: 99_999 })),
  sales: fc.option(fc.integer({ min: 0, max: 99_999 })),
  quantity: fc.integer({ min: 1, max: 20_000 }),
  per: fc.constantFrom("1", "1", "100"),
  category: fc.constantFrom("standard_rate", "reduced_rate", "exemption"),
  discountable: fc.boolean(),
  manufacturer: fc.constantFrom("NORD", "SUED"),
  inactive: fc.constantFrom(undefined, undefined, "alternative" as const, "optional" as const),
  discounts: fc.array(
    fc.tuple(
      fc.constantFrom("20.0", "21.0", "23.0", "131.0", "210.0", "210.1", "211.0", "214.0"),
      fc.integer({ min: -9999, max: 2000 }),
    ),
    { maxLength: 4 },
  ),
});

const arbitraryProject = fc.record({
  items: fc.array(arbitraryItem, { minLength: 1, maxLength: 12 }),
  header: fc.array(
    fc.tuple(
      fc.constantFrom("410.0", "410.1", "411.0", "413.0", "414.0"),
      fc.integer({ min: -2000, max: 2000 }),
    ),
    {
      maxLength: 4,
    },
  ),
  documentType: fc.constantFrom("ORDERS" as const, "QUOTES" as const),
  filtered: fc.boolean(),
  hideDiscounts: fc.boolean(),
  hideHeaderDiscounts: fc.boolean(),
});

const isPercent = (place: string): boolean => !/^(23|214|413|414)/.test(place);

function projectOf(given: typeof arbitraryProject extends fc.Arbitrary<infer P> ? P : never): PricedProject {
  const amountAt = (place: string, value: number) => {
    const text = (value / 100).toFixed(2);
    return isPercent(place) ? percent(text) : money(text);
  };
  const items = given.items.map((each, index) => {
    const price = (value: number | null): string | null => (value === null ? null : (value / 100).toFixed(2));
    return priced(
      index + 1,
      {
        ...{ purchase: price(each.purchase), sales: price(each.sales), per: each.per },
        quantity: (each.quantity / 1000).toFixed(3),
      },
      {
        ...{ manufacturerId: each.manufacturer, discountable: each.discountable },
        taxCategories: { VAT: each.category },
        ...(each.inactive === undefined ? {} : { inactive: [{ kind: each.inactive }] }),
      },
    );
  });
  const conditions = [
    ...given.items.flatMap(({ discounts }, index) =>
      discounts.map(([place, value]) => record(place, amountAt(place, value), index + 1)),
    ),
    ...given.header.map(([place, value]) => record(place, amountAt(place, value))),
  ];
  const { documentType, hideDiscounts, hideHeaderDiscounts } = given;
  const manufacturerIds = given.filtered ? ["NORD"] : [];
  const config = { documentType, hideDiscounts, hideHeaderDiscounts, manufacturerIds };
  return { items, conditions, taxes: german, config };
}

t.test("totals add up and lines refer to earlier ones of their area, in any project", async (t) => {
  const checker = await createOexChecker();
  const property = fc.asyncProperty(arbitraryProject, async (given) => {
    const made = await pricedExport(projectOf(given));
    const articles = made.made.selected.filter(({ kind }) => kind === "article");
    const lines = new Map(articles.map((each) => [each, made.pricing.item(each)]));
    const header = made.header();
    for (const each of [header, ...lines.values()]) checkLines(each);
    for (const area of given.documentType === "ORDERS" ? ["P", "S"] : ["S"]) {
      const ofArea = header.filter((line) => line.area === area);
      const net = [...lines]
        .filter(([{ status }]) => status === "active")
        .reduce(
          (sum, [, each]) =>
            sum +
            sumOf(
              each.filter((line) => line.area === area),
              "TNET",
            ),
          0,
        );
      if (sumOf(ofArea, "TNET") !== net) throw new Error(`TNET of ${area} is not ${net}`);
      checkHeader(ofArea, made.repairs());
    }
    if (made.repairs().length === 0 && !given.filtered) checkSession(made.prices, header);
    // Totals below zero cannot add up where they are written as nothing, and a surcharge on nothing has no shares.
    const uncheckable = made.repairs().some((each) => each.startsWith("ERROR"));
    if (articles.length === 0 || uncheckable || lineValue(header, "TNET") === "0.00") return;
    const problems = await checker.check(await documentWithPrices(made));
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
  });
  await t.resolves(fc.assert(property, { numRuns: 200, seed: 20_261_121 }));
});

function checkLines(lines: readonly PricingLine[]): void {
  for (const [index, { base, area, value, rate, text = "" }] of lines.entries()) {
    if (!/^\d+\.\d\d$/.test(value) || !/^(\d+\.\d\d)?$/.test(rate ?? ""))
      throw new Error(`value ${value} ${rate}`);
    if ([...text].length > 35) throw new Error(`text ${text}`);
    if (base === undefined) continue;
    if (base > index || base < 1 || lines[base - 1]?.area !== area)
      throw new Error(`${index + 1} refers to ${base}`);
  }
  const gross = lines.findIndex(({ type }) => type === "SGRO");
  const net = lines.findIndex(({ type }, index) => index > gross && type === "SNET");
  if (gross === -1) return;
  const steps = lines.slice(gross, net);
  const left = amount(lines[gross]) + sumOf(steps, "SURI") - sumOf(steps, "DISI");
  if (left !== amount(lines[net])) throw new Error(`SNET is ${amount(lines[net])}, not ${left}`);
}

function checkHeader(lines: readonly PricingLine[], repairs: readonly string[]): void {
  const net = amount(find(lines, "TNET"));
  const changed = find(lines, "TNEH") === undefined ? net : amount(find(lines, "TNEH"));
  if (repairs.some((each) => each.startsWith("ERROR net total"))) return;
  const taxable = sumOf(lines, "TTNE");
  if (taxable !== changed) throw new Error(`TTNE: ${taxable}, not ${changed}`);
  const total = amount(find(lines, "TOTL"));
  if (total !== changed + sumOf(lines, "TTAX")) throw new Error(`TOTL: ${total}`);
  if (find(lines, "TGRO") !== undefined) {
    const gross = amount(find(lines, "TGRO")) + sumOf(lines, "SURI") - sumOf(lines, "DISI");
    if (gross !== net) throw new Error(`TGRO leads to ${gross}, not ${net}`);
  }
  if (find(lines, "DISH") !== undefined || find(lines, "SURH") !== undefined) {
    const left = net + sumOf(lines, "SURH") - sumOf(lines, "DISH");
    if (left !== changed) throw new Error(`TNEH is ${changed}, not ${left}`);
  }
}

function checkSession(
  { sheets, calculation: { header } }: ProjectPrices,
  lines: readonly PricingLine[],
): void {
  const sales = lines.filter(({ area }) => area === "S");
  const changed = lineValue(sales, "TNEH") ?? lineValue(sales, "TNET");
  const expected = [sheets.value([header], "NET_VALUE"), sheets.value([header], "FINAL_VALUE")];
  const found = [changed, lineValue(sales, "TOTL")];
  if (found.join() !== expected.map((each) => each.toFixed(2)).join())
    throw new Error(`${found} is not ${expected}`);
}

t.test("ten thousand articles take no long time", async (t) => {
  const items = Array.from({ length: 10_000 }, (_, index) =>
    priced(index + 1, { purchase: "61.35", sales: "99.99", quantity: "3" }, index % 3 === 0 ? reduced : {}),
  );
  const conditions = [
    ...items.map((_, index) => record("210.0", percent("-7"), index + 1)),
    record("410.0", percent("-3")),
  ];
  const made = await pricedExport({ items, conditions, taxes: german });
  const lines = made.made.selected.map((each) => made.pricing.item(each).length);
  t.equal(lines.filter((each) => each === 15).length, 10_000);
  t.equal(made.header().length, 17);
});
