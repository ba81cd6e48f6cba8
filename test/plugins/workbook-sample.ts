/**
 * A workbook with everything that one can have, whose results are known. Uses the part itself, for the types of what its
 * writer takes.
 */
import type { Cell, Row, Sheet } from "../../plugins/spreadsheet/workbook/sheet.js";
import { oneByOne, picture, sheetOf, textSheet, written } from "./workbook-support.js";

export const articles = 60;

/** The currencies of the sample: two, none and three decimals. */
export const currencies = ["EUR", "JPY", "KWD"] as const;

/** 2 pieces at 1234.50 less 12.5 %: 2160.375, rounded half up. */
export const articleValue = "2160.38";
export const totalValue = "129622.80";

const columns = [
  { header: "Picture", width: 14 },
  { header: "Article", width: { min: 10, max: 40 } },
  { header: "Number" },
  { header: "Quantity" },
  { header: "Price" },
  { header: "Discount" },
  { header: "Value" },
  { header: "Delivery" },
];

/** Articles in two groups, with a subtotal each and a total, and a picture in every row. */
export function articleSheet(): Sheet {
  return sheetOf(columns, [...articleRows(0, articles / 2), ...articleRows(articles / 2, articles)], {
    name: "Articles",
    lead: [
      { cells: [{ kind: "text", text: "Harbourlight Media & Partners" }], style: "title" },
      { cells: [] },
    ],
    filter: true,
    freeze: { columns: 2 },
    totals: () => [
      {
        style: "total",
        cells: [
          undefined,
          { kind: "text", text: "Total" },
          undefined,
          undefined,
          undefined,
          undefined,
          // Formulas of subtotals do not count in it.
          { ...money(totalValue), kind: "formula", formula: (at) => `SUBTOTAL(9,${at.range(6)})` },
        ],
      },
    ],
    print: {
      header: { center: "12 Chairs & more" },
      footer: { left: "Project 5", pages: "Page {page} of {pages}" },
    },
  });
}

function* articleRows(from: number, to: number): Generator<Row> {
  for (let index = from; index < to; index++) yield { level: 1, cells: articleCells(index) };
  const first = from === 0 ? 0 : from + 1;
  yield {
    style: "subtotal",
    cells: [
      undefined,
      { kind: "text", text: `Group of article ${from}` },
      undefined,
      undefined,
      undefined,
      undefined,
      {
        ...money("64811.40"),
        kind: "formula",
        formula: (at) => `SUBTOTAL(9,${at.range(6, first, at.rows - 1)})`,
      },
    ],
  };
}

function articleCells(index: number): Cell[] {
  return [
    { kind: "picture", asset: ["chair", "desk", "lamp"][index % 3] ?? "", description: `Article ${index}` },
    {
      kind: "text",
      text: `Article ${index}`,
      ...(index === 3 ? { link: "https://example.com/ä?x=1&y=2" } : {}),
    },
    { kind: "text", text: String(index).padStart(5, "0") },
    { kind: "number", value: "2", format: { kind: "unit", unit: "pcs" } },
    { kind: "number", ...money("1234.50") },
    { kind: "number", value: "12.5", format: { kind: "percent" } },
    {
      ...money(articleValue),
      kind: "formula",
      formula: (at) => `ROUND(${at.here(3)}*${at.here(4)}*(1-${at.here(5)}),2)`,
    },
    { kind: "date", date: "2026-03-02" },
  ];
}

function money(value: string): Pick<Extract<Cell, { kind: "number" }>, "value" | "format"> {
  return { value, format: { kind: "currency", currency: "EUR" } };
}

/** Amounts of several currencies, with what does not print: not part of the first sheet, so that its pages are its own. */
export function amountSheet(): Sheet {
  const rows = currencies.map((currency): Row => {
    const format = { kind: "currency", currency } as const;
    return {
      cells: [
        { kind: "text", text: currency },
        { kind: "number", value: "1234567.891", format },
        { kind: "formula", formula: (at) => `${at.here(1)}*10%`, value: "123456.7891", format },
        {
          kind: "formula",
          formula: (at) => `${at.here(2)}/${at.here(1)}`,
          value: "10",
          format: { kind: "percent" },
        },
      ],
    };
  });
  return {
    name: "History",
    columns: [{ header: "Currency" }, { header: "Amount" }, { header: "Tenth" }, { header: "Part" }],
    start: { row: 4, column: 3 },
    rows: oneByOne(rows),
  };
}

export const assets = {
  chair: await picture("png", { width: 300, height: 150, color: "#cc3333" }),
  desk: await picture("jpeg", { width: 150, height: 300, color: "#33cc33" }),
  lamp: await picture("png", { width: 40, height: 40, color: "#3333cc" }),
};
export const sample = await written([articleSheet(), amountSheet()], {
  assets,
  title: "Offer & more",
  author: "Harbourlight",
});

/** Texts that come through as they are. */
export const texts = [
  "plain",
  "  blanks around  ",
  "two\nlines\n",
  "a\ttab",
  "=1+1",
  "0815",
  "_x0041_ and _x005F_",
  "_x0041_x0042_",
  "<b>&amp;</b> ]]> \"'",
  "\u{1F6CB}\uFE0F family \u{1F468}\u200D\u{1F469}\u200D\u{1F467}",
  "שלום \u202Bעולם\u202C",
  "a\u0001b\u001Fc",
  "",
];
export const hostile = await written([
  textSheet(texts),
  textSheet(["a\0b", "c\uFFFEd", "e\uD800f", "g\r\nh\ri"]),
]);
