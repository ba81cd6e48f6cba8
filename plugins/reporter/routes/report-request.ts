/** Builds report data from a validated request. */
import {
  badRequest,
  type Host,
  labelLanguages,
  type ProjectDocument,
  type ProjectPrices,
  parseLocale,
  projectPrices,
  type ReportData,
  RequestError,
  Rounding,
  readImageOptions,
  reportViewFindings,
  resolveView,
  type Session,
  type SuppressedError,
  type Suppression,
  shownValue,
  type TemplateDefinition,
  TextReader,
  textLanguages,
  type ViewNode,
} from "@slipway/sdk";
import { buildReportData } from "../data/build-report-data.js";
import type { ReportContext } from "../data/report-context.js";
import { type GenerateRequestOfTemplate, readPageBreaks } from "../request/generate-request.js";
import { resolveOptions } from "../request/resolve-options.js";

/** The parts of a request that a report uses. */
export interface ReportRequest {
  /** Without the session id; `session` is the resolved session. */
  body: Omit<GenerateRequestOfTemplate, "sessionId">;
  /** The template key in the path, if any. */
  pathKey: string | undefined;
  session: Session;
  locale: string;
  suppress(suppression: Suppression | SuppressedError): void;
  /** For a request of a client. */
  progress?(part: number, text: string): void;
}

/** Everything needed to print a report. */
export interface PreparedReport {
  template: TemplateDefinition;
  project: ProjectDocument;
  data: ReportData;
  /** Locale of numbers, prices and dates. */
  formatLocale: string;
  /** Time of the report. */
  now: Date;
}

/**
 * Checks a request against template and project and builds the report's data. All request errors occur here, before
 * anything is rendered.
 */
export async function prepareReport(host: Host, request: ReportRequest): Promise<PreparedReport> {
  const { body, session, locale, suppress } = request;
  const finding = findTemplate(host, { path: request.pathKey, body: body.templateKey }, locale);
  // Priced while the host looks up the template; a missing template is reported first.
  const pricing = session
    .project()
    .then((project) => projectPrices(project, body.calculationScheme, host.procedures));
  pricing.catch(() => undefined);
  const template = await finding;
  const format = formatLocale(body.dateTimeLocale, locale);
  const project = await session.project();
  const requested = { key: request.pathKey ?? body.templateKey ?? "", values: body.templateOptions };
  const options = resolveOptions(template, requested, project, suppress);
  const view = resolveView(project, body);
  const context = reportContext(request, { project, prices: await pricing, nodes: view.nodes, template });
  reportViewFindings(view, suppress);
  const now = host.now();
  const data = buildReportData(view, { options, data: body.data, generated: now.toISOString() }, context);
  return { template, project, data, formatLocale: format, now };
}

function reportContext(
  { body, locale, suppress }: ReportRequest,
  parts: {
    project: ProjectDocument;
    prices: ProjectPrices;
    nodes: readonly ViewNode[];
    template: TemplateDefinition;
  },
): ReportContext {
  const { project, prices, nodes, template } = parts;
  for (const error of prices.errors) suppress(error);
  const languages = textLanguages(project, locale);
  return {
    project,
    prices,
    rounding: Rounding.toUnit(prices.calculation.header.currency, prices.procedure),
    languages,
    texts: new TextReader(project, languages, suppress),
    labels: new TextReader(project, labelLanguages(project, locale), suppress),
    columns: {
      preferredImage: body.preferredImageColumn,
      images: body.imageColumns,
      externalReference: body.externalRefColumn,
    },
    withCalculationLines: template.calculationLines,
    imageTag: readImageOptions(body.imageOptions, suppress).tag,
    pageBreaks: readPageBreaks(body.pageBreaks, nodes, template.record.pageBreaksDisabled, suppress),
    suppress,
  };
}

/**
 * The locale of numbers, prices and dates: `dateTimeLocale` of the request, otherwise the session's.
 * @throws {RequestError} 400 `request-bad-request` if the text is not a locale
 */
function formatLocale(requested: string | undefined, sessionLocale: string): string {
  const wanted = requested?.trim() ?? "";
  if (wanted === "") return sessionLocale;
  if (parseLocale(wanted) !== undefined) return wanted;
  throw badRequest("The request is not valid", [
    {
      path: "body.dateTimeLocale",
      expected: 'a locale such as "de_DE"',
      received: shownValue(requested),
    },
  ]);
}

/**
 * The template of a request. The key in the path takes precedence; the body may repeat it or use another key of the
 * same template.
 * @throws {RequestError} 400 `request-bad-request` if the body names another template, 404 `request-template-not-found`
 */
export async function findTemplate(
  host: Host,
  keys: { path?: string | undefined; body?: string | undefined },
  locale: string,
): Promise<TemplateDefinition> {
  const { path, body } = keys;
  const key = path ?? body ?? "";
  const template = await host.templates.find({ key, locale });
  if (template === undefined) throw templateNotFound(key);
  if (path === undefined || body === undefined || path === body) return template;
  const other = await host.templates.find({ key: body, locale });
  if (other?.record.templateKey === template.record.templateKey) return template;
  const expected = `"${path}", as in the path, another key of that template, or nothing`;
  const message = `The body names the template ${shownValue(body)}, but the path "${path}"; leave \`templateKey\` out of the body.`;
  throw badRequest({ message }, [{ path: "body.templateKey", expected, received: shownValue(body) }]);
}

function templateNotFound(key: string): RequestError {
  return new RequestError({
    id: "request-template-not-found",
    code: 404,
    message: `There is no template "${key}"; \`templateKey\` must be one of those that templates.json?category=* lists.`,
    additionalInformation: { templateKey: key },
  });
}
