/** Creates PDF reports: the routes, and the reporter's service for other plugins. */
import {
  documentFileStem,
  type Host,
  type MetricHistogram,
  type PdfResult,
  type ProjectDocument,
  pictureLeftOut,
  type Route,
  route,
  type ServiceMethod,
  type Static,
  StoredFile,
  type SuppressedError,
  type Suppression,
  serviceMethod,
  Type,
  text,
} from "@slipway/sdk";
import {
  GenerateRequest,
  GenerateRequestOfTemplate,
  TemplateKeyParameter,
} from "../request/generate-request.js";
import { prepareReport, type ReportRequest } from "./report-request.js";

/** Response body of `generate` (interface document, section 2.4). */
const GenerateResponse = Type.Object({ name: Type.String(), url: Type.String() });

/** Clients time out after a minute. */
const generateTimeout = "60s";

/** Printing dependencies besides the request. */
interface Printing {
  /** Counts the pages of reports. */
  pages: MetricHistogram;
  /** IANA time zone of file names. */
  timeZone: string;
}

/** The three paths of `generate`; the old one responds with the PDF's URL as text. */
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

/** Prints and stores the report of a request. Omissions are suppressed errors. */
async function generate(
  host: Host,
  { pages, timeZone }: Printing,
  request: ReportRequest,
): Promise<PdfResult> {
  request.progress?.(0.1, "data");
  const { template, project, data, formatLocale, now } = await prepareReport(host, request);
  const { filename: requested, prependLinks, appendLinks } = request.body;
  const extension = "pdf";
  const stem = documentFileStem({ project, requested, extension, fallback: "Report", now, timeZone });
  const { accessibility: tagged, archivable, scripts } = template;
  request.progress?.(0.3, "printing");
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
    archivable,
    scripts,
    prependLinks,
    appendLinks,
  });
  for (const error of printed.errors) request.suppress(refusedAsset(error, project) ?? error);
  pages.observe(printed.pages);
  return printed;
}

/** Converts the error of a refused picture to one with the picture's name in the project. */
function refusedAsset(
  { id, additionalInformation: { path, reason } }: SuppressedError,
  project: ProjectDocument,
): Suppression | undefined {
  if (id !== "document-picture-refused") return undefined;
  const found = Object.entries(project.assets ?? {}).find(([, { sha256 }]) => path === `/assets/${sha256}`);
  if (found === undefined) return undefined;
  return pictureLeftOut(project, found[0], String(reason));
}

function answer({ file }: PdfResult): Static<typeof GenerateResponse> {
  return { name: file.name, url: file.url };
}

/** The request body of `generate` (interface document, section 2.3); the session is the caller's. */
const Input = Type.Omit(GenerateRequest, ["sessionId"]);

/** The response of `generate`, and the file behind its URL. */
const Output = Type.Object({
  ...GenerateResponse.properties,
  file: Type.Object(StoredFile.properties, {
    description: "The PDF, for `host.files.archive` and `reply.file` of the caller.",
  }),
});

/** The service `reports`: PDF reports for other plugins. */
export function reportsService(host: Host, printing: Printing): Record<string, ServiceMethod> {
  return {
    generate: serviceMethod({
      summary: "Makes a PDF report of the caller's session.",
      input: Input,
      output: Output,
      session: "required",
      timeout: generateTimeout,
      async handler({ input, ...context }) {
        const { file } = await generate(host, printing, { ...context, body: input, pathKey: undefined });
        return { name: file.name, url: file.url, file };
      },
    }),
  };
}
