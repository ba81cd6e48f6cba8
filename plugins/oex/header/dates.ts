/** Dates of a document's header (OEX reference, sections 4, 16.2 and 18). */
import { localTime, offsetOfDay } from "@slipway/sdk";
import type { ExportContext } from "../context/export-context.js";
import type { OexDate } from "../document/frames.js";
import type { Delivery } from "./delivery.js";

export type DateContext = Pick<ExportContext, "project" | "format" | "now" | "timeZone" | "repairs">;

/** All dates, one per type. Each has the offset that the time zone has on that day. */
export function headerDates(delivery: Delivery | undefined, context: DateContext): OexDate[] {
  const { project, format, now, timeZone } = context;
  const { day: today, time, offset } = localTime(now, timeZone);
  const day = (type: OexDate["type"], value: string): OexDate => {
    return { type, timeZone: offsetOfDay(value, timeZone), format: "D", value };
  };
  const isQuotation = format.type === "QUOTES";
  const { projectDate, validTo } = project.header;
  const priceDate = project.settings.defaultPriceDate;
  const dates: OexDate[] = [
    { type: "DOC", timeZone: offset, format: "D", value: today, time },
    day(isQuotation ? "QUO" : "ORD", projectDate === undefined ? today : digits(projectDate)),
  ];
  if (isQuotation && validTo !== undefined) dates.push(day("QUV", digits(validTo)));
  dates.push(...deliveryDates(delivery, today, context));
  if (priceDate !== undefined) dates.push(day("PRD", digits(priceDate)));
  return dates;
}

/** The wish of the client in an order, the plan of the vendor in a quotation, which version 2.3 demands. */
function deliveryDates(delivery: Delivery | undefined, today: string, context: DateContext): OexDate[] {
  const { project, format, timeZone, repairs } = context;
  const type = format.type === "QUOTES" ? "DLD" : "CRD";
  if (delivery?.kind === "day") {
    const { value } = delivery;
    return [{ type, timeZone: offsetOfDay(value, timeZone), format: "D", value }];
  }
  if (delivery?.kind === "week") {
    return [{ type, timeZone: offsetOfDay(delivery.monday, timeZone), format: "W", value: delivery.value }];
  }
  if (type === "CRD" || format.version !== "2.3") return [];
  const { validTo } = project.header;
  const value = validTo === undefined ? today : digits(validTo);
  const meaning = validTo === undefined ? "the day of the export" : "the validity of the quotation";
  const change = `${meaning} is written as the delivery date, which OEX ${format.version} demands`;
  repairs.report({ field: "config.delivery", value: delivery?.value ?? "", change });
  return [{ type, timeZone: offsetOfDay(value, timeZone), format: "D", value }];
}

function digits(isoDate: string): string {
  return isoDate.replaceAll("-", "");
}
