/** The totals of one project as each of the plugins of a running host tells them. */
import { readPdf } from "@slipway/sdk/testing";
import { headerOf, type PriceLine, priceLines, readXml } from "./oex-document-tree.js";
import { isJson, type Json, pluginClient } from "./plugin-client.js";
import { readBook } from "./spreadsheet-book.js";

/** In cents, as a number of the format is shown; undefined where nobody states it. */
export interface Totals {
  itemNet: string | undefined;
  net: string | undefined;
  taxes: string[];
  total: string | undefined;
  purchase: string | undefined;
}

/** What a document is asked for. */
export interface Asked {
  url: string;
  sessionId: string;
}

/** Of the data of a report. */
export async function reportTotals(asked: Asked): Promise<Totals> {
  const { totals } = await posted(asked, "Reporter", "data.json", { templateKey: "quote" });
  if (!isJson(totals)) throw new Error("data.json has no totals");
  const taxes = Array.isArray(totals["taxes"]) ? totals["taxes"].filter(isJson) : [];
  return {
    itemNet: cents(totals["itemNet"]),
    net: cents(totals["net"]),
    taxes: taxes.map((tax) => String(cents(tax["value"]))).sort(),
    total: cents(totals["total"]),
    purchase: cents(totals["purchase"]),
  };
}

/** Of the header of an OEX quotation; what articles cost to buy is in that of an order. */
export async function exportTotals(asked: Asked): Promise<Totals> {
  const value = (lines: readonly PriceLine[], area: string, type: string) =>
    cents(lines.find((line) => line.area === area && line.type === type)?.value);
  const quote = await exportedLines(asked, "QUOTES");
  const order = await exportedLines(asked, "ORDERS");
  const taxes = quote.filter((line) => line.area === "S" && line.type === "TTAX");
  return {
    itemNet: value(quote, "S", "TNET"),
    net: value(quote, "S", "TNEH") ?? value(quote, "S", "TNET"),
    taxes: taxes.map((tax) => String(cents(tax.value))).sort(),
    total: value(quote, "S", "TOTL"),
    purchase: value(order, "P", "TNET"),
  };
}

async function exportedLines(asked: Asked, documentType: string): Promise<PriceLine[]> {
  const place = {
    name1: "Somebody",
    street: "Street 1",
    countryCode: "DE",
    postalCode: "20457",
    location: "Hamburg",
  };
  const addresses = ["SoldTo", "ShipTo", "BillTo", "Supplier", "Branch"].map((addressType) => ({
    addressType,
    ...place,
  }));
  const config = { documentType, addresses, oexVersion: "3.1", attachOBX: false };
  const answer = await posted(asked, "oex", "export", { config });
  return priceLines(
    headerOf(readXml(await fileOf(asked, isJson(answer["oex"]) ? answer["oex"]["url"] : undefined))),
  );
}

/** Of a workbook: of the calculation of the document, and of the last row of the article list. */
export async function workbookTotals(asked: Asked): Promise<{
  header: Totals;
  list: Omit<Totals, "taxes"> & { tax: string | undefined };
  wrongFormulas: string[];
}> {
  const { url } = await posted(asked, "excel", "v1/export", {});
  const sheets = await readBook(await fileOf(asked, url));
  const [articles, , project] = sheets;
  if (articles === undefined || project === undefined) throw new Error("The workbook lacks sheets");
  const lines = project.table(project.rowOf("Price line"));
  const column = Object.keys(Object.assign({}, ...lines)).find((name) => name.startsWith("Value (")) ?? "";
  const currency = column.slice("Value ".length);
  const at = (level: number) => cents(lines.find((line) => line["Level"] === level)?.[column]);
  const taxes = lines.filter((line) => [510, 511, 512].includes(Number(line["Level"])));
  const total = articles.table().at(-1) ?? {};
  const sum = (name: string) => cents(total[`${name} ${currency}`]);
  return {
    header: {
      itemNet: at(400),
      net: at(500),
      taxes: taxes.map((tax) => String(cents(tax[column]))).sort(),
      total: at(530),
      purchase: at(30),
    },
    list: {
      itemNet: sum("Net value"),
      net: sum("Net value after project discounts"),
      tax: sum("Taxes"),
      total: sum("Total incl. taxes"),
      purchase: sum("Purchase value"),
    },
    wrongFormulas: sheets.flatMap((sheet) => sheet.wrongFormulas()),
  };
}

/** The text of a printed quote. */
export async function printedQuote(asked: Asked): Promise<string> {
  const { url } = await posted(asked, "Reporter", "template/quote/v1/generate", {});
  const { pages } = await readPdf(await fileOf(asked, url));
  return pages.map(({ text }) => text).join(" ");
}

async function posted({ url, sessionId }: Asked, plugin: string, path: string, body: Json): Promise<Json> {
  const answer = await pluginClient(url, plugin).post(path, { sessionId, ...body });
  if (answer.status !== 200) throw new Error(`${plugin}/${path}: ${answer.status} ${answer.text}`);
  return answer.json;
}

async function fileOf({ url: host }: Asked, file: unknown): Promise<Uint8Array> {
  return (await pluginClient(host, "excel").download(file)).bytes;
}

/** A text or number as a decimal with two places, so that the three ways of writing it compare. */
function cents(value: unknown): string | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  return (Math.round(Number(value) * 100) / 100).toFixed(2);
}
