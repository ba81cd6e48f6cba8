/** The header of a document from project and configuration (OEX reference, sections 4 and 17 to 19). */
import { present } from "@slipway/sdk";
import { chosenAddresses } from "../addresses/chosen-addresses.js";
import { headerAddresses } from "../addresses/header-addresses.js";
import type { ExportConfiguration } from "../configuration/export-configuration.js";
import type { ExportContext } from "../context/export-context.js";
import type { OexLanguage, OrganisationalDatum, PricingLine, Weights } from "../document/frames.js";
import type { OexHeader } from "../document/oex-document.js";
import { FieldRepairs } from "../repair/field-repairs.js";
import { codeForms } from "../repair/value-repairs.js";
import { documentLanguage, oexLocale } from "../texts/languages.js";
import { headerDates } from "./dates.js";
import { readDelivery } from "./delivery.js";
import { addressNumber, locationNumbers, otherDocuments, partyNumber } from "./numbers.js";
import { type AttachedFiles, headerReferences } from "./references.js";
import { headerTexts } from "./texts.js";

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
  /** Sums over the articles, where every one of them has the measure. */
  weights?: Weights | undefined;
  volume?: string | undefined;
  pricing: PricingLine[];
}

/**
 * Everything that the format says of the header. Repairs and what stands in for missing values are reported.
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

/** Language of the session, with its country where it names one (OEX reference, section 18). */
function writtenLanguage({ locale, repairs }: HeaderParts["context"]): OexLanguage {
  const { language: code, region: country } = documentLanguage(locale);
  if (oexLocale(locale) === undefined) {
    const change = `"${code}" is written: expected a language with a code of 2 letters (ISO 639-1)`;
    repairs.report({ field: "session.locale", value: locale, change });
  }
  return { code, ...(country !== undefined && { country }) };
}

// Organisational data of a document's header (OEX reference, sections 9.3 and 17).

/** `soldTo` is the number of the sold-to address; undefined where there is none. `repairs` are those of the configuration. */
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

/** `dealerAsSGR`: the dealer stands for the sales group. */
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
