import { emptyView, groupSheet, printedItemIds, type ReportData, type ResolvedView } from "@slipway/sdk";
import { addressData } from "./addresses.js";
import { itemData } from "./items.js";
import { calculationLines } from "./price-lines.js";
import { projectData } from "./project-data.js";
import type { ReportContext } from "./report-context.js";
import { reportTotals } from "./totals.js";

/** What the request adds to the project. */
export type RequestData = Pick<ReportData, "options" | "data" | "generated">;

/**
 * The data of a report. Where the request filters items, totals are those of the items that it prints: the sum of
 * their sheets, with their shares of header discounts.
 * @throws {RequestError} 422 `project-empty` where there is nothing to print
 */
export function buildReportData(
  view: ResolvedView,
  request: RequestData,
  context: ReportContext,
): ReportData {
  const { project, prices } = context;
  if (view.nodes.length === 0) throw emptyView(view);
  const { procedure, calculation, sheets } = prices;
  // What a view hides is part of the project's totals all the same.
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
