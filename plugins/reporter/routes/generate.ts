/** Makes a report as PDF. */
import {
  documentFileStem,
  type Host,
  type MetricHistogram,
  type PdfResult,
  type ProjectDocument,
  type Route,
  route,
  type Static,
  type SuppressedError,
  type Suppression,
  Type,
  text,
} from "@slipway/sdk";
import {
  GenerateRequest,
  GenerateRequestOfTemplate,
  TemplateKeyParameter,
} from "../request/generate-request.js";
import { prepareReport, type ReportRequest } from "./report-request.js";

/** What a client gets (interface document, section 2.4). */
export const GenerateResponse = Type.Object({ name: Type.String(), url: Type.String() });

/** Clients give up after a minute. */
export const generateTimeout = "60s";

/** What printing needs besides the request. */
export interface Printing {
  /** Counts the pages of reports. */
  pages: MetricHistogram;
  /** IANA name of the zone of file names. */
  timeZone: string;
}

/** The three paths of `generate`; the old one answers with the PDF's URL as text. */
export function generateRoutes(host: Host, printing: Printing): Route[] {
  const withPath = {
    body: GenerateRequestOfTemplate,
    params: TemplateKeyParameter,
    session: "required",
    timeout: generateTimeout,
  } as const;
  return [
    route.post("template/:templateKey/v1/generate", {
      summary: "Makes a PDF report with the template in the path.",
      ...withPath,
      response: GenerateResponse,
      async handler({ params, ...context }) {
        return answer(await generate(host, printing, { ...context, pathKey: params.templateKey }));
      },
    }),
    route.post("generate", {
      summary: "Makes a PDF report with the template that the body names.",
      body: GenerateRequest,
      session: "required",
      timeout: generateTimeout,
      response: GenerateResponse,
      async handler(context) {
        return answer(await generate(host, printing, { ...context, pathKey: undefined }));
      },
    }),
    route.post("template/:templateKey/generate", {
      summary: "Makes a PDF report and answers with its URL as text, as old clients expect it.",
      ...withPath,
      async handler({ params, ...context }) {
        const { file } = await generate(host, printing, { ...context, pathKey: params.templateKey });
        return text(file.url);
      },
    }),
  ];
}

/** Prints and stores the report of a request; what it had to leave out is suppressed. */
export async function generate(
  host: Host,
  { pages, timeZone }: Printing,
  request: ReportRequest,
): Promise<PdfResult> {
  const { template, project, data, formatLocale, now } = await prepareReport(host, request);
  const { filename: requested, prependLinks, appendLinks } = request.body;
  const extension = "pdf";
  const stem = documentFileStem({ project, requested, extension, fallback: "Report", now, timeZone });
  const { accessibility: tagged, scripts } = template;
  const printed = await host.pdf.render({
    template: {
      key: template.record.key,
      version: template.version,
      data: JSON.stringify(data),
      locale: request.locale,
      formatLocale,
    },
    filename: `${stem}.${extension}`,
    tagged,
    scripts,
    prependLinks,
    appendLinks,
  });
  for (const error of printed.errors) request.suppress(refusedAsset(error, project) ?? error);
  pages.observe(printed.pages);
  return printed;
}

/** A picture of the project that was left out, by the name that the project has for it. */
function refusedAsset(
  { id, additionalInformation: { path, reason } }: SuppressedError,
  { assets = {} }: ProjectDocument,
): Suppression | undefined {
  if (id !== "document-picture-refused") return undefined;
  const found = Object.entries(assets).find(([, { sha256 }]) => path === `/assets/${sha256}`);
  if (found === undefined) return undefined;
  const [asset] = found;
  return {
    id: "item-image-error",
    message: `The picture "${asset}" is left out: ${reason}.`,
    additionalInformation: { asset },
  };
}

function answer({ file }: PdfResult): Static<typeof GenerateResponse> {
  return { name: file.name, url: file.url };
}
