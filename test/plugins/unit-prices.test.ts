/** Unit prices on half a cent: plugins of others, reports, workbooks and orders print the same one. */
import { readFileSync } from "node:fs";
import {
  calculate,
  netPrice,
  PricingProcedure,
  type ProjectDocument,
  unitPrice,
  Validator,
} from "@slipway/sdk";
import { id, projectOf } from "@slipway/sdk/testing";
import t from "tap";
import { OexClient } from "./oex-client.js";
import { oexInMemory, pluginInMemory, reporterInMemory, shippedTemplate } from "./plugins-in-memory.js";
import { allItems, isJson, ReporterClient } from "./reporter-client.js";
import { readBook } from "./spreadsheet-book.js";

const file = new URL("../../config/procedures/STDB2B_WBK.json", import.meta.url);
const checked = new Validator().compile(
  PricingProcedure,
  "procedure",
)(JSON.parse(readFileSync(file, "utf8")));
if (!checked.ok) throw new Error(JSON.stringify(checked.violations));
const standard = checked.value;

const reports = await reporterInMemory([await shippedTemplate("quote")]);
const orders = await oexInMemory();
const workbooks = await pluginInMemory("excel");
t.teardown(() => Promise.all([reports.stop(), orders.stop(), workbooks.stop()]));

/** Two pieces for 20.25: half a cent more than 10.12. */
function halfCent(halfWay: PricingProcedure["halfWay"]): ProjectDocument {
  const project = projectOf({
    items: [{ article: "DESK", text: "Desk", quantity: 2, sales: "10.15", purchase: "10.15" }],
  });
  const amount = { kind: "percentage" as const, value: "-0.25" };
  const conditions = [20, 210].map((level) => ({
    itemId: project.items[0]?.id ?? id(1),
    level,
    counter: 0,
    amount,
  }));
  return { ...project, conditions, procedures: [{ ...standard, halfWay }] };
}

async function inReport(project: ProjectDocument): Promise<unknown[]> {
  const client = new ReporterClient(reports);
  const [item] = allItems(await client.data({ sessionId: await client.open({ ...project }) }));
  const details = item?.["priceDetails"];
  const net = Array.isArray(details)
    ? details.filter(isJson).find((each) => each["kind"] === "net")
    : undefined;
  return [item?.["unitPrice"], net?.["unitPrice"], item?.["purchaseUnitPrice"]];
}

async function inWorkbook(project: ProjectDocument): Promise<unknown[]> {
  const session = await workbooks.openSession(project, { locale: "en_GB" });
  const answer = await workbooks.post("v1/export", { sessionId: session.id });
  const [articles] = await readBook(workbooks.file(answer.json["url"]).bytes);
  const [row] = articles?.table() ?? [];
  return [row?.["Net price (EUR)"], row?.["Purchase price (EUR)"]].map((cell) => Number(cell).toFixed(2));
}

async function inOrder(project: ProjectDocument): Promise<string[]> {
  const client = new OexClient(orders);
  const config = { calculationSales: true, attachOBX: false };
  const { oex } = await client.exported(await client.open({ ...project }), config);
  const document = Buffer.from(oex?.bytes ?? []).toString("utf8");
  const lines = document.match(/<itmPricing\b.*?<\/itmPricing>/gs) ?? [];
  return lines.flatMap((line) =>
    line.includes(">SNET<") ? (/<vConditionValue>([\d.]+)</.exec(line)?.[1] ?? "none") : [],
  );
}

t.test("half a cent goes where the procedure says, everywhere", async (t) => {
  for (const [halfWay, expected] of [
    ["even", "10.12"],
    ["up", "10.13"],
  ] as const) {
    const project = halfCent(halfWay);
    const procedure = { ...standard, halfWay };
    const sheet = Object.values(calculate(project, procedure).calculation.items)[0];
    if (sheet === undefined) throw new Error("no sheet");
    const net = sheet.lines.find(({ level }) => level === 400);
    if (net === undefined) throw new Error("no net value");
    t.equal(net.value?.value, "20.25");
    t.equal(netPrice(sheet, procedure)?.unit?.value, expected, `netPrice, ${halfWay}`);
    t.equal(unitPrice(net, sheet, procedure)?.value, expected, `unitPrice, ${halfWay}`);
    t.same(await inReport(project), [expected, expected, expected], `data of a report, ${halfWay}`);
    t.same(await inWorkbook(project), [expected, expected], `workbook, ${halfWay}`);
    t.same(await inOrder(project), [expected, expected], `order, purchase and sales, ${halfWay}`);
    t.equal(unitPrice(net, sheet)?.value, "10.12", "without a procedure, to the even cent");
  }
});
