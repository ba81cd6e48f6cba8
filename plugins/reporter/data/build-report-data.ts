import {
  emptyView,
  groupSheet,
  type ProjectDocument,
  printedItemIds,
  type ReportAddress,
  type ReportData,
  type ReportProject,
  type ResolvedView,
} from "@slipway/sdk";
import { itemData } from "./items.js";
import { calculationLines } from "./price-lines.js";
import type { ReportContext } from "./report-context.js";
import { reportTotals } from "./totals.js";

/** Report data that comes from the request. */
export type RequestData = Pick<ReportData, "options" | "data" | "generated">;

/**
 * The data of a report. If the request filters items, totals are those of the printed items: the sum of their sheets,
 * with their shares of header discounts.
 * @throws {RequestError} 422 `project-empty` if there is nothing to print
 */
export function buildReportData(
  view: ResolvedView,
  request: RequestData,
  context: ReportContext,
): ReportData {
  const { project, prices } = context;
  if (view.nodes.length === 0) throw emptyView(view);
  const { procedure, calculation, sheets } = prices;
  // Items hidden by a view still count in the project's totals.
  const counted = view.filtered ? printedItemIds(view.nodes, context) : prices.countedItemIds;
  const total = view.filtered ? groupSheet(calculation, procedure, counted) : calculation.header;
  const header = sheets.lines(total);
  return {
    project: projectData(context),
    currency: calculation.header.currency,
    generated: request.generated,
    options: request.options,
    data: request.data,
    addresses: addressData(project),
    view:
      view.view === undefined
        ? null
        : { id: view.view.id, name: view.view.name, setArticleMode: view.view.setArticleMode },
    items: itemData(view.nodes, context),
    totals: reportTotals(header, { nodes: view.nodes, counted }, context),
    calculation: { scheme: procedure.name, lines: calculationLines(header, context.labels) },
  };
}

/** The project's addresses by type, with their contacts. The first address of a type is used. */
function addressData(project: ProjectDocument): ReportData["addresses"] {
  const contacts = new Map((project.contacts ?? []).map((contact) => [contact.id, contact]));
  const addresses: ReportData["addresses"] = {};
  for (const { contactIds, ...address } of project.addresses ?? []) {
    const known = (contactIds ?? []).map((id) => contacts.get(id));
    const complete: ReportAddress = {
      ...address,
      contacts: known.filter((contact) => contact !== undefined),
      commAddresses: address.commAddresses ?? [],
    };
    addresses[address.addressType] ??= complete;
  }
  return addresses;
}

/** The project's header, with plain texts; missing values are empty. */
function projectData({ project: { header }, texts }: ReportContext): ReportProject {
  return {
    name: header.name ?? "",
    number: header.number ?? "",
    description: header.description ?? "",
    projectDate: header.projectDate ?? null,
    validTo: header.validTo ?? null,
    externalReferenceNumber: header.externalReferenceNumber ?? "",
    externalReferenceText: header.externalReferenceText ?? "",
    customerNumber: header.customerNumber ?? "",
    company: header.company ?? "",
    generalAgreementNumber: header.generalAgreementNumber ?? "",
    personInCharge: header.personInCharge ?? "",
    headerText: texts.ofProject(header.headerText, "headerText"),
    footerText: texts.ofProject(header.footerText, "footerText"),
  };
}
