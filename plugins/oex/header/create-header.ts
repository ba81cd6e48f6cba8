/** Creates the header from project and configuration (OEX reference, sections 4 and 17 to 19). */
import { chooseText, labelLanguages, localTime, offsetOfDay, present } from "@slipway/sdk";
import { chosenAddresses } from "../addresses/chosen-addresses.js";
import { headerAddresses } from "../addresses/header-addresses.js";
import type { ExportConfiguration } from "../configuration/export-configuration.js";
import type { ExportContext } from "../context/export-context.js";
import type {
  DocumentType,
  OexDate,
  OexHeader,
  OexLanguage,
  OexReference,
  OexText,
  OrganisationalDatum,
  PricingLine,
  Weights,
} from "../document/oex-document.js";
import { codeForms, FieldRepairs } from "../repair/repairs.js";
import { oneLine, textLines } from "../repair/text-lines.js";
import { TextFrames } from "../texts/item-texts.js";
import { documentLanguage, oexLocale } from "../texts/text-reader.js";
import { type Delivery, readDelivery } from "./delivery.js";
import { addressNumber, locationNumbers, otherDocuments, partyNumber } from "./numbers.js";

/** Dates of a document's header (OEX reference, sections 4, 16.2 and 18). */
type DateContext = Pick<ExportContext, "project" | "format" | "now" | "timeZone" | "repairs">;

export interface HeaderParts {
  context: Pick<
    ExportContext,
    "project" | "configuration" | "format" | "locale" | "now" | "timeZone" | "repairs" | "suppress"
  >;
  /** From `documentNumber`, which also names the files. */
  number: string;
  /** Currency of the calculation, ISO 4217. */
  currency: string;
  files: AttachedFiles;
  /** Sums over the articles, if all of them have the measure. */
  weights?: Weights | undefined;
  volume?: string | undefined;
  pricing: PricingLine[];
}

/**
 * Creates the header. Repairs and substitutes for missing values are reported.
 * @throws {RequestError} 422 `project-address-missing` for a quotation without an address
 */
export function createHeader(parts: HeaderParts): OexHeader {
  const { context, number, currency, files, weights, volume, pricing } = parts;
  const { configuration, format, repairs } = context;
  const isOrder = format.type === "ORDERS";
  const config = new FieldRepairs(repairs, "config.");
  const addresses = chosenAddresses(context);
  const client = addressNumber(addresses, "SoldTo");
  const clientNumber = partyNumber("clientNo", configuration.clientNo, client, config);
  const language = writtenLanguage(context);
  const delivery = configuration.delivery === null ? undefined : readDelivery(configuration.delivery);
  const optional = present({
    partialDelivery: isOrder ? true : undefined,
    orderType: isOrder ? config.code("orderType", configuration.orderType, codeForms.orderType) : undefined,
    weights,
    volume,
  });
  return {
    ...optional,
    number,
    clientNumber,
    clientIds: locationNumbers("clientILN", configuration.clientILN, config),
    vendorNumber: partyNumber(
      "vendorNo",
      configuration.vendorNo,
      addressNumber(addresses, "Supplier"),
      config,
    ),
    supplierIds: locationNumbers("vendorILN", configuration.vendorILN, config),
    currency,
    language,
    documentNumbers: otherDocuments(number, context),
    dates: headerDates(delivery, context),
    organisation: headerOrganisation(configuration, client, config),
    addresses: headerAddresses(addresses, context),
    texts: headerTexts(language.code, delivery, context),
    references: headerReferences(files, format.type, language.code),
    pricing,
  };
}

/** Language of the session, with its country if given (OEX reference, section 18). */
function writtenLanguage({ locale, repairs }: HeaderParts["context"]): OexLanguage {
  const { language: code, region: country } = documentLanguage(locale);
  if (oexLocale(locale) === undefined) {
    const change = `"${code}" is written: it must be a language with a code of 2 letters (ISO 639-1)`;
    repairs.report({ field: "session.locale", value: locale, change });
  }
  return { code, ...(country !== undefined && { country }) };
}

// Organisational data of a document's header (OEX reference, sections 9.3 and 17).

/** `soldTo`: number of the sold-to address, if any. `repairs`: those of the configuration. */
function headerOrganisation(
  configuration: ExportConfiguration,
  soldTo: string | undefined,
  repairs: FieldRepairs,
): OrganisationalDatum[] {
  const data = [
    { type: "COM", value: repairs.line("commission", configuration.commission) },
    { type: "PJN", value: repairs.line("projectNumber", configuration.projectNumber) },
    { type: "SOR", value: repairs.line("salesOrganisation", configuration.salesOrganisation) },
    { type: "SGR", value: salesGroup(configuration, soldTo, repairs) },
  ] as const;
  return data.flatMap(({ type, value }) => (value === undefined ? [] : [{ type, value }]));
}

/** `dealerAsSGR`: the dealer replaces the sales group. */
function salesGroup(
  configuration: ExportConfiguration,
  soldTo: string | undefined,
  repairs: FieldRepairs,
): string | undefined {
  const group = repairs.line("salesGroup", configuration.salesGroup);
  if (!configuration.dealerAsSGR) return group;
  const dealer = soldTo ?? repairs.line("clientNo", configuration.clientNo);
  if (dealer === undefined) repairs.report("dealerAsSGR", "true", "without effect: the dealer has no number");
  return dealer ?? group;
}

/** All dates, one per type, each with the UTC offset of that day. */
function headerDates(delivery: Delivery | undefined, context: DateContext): OexDate[] {
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

/**
 * The client's requested date in an order, the vendor's planned date in a quotation; version 2.3 requires the latter.
 */
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

// Texts of a document's header (OEX reference, sections 9.5, 12 and 17).

type HeaderTextContext = Pick<ExportContext, "project" | "configuration" | "locale" | "repairs" | "suppress">;

/** The header texts. `language`: ISO 639-1 code, also for configured texts, which state no language. */
function headerTexts(
  language: string,
  delivery: Delivery | undefined,
  context: HeaderTextContext,
): OexText[] {
  const { configuration } = context;
  const frames = new TextFrames();
  const add = (type: OexText["type"], text: string | null, code = language) =>
    frames.addLines(type, { code }, textLines(text ?? ""));
  const ofProject = configuration.useSCOrderInfo ? projectText(language, context) : undefined;
  add("HEAD", ofProject?.value ?? configuration.orderInfo, ofProject?.language);
  if (configuration.versionInOrder) add("HEAD", applicationLine(configuration), ofProject?.language);
  add("ADAG", configuration.additionalAgreement);
  add("DNOT", configuration.dispatchNotes);
  if (delivery?.kind === "text") {
    add("DCON", delivery.value);
    reportDelivery(delivery, context);
  }
  return frames.list();
}

function applicationLine({ appName, appVersion }: ExportContext["configuration"]): string {
  return oneLine(`${appName} ${appVersion.aMajor}.${appVersion.aMinor}`, Number.POSITIVE_INFINITY);
}

/** The project's header text, preferably in the document's language; undefined without one. */
function projectText(
  language: string,
  { project, locale, suppress }: HeaderTextContext,
): { value: string; language: string } | undefined {
  const languages = labelLanguages(project, locale);
  const { value, lang, unreadable } = chooseText(project.header.headerText, languages);
  for (const { message, text } of unreadable) {
    suppress({
      id: "project-text-error",
      message: `The text "header.headerText" of the project cannot be read and was left out in this language: ${message.replace(/\.$/, "")}.`,
      cause: [message],
      additionalInformation: { field: "header.headerText", lang: text.lang },
    });
  }
  return value === "" ? undefined : { value, language: oexLocale(lang ?? "")?.language ?? language };
}

function reportDelivery(
  { value, reason }: Delivery & { kind: "text" },
  { repairs }: HeaderTextContext,
): void {
  if (reason === undefined) return;
  new FieldRepairs(repairs, "config.").report("delivery", value, `written as a text: ${reason}`);
}

// Files attached to a document (OEX reference, section 14).

/** Names of the files exported beside the document. */
export interface AttachedFiles {
  pdf?: string | undefined;
  obx?: string | undefined;
}

interface Descriptions extends Record<DocumentType, string> {
  obx: string;
}

/** Shown to the recipient's user, in the language of the document. */
const descriptions = new Map<string, Descriptions>([
  ["de", { ORDERS: "Bestellung als PDF", QUOTES: "Angebot als PDF", obx: "Artikel als OBX" }],
  ["es", { ORDERS: "Pedido en PDF", QUOTES: "Oferta en PDF", obx: "Artículos en OBX" }],
  ["fr", { ORDERS: "Commande en PDF", QUOTES: "Offre en PDF", obx: "Articles en OBX" }],
  ["it", { ORDERS: "Ordine in PDF", QUOTES: "Offerta in PDF", obx: "Articoli in OBX" }],
  ["nl", { ORDERS: "Bestelling als PDF", QUOTES: "Offerte als PDF", obx: "Artikelen als OBX" }],
]);
const usual: Descriptions = { ORDERS: "Order as PDF", QUOTES: "Quotation as PDF", obx: "Articles as OBX" };

/** References to the files, described in `language` (ISO 639-1) or English. */
function headerReferences(files: AttachedFiles, type: DocumentType, language: string): OexReference[] {
  const description = descriptions.get(language) ?? usual;
  return [
    { mediaType: "application/pdf", value: files.pdf, description: description[type] },
    { mediaType: "application/octet-stream", value: files.obx, description: description.obx },
  ].flatMap(({ value, ...reference }) =>
    value === undefined ? [] : [{ type: "ATT" as const, value, ...reference }],
  );
}
