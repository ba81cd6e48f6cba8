import type { Log } from "../../plugin/handler-context.js";
import type { PdfResult } from "../../plugin/host.js";
import { pictureType } from "../../project/picture-type.js";
import { RequestError } from "../../schema/errors.js";
import type { GeneratedFiles } from "../calls/generated-files.js";
import type { ParametersOf } from "../messages/host-parameters.js";
import {
  attachmentScheme,
  type DocumentResources,
  type Printing,
  type PrintJob,
  type TemplateSource,
} from "./printing.js";
import { duringRequest, type ServiceContext } from "./service-context.js";
import type { SessionContents } from "./session-contents.js";
import { storeFile } from "./stored-file.js";

interface Sources {
  sessions: SessionContents;
  artifacts: GeneratedFiles;
  pdf: Printing;
  templates: TemplateSource;
}

/**
 * Prints a document with the pictures of the request's session and the files of the templates, and stores the
 * PDF. `content` is the document, or the data for its template.
 */
export async function renderPdf(
  sources: Sources,
  context: ServiceContext,
  parameters: ParametersOf<"pdf.render">,
  content: string,
): Promise<PdfResult> {
  const { client, session } = duringRequest(context).origin;
  const { signal, deadline, work } = context;
  const { template } = parameters;
  const { html, errors } =
    template === undefined
      ? { html: content, errors: [] }
      : await sources.templates.render({ ...template, data: content }, { signal, deadline, work });
  const { tagged, archivable, scripts, prependLinks, appendLinks, filename } = parameters;
  const printed = await sources.pdf.print({
    html,
    tagged,
    archivable,
    scripts,
    prependLinks,
    appendLinks,
    attachment: templateAttachment(sources.templates, template),
    resources: documentResources(sources, session?.id, work.log),
    client,
    session: session?.id,
    deadline,
    signal,
    work,
  });
  const name = /\.pdf$/i.test(filename) ? filename : `${filename}.pdf`;
  const { content: pdf } = printed;
  const file = await work.step("store the file", () =>
    storeFile(sources.artifacts, context, { name, mediaType: "application/pdf", content: pdf }, true),
  );
  return { file, pages: printed.pages, errors: [...errors, ...printed.errors] };
}

/** `template:<key>`: a PDF attached to the template of the report. */
function templateAttachment(
  templates: TemplateSource,
  template: ParametersOf<"pdf.render">["template"],
): NonNullable<PrintJob["attachment"]> {
  return async (link) => {
    if (!link.startsWith(attachmentScheme)) return undefined;
    const key = link.slice(attachmentScheme.length);
    const content = template && (await templates.attachment(template.version, key, template.locale));
    if (content !== undefined) return content;
    const message = `The template has no attachment ${JSON.stringify(key.slice(0, 80))}.`;
    throw new RequestError({ id: "request-not-found", code: 404, message });
  };
}

/** `/assets/<sha256>`: a picture of the session; `/templates/<version>/<path>`: a file of a template. */
function documentResources(
  { sessions, templates }: Sources,
  session: string | undefined,
  log: Log,
): DocumentResources {
  const picture = (path: string): string | undefined =>
    session === undefined ? undefined : /^\/assets\/([0-9a-f]{64})$/.exec(path)?.[1];
  const templateFile = async (path: string): ReturnType<DocumentResources["load"]> => {
    const [, version, file] = /^\/templates\/([^/]+)\/(.+)$/.exec(path) ?? [];
    return version === undefined || file === undefined ? undefined : templates.asset(version, decoded(file));
  };
  const load: DocumentResources["load"] = async (path) => {
    const sha256 = picture(path);
    if (sha256 === undefined || session === undefined) return templateFile(path);
    const content = await sessions.asset(session, sha256);
    if (content === undefined) return undefined;
    return { mediaType: pictureType(content)?.mediaType ?? "application/octet-stream", content };
  };
  return {
    load: (path) =>
      load(path).catch((error: unknown) => {
        log.warn("A resource of a document could not be loaded", { path, error });
        return undefined;
      }),
    has: async (path) => {
      const sha256 = picture(path);
      if (sha256 === undefined || session === undefined) return (await templateFile(path)) !== undefined;
      return sessions.hasAsset(session, sha256);
    },
  };
}

/** Invalid percent-encoding matches no file. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
