/** What the project says of itself: its header and its addresses. */
import { localTime } from "@slipway/sdk";
import type { ExportContext } from "../request/export-context.js";
import type { Row, Sheet } from "../workbook/sheet.js";
import { addressFields } from "./address-fields.js";
import type { HeaderField } from "./header-field.js";

/** What is known, as a table of its own. */
export function headerData(context: ExportContext): Sheet {
  const { words } = context;
  return {
    name: words.project,
    columns: [{ header: words.section }, { header: words.field }, { header: words.content }],
    rows: rows(context),
  };
}

async function* rows(context: ExportContext): AsyncGenerator<Row> {
  for (const { section, field, content } of headerFields(context)) {
    yield { cells: [{ kind: "text", text: section }, { kind: "text", text: field }, content] };
  }
}

/** The header, then the addresses; what the project does not state is left out. */
export function headerFields(context: ExportContext): HeaderField[] {
  return [...projectFields(context), ...addressFields(context)];
}

function projectFields({
  project,
  prices,
  words,
  texts,
  labels,
  currency,
  viewName,
  now,
  timeZone,
}: ExportContext): HeaderField[] {
  const { header } = project;
  const texted = (field: string, text: string | undefined): HeaderField[] =>
    (text ?? "") === ""
      ? []
      : [{ section: words.project, field, content: { kind: "text", text: text ?? "" } }];
  const dated = (field: string, date: string | undefined): HeaderField[] =>
    date === undefined ? [] : [{ section: words.project, field, content: { kind: "date", date } }];
  return [
    ...texted(words.projectName, header.name),
    ...texted(words.projectNumber, header.number),
    ...texted(words.description, header.description),
    ...dated(words.projectDate, header.projectDate),
    ...dated(words.validUntil, header.validTo),
    ...texted(words.reference, header.externalReferenceNumber),
    ...texted(words.referenceText, header.externalReferenceText),
    ...texted(words.customerNumber, header.customerNumber),
    ...texted(words.company, header.company),
    ...texted(words.agreementNumber, header.generalAgreementNumber),
    ...texted(words.inCharge, header.personInCharge),
    ...texted(words.keywords, header.keywords?.join(", ")),
    ...texted(words.currency, currency),
    ...texted(
      words.procedure,
      labels.ofProject(prices.procedure.label, "name of the procedure") || prices.procedure.name,
    ),
    ...texted(words.view, viewName),
    ...dated(words.exported, isoDay(localTime(now, timeZone).day)),
    ...texted(words.headerText, texts.ofProject(header.headerText, "headerText")),
    ...texted(words.footerText, texts.ofProject(header.footerText, "footerText")),
  ];
}

/** yyyymmdd as yyyy-mm-dd. */
function isoDay(day: string): string {
  return `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
}
