/** The views of a project file as EAI-Server writes it: each makes a report, with its numbers, quantities and amounts. */
import { Exact } from "@slipway/sdk";
import t from "tap";
import { startHost } from "../start-host.js";
import { type PrintedPage, printedPages } from "../templates/printed-pages.js";
import { fileOfViews, fileViews, storedReport } from "./file-of-views.js";
import { type Answer, answerOf, type Bytes, isJson, type Json } from "./plugin-client.js";
import { allItems, errorIds, id, ReporterClient, totals } from "./reporter-client.js";

const host = await startHost();
t.teardown(() => host.stop());
const client = new ReporterClient(host.url);
const sessionId = await client.open(await fileOfViews());

/**
 * Chairs at 100.00; desks at 500.00, each with two legs at 30.00 and a top at 120.00; two lounges, each with a sofa at
 * 900.00 and two tables at 150.00; a kitchen with three stools at 85.00; a sample at 10.00, mounting at 50.00; three lamps at
 * 70.00 as alternative, a shelf at 200.00 as option.
 */
const lounge = ["2.1 x2 2400.00", "2.1.1 x2 1800.00", "2.1.2 x4 600.00"];
const desks = ["1.3 x2 1000.00", "1.3.1 x4 120.00", "1.3.2 x2 240.00"];
const secondDesk = ["1.4 x1 500.00", "1.4.1 x2 60.00", "1.4.2 x1 120.00"];
const rest = ["3 x1 100.00", "4 x1 10.00", "5 x1 50.00", "6 x3 210.00", "7 x1 200.00"];
const restOfOffer = ["3 x1 100.00", "4 x1 50.00", "5 x3 210.00", "6 x1 200.00"];

/** Lines by view: number, quantity and amount of articles, sub-total of folders. `hidden`: what the view does not show. */
const expected: Record<string, { lines: string[]; hidden: string }> = {
  Standard: {
    lines: [
      ...["1 = 2640.00", "1.1 x4 400.00", "1.2 x2 200.00", ...desks, ...secondDesk],
      ...["2 = 2655.00", ...lounge, "2.2 x1 255.00", "2.2.1 x3 255.00", ...rest],
    ],
    hidden: "0.00",
  },
  "WBK-Standard": {
    lines: [
      ...["1 = 2640.00", " Delivered by lift", "1.1 x4 400.00", "1.2 x2 200.00", ...desks, ...secondDesk],
      ...["2 = 2655.00", ...lounge, "2.2 x1 255.00", "2.2.1 x3 255.00", ...rest],
    ],
    hidden: "0.00",
  },
  Detailed: {
    lines: [
      ...["1 = 2640.00", " Delivered by lift", "1.1 x4 400.00", "1.2 x2 200.00", ...desks, ...secondDesk],
      ...["2 = 2655.00", ...lounge, "2.2 x1 255.00", ...restOfOffer],
    ],
    hidden: "10.00",
  },
  Compact: {
    lines: [
      ...["1 = 2640.00", " Delivered by lift", "1.1 x4 400.00", "1.2 x2 200.00"],
      ...["1.3 x2 1360.00", "1.4 x1 680.00", "2 = 2655.00", ...lounge, "2.2 x1 255.00", ...rest],
    ],
    hidden: "0.00",
  },
  Summarized: {
    lines: [
      ...["1 = 2640.00", " Delivered by lift", "1.1 x6 600.00"],
      ...["1.2 x2 1000.00", "1.2.1 x4 120.00", "1.2.2 x2 240.00"],
      ...["1.3 x1 500.00", "1.3.1 x2 60.00", "1.3.2 x1 120.00"],
      ...["2 = 2655.00", ...lounge, "2.2 x1 255.00", ...restOfOffer],
    ],
    hidden: "10.00",
  },
  "Summarized-Compact": {
    lines: [
      ...["1 = 2640.00", " Delivered by lift", "1.1 x6 600.00", "1.2 x3 2040.00"],
      ...["2 = 2655.00", ...lounge, "2.2 x1 255.00"],
      ...["3 x1 100.00", "4 x1 10.00", "5 x3 210.00", "6 x1 200.00"],
    ],
    hidden: "50.00",
  },
  "Flat list": {
    lines: [
      ...[" Delivered by lift", "1 x7 700.00", "2 x3 1500.00", "3 x6 180.00", "4 x3 360.00"],
      ...["5 x2 2400.00", "5.1 x2 1800.00", "5.2 x4 600.00", "6 x1 255.00"],
      ...["7 x1 50.00", "8 x3 210.00", "9 x1 200.00"],
    ],
    hidden: "10.00",
  },
};
const net = "5455.00";

function lineOf(item: Json): string {
  if (item["kind"] === "text") return `${item["position"]} ${item["text"]}`;
  if (item["kind"] === "folder") return `${item["position"]} = ${item["subTotal"]}`;
  return `${item["position"]} x${item["quantity"]} ${item["totalPrice"]}`;
}

/** What the lines that count add up to; the parts of a set are in its price. */
function sumOf(items: unknown): Exact {
  return (Array.isArray(items) ? items : []).filter(isJson).reduce((sum, item) => {
    const counts = item["kind"] === "article" && item["status"] === "active";
    const own = counts ? sum.plus(String(item["totalPrice"])) : sum;
    return item["articleType"] === "setArticle" ? own : own.plus(sumOf(item["children"]));
  }, new Exact(0));
}

/** Position numbers stand at the left edge of the table. */
function printedNumbers(pages: readonly PrintedPage[]): string[] {
  const runs = pages.flatMap((page) => page.runs);
  return runs.filter(({ text, left }) => /^\d+(\.\d+)*$/.test(text) && left < 25).map(({ text }) => text);
}

async function opened(file: Bytes): Promise<Answer> {
  const headers = { "Content-Type": "application/zip" };
  return answerOf(await fetch(`${host.url}/api/sessions`, { method: "POST", headers, body: file }));
}

async function printed(body: Json): Promise<PrintedPage[]> {
  const { status, text, json } = await client.post("template/basket-standard-pro-fop/v1/generate", body);
  if (status !== 200) throw new Error(text);
  const file = await fetch(String(json["url"]));
  return printedPages(new Uint8Array(await file.arrayBuffer()));
}

t.test("the file is read without a warning", async (t) => {
  const { status, json } = await opened(await fileOfViews());
  t.match(
    [status, json],
    [201, { warnings: [], project: { views: fileViews.map(({ name }) => ({ name })) } }],
  );
});

for (const { name, id: viewId } of fileViews) {
  t.test(`the view ${name}`, async (t) => {
    const data = await client.data({ sessionId, viewId });
    const { lines, hidden } = expected[name] ?? { lines: [], hidden: "" };
    t.same(allItems(data).map(lineOf), lines);
    t.equal(
      sumOf(data["items"]).plus(hidden).toFixed(2),
      net,
      "its lines add up to the total of the project",
    );
    t.match(data, { view: { name }, totals: { net, tax: "1036.45", total: "6491.45" } });
    t.same(errorIds(data), []);
    const pages = await printed({ sessionId, viewId });
    const numbers = lines.map((line) => line.split(" ")[0] ?? "").filter((number) => number !== "");
    // The quote prints a collapsed set without its parts, whatever the view.
    t.same(
      printedNumbers(pages),
      numbers.filter((number) => number !== "2.2.1"),
    );
    const text = pages.map((page) => page.text).join(" ");
    for (const amount of ["EUR 5,455.00", "EUR 1,036.45", "EUR 6,491.45"])
      t.ok(text.includes(amount), amount);
  });
}

t.test("the report that the project remembers is printed as it is remembered", async (t) => {
  const { json } = await answerOf(await fetch(`${host.url}/api/sessions/${sessionId}/project`));
  const appData = isJson(json["appData"]) ? json["appData"]["W-BK"] : undefined;
  const stored = isJson(appData) ? appData["report/templateConfig/basket-standard-pro-fop"] : undefined;
  t.same(stored, storedReport);
  if (!isJson(stored) || !Array.isArray(stored["configItemValues"])) return;
  const templateOptions = Object.fromEntries(stored["configItemValues"]);
  const { basketViewId: viewId, pageBreaks } = stored;
  const body = { sessionId, templateOptions, viewId, pageBreaks };
  const answer = await client.post("template/basket-standard-pro-fop/v1/generate", body);
  t.match([answer.status, Object.keys(answer.json)], [200, ["name", "url"]], "no errors");
  const pages = await printed(body);
  t.equal(pages.length, 2);
  const ground = ["1", "1.1", "1.2", "1.2.1", "1.2.2", "1.3", "1.3.1", "1.3.2"];
  t.same(printedNumbers(pages.slice(0, 1)), ground, "all before the page break");
  t.same(printedNumbers(pages.slice(1)), ["2", "2.1", "2.1.1", "2.1.2", "2.2", "3", "4", "5", "6"]);
  const data = await client.data(body);
  t.match(data["options"], { articleImageSize: 20, wbk_set_subitems: "Dynamic", footerText: null });
});

t.test("a line about items that are not there says so on opening, and the others are printed", async (t) => {
  const broken = await fileOfViews((basket) =>
    basket.replaceAll(`itemId='${id(12)}'`, `itemId='${id(404)}'`),
  );
  const { status, json } = await opened(broken);
  t.match(
    [status, json],
    [201, { warnings: [{ count: 2 }, { path: "basket/view.4[4]/folder/mergedArticle" }] }],
  );
  for (const { message } of Array.isArray(json["warnings"]) ? json["warnings"] : []) {
    t.equal(message, "skipped: a line of a view names an item that is not in the file");
  }
  const body = { sessionId: json["sessionId"], viewId: storedReport["basketViewId"] };
  const numbers = printedNumbers(await printed(body));
  t.same(numbers.slice(0, 3), ["1", "1.1", "1.2"]);
  const data = await client.data(body);
  t.same(allItems(data).slice(0, 3).map(lineOf), ["1 = 2440.00", " Delivered by lift", "1.1 x4 400.00"]);
  t.match(totals(data), { net, total: "6491.45" }, "the chairs that no line is about are in the project");
});

t.test("a line about a set and its parts has the price of the set", async (t) => {
  const references = [40, 41, 42, 50].map((item) => `<bskItemRef itemId='${id(item)}'/>`).join("");
  const line = `<mergedArticle viewId='${id(99_001)}' digest='d'>${references}<posNr value='1'/></mergedArticle>`;
  const file = await fileOfViews((basket) =>
    basket.replace(/(<view\.4 [^>]*name='Flat list'.*?<folder [^>]*>).*(<\/folder>)/s, `$1${line}$2`),
  );
  const viewId = fileViews.find(({ name }) => name === "Flat list")?.id;
  const data = await client.data({ sessionId: await client.open(file), viewId });
  t.same(allItems(data).map(lineOf), ["1 x3 2655.00"], "two lounges and a kitchen");
  const some = await client.data({ sessionId: await client.open(file), viewId, items: [id(99_001)] });
  t.match(totals(some), { net: "2655.00", total: "3159.45" });
});
