import { createHash } from "node:crypto";
import { pipeline } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createDeflate } from "node:zlib";
import {
  embeddedFileEnd,
  embeddedFileHead,
  objectsOfFile,
  type PdfUpdate,
  updateEnd,
} from "../../pdf/pdf-update.js";
import type { StoredFile } from "../../plugin/stored-file.js";
import { RequestError } from "../../schema/errors.js";
import type { Artifact, GeneratedFiles } from "../calls/generated-files.js";
import { pluginMistake } from "../calls/request-errors.js";
import type { ParametersOf } from "../messages/host-parameters.js";
import type { Printing } from "./printing.js";
import { duringRequest, type ServiceContext } from "./service-context.js";
import { cleanFilename, createStreamed, madeFile } from "./stored-file.js";

/** A file of the request that is to be embedded. */
interface Attachment {
  artifact: Artifact;
  mediaType: string;
}

/**
 * Embeds files of the running request into a PDF that it has printed, as a new PDF. The bytes stream from store to store.
 */
export async function embedFiles(
  { artifacts, pdf }: { artifacts: GeneratedFiles; pdf: Printing },
  context: ServiceContext,
  parameters: ParametersOf<"pdf.embed">,
): Promise<StoredFile> {
  const own = duringRequest(context).files;
  const { signal } = context;
  const document = own.isPrinted(parameters.pdf) ? await artifacts.find(parameters.pdf) : undefined;
  if (document === undefined)
    throw pluginMistake(`host.pdf.embed: this request has not printed the PDF ${parameters.pdf}.`);
  const attachments: Attachment[] = [];
  const wanted = [];
  for (const { id, name, mediaType, relationship, description } of parameters.files) {
    const artifact = own.made(id) && (await artifacts.find(id));
    if (artifact === undefined)
      throw pluginMistake(`host.pdf.embed: this request has not made the file ${id}.`);
    const type = (mediaType ?? artifact.mediaType).replace(/;.*/s, "").trim();
    attachments.push({ artifact, mediaType: type });
    const cleaned = cleanFilename(name ?? artifact.name);
    wanted.push({ name: cleaned, mediaType: type, relationship, description, etag: artifact.etag });
  }
  const names = new Set(wanted.map(({ name }) => name));
  if (names.size < wanted.length) throw pluginMistake("host.pdf.embed: two files have the same name.");
  const bytes = attachments.reduce((sum, { artifact }) => sum + artifact.bytes, document.bytes);
  const content = await buffer(artifacts.read(document));
  signal.throwIfAborted();
  const { statement } = parameters;
  const job = { pdf: content, files: wanted, statement, bytes };
  const update = await pdf.planUpdate(job).catch((error: unknown) => {
    if (error instanceof RequestError || signal.aborted) throw error;
    throw pluginMistake("host.pdf.embed: the files could not be embedded in this PDF.", error);
  });
  if (statement !== undefined && !update.archivable) throw notArchivable(document.name);
  const artifact = await createStreamed(artifacts, signal, {
    name: parameters.filename ?? document.name,
    mediaType: document.mediaType,
    content: updatedPdf(document, attachments, update, artifacts),
  });
  return madeFile(artifacts, context, { artifact, isPrinted: true });
}

function notArchivable(name: string): RequestError {
  return new RequestError({
    id: "pdf-not-archivable",
    code: 422,
    message: `The PDF ${JSON.stringify(name)} is not marked as archivable (PDF/A-3), so it cannot state which files it carries.`,
  });
}

/** The PDF, then the files one after the other, then what leads to them. */
async function* updatedPdf(
  document: Artifact,
  attachments: readonly Attachment[],
  update: PdfUpdate,
  artifacts: GeneratedFiles,
): AsyncGenerator<Uint8Array> {
  const places = new Map<number, number>();
  let at = 0;
  const counted = (bytes: Uint8Array): Uint8Array => {
    at += bytes.byteLength;
    return bytes;
  };
  for await (const bytes of artifacts.read(document)) yield counted(bytes);
  yield counted(Buffer.from("\n"));
  for (const [index, { artifact, mediaType }] of attachments.entries()) {
    const number = update.first + index * objectsOfFile;
    places.set(number, at);
    yield counted(embeddedFileHead(number, mediaType));
    const start = at;
    const hash = createHash("md5");
    let size = 0;
    const deflate = createDeflate();
    const source = artifacts.read(artifact).on("data", (bytes: Uint8Array) => {
      hash.update(bytes);
      size += bytes.byteLength;
    });
    pipeline(source, deflate, () => undefined); // its error ends the loop
    for await (const bytes of deflate) yield counted(bytes);
    const modified = new Date(artifact.created);
    const packed = at - start;
    const end = embeddedFileEnd(number, { length: packed, size, modified, checksum: hash.digest() });
    for (const [place, offset] of end.places.entries()) places.set(number + 1 + place, at + offset);
    yield counted(end.bytes);
  }
  for (const { number, bytes } of update.objects) {
    places.set(number, at);
    yield counted(bytes);
  }
  yield updateEnd(update, places, at);
}
