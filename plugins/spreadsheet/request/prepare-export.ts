/** Builds the export context from a validated request. */
import {
  emptyView,
  groupSheet,
  type Host,
  labelLanguages,
  type ProjectDocument,
  printedItemIds,
  projectPrices,
  Rounding,
  readImageOptions,
  reportViewFindings,
  resolveView,
  type Session,
  type SuppressedError,
  type Suppression,
  suppressedError,
  TextReader,
  textLanguages,
  type ViewNode,
} from "@slipway/sdk";
import { wordsOf } from "../words/words.js";
import type { ExportContext } from "./export-context.js";
import { type ExportRequest, HiddenLines } from "./export-request.js";

/** The parts of a request that an export uses. */
export interface ExportCall {
  body: ExportRequest;
  session: Session;
  locale: string;
  suppress(suppression: Suppression | SuppressedError): void;
}

/**
 * Checks a request against the project and computes its prices. `timeZone`: from the plugin's settings.
 * @throws {RequestError} 422 for an unknown view or calculation, and for a project without anything to export
 */
export async function prepareExport(host: Host, call: ExportCall, timeZone: string): Promise<ExportContext> {
  const { body, session, locale } = call;
  const project = await session.project();
  const prices = await projectPrices(project, body.calculationScheme, host.procedures);
  const view = resolveView(project, body);
  if (view.nodes.length === 0) throw emptyView(view);
  const suppress = onceEach(call.suppress);
  for (const error of prices.errors) suppress(error);
  reportViewFindings(view, suppress);
  const { currency } = prices.calculation.header;
  return {
    project,
    prices,
    nodes: view.nodes,
    ...(view.filtered
      ? totalOf(view.nodes, { project, prices })
      : { countedIds: prices.countedItemIds, total: prices.sheets.lines(prices.calculation.header) }),
    viewName: view.view?.name,
    currency,
    rounding: Rounding.toUnit(currency, prices.procedure),
    locale,
    words: wordsOf(locale),
    ...textReaders(project, locale, suppress),
    hidden: new HiddenLines(prices.procedure, body),
    preferredImageColumn: body.preferredImageColumn,
    imageTag: readImageOptions(body.imageOptions, suppress).tag,
    externalRefColumn: body.externalRefColumn,
    withVariantText: body.showVariantText,
    settings: body.sheetSettings,
    now: host.now(),
    timeZone,
    suppress,
  };
}

/** Text readers that report unreadable texts. */
export function textReaders(
  project: ProjectDocument,
  locale: string,
  suppress: ExportContext["suppress"],
): Pick<ExportContext, "languages" | "texts" | "labels"> {
  const languages = textLanguages(project, locale);
  return {
    languages,
    texts: new TextReader(project, languages, suppress),
    labels: new TextReader(project, labelLanguages(project, locale), suppress),
  };
}

/** The price sheet of some lines of a project: the sum of their sheets, with their shares of header discounts. */
export function totalOf(
  nodes: readonly ViewNode[],
  { project, prices }: Pick<ExportContext, "project" | "prices">,
): Pick<ExportContext, "total" | "countedIds"> {
  const countedIds = printedItemIds(nodes, { project, prices });
  const sheet = groupSheet(prices.calculation, prices.procedure, countedIds);
  return { countedIds, total: prices.sheets.lines(sheet) };
}

/** Several sheets read the same texts and pictures; each problem is reported once. */
export function onceEach(
  suppress: (suppression: Suppression | SuppressedError) => void,
): ExportContext["suppress"] {
  const reported = new Set<string>();
  return (suppression) => {
    const error = suppressedError(suppression);
    const key = JSON.stringify(error);
    if (!reported.has(key)) suppress(error);
    reported.add(key);
  };
}
