/** The formats of projects; `pdf`: one that carries an OBX. */
export type ProjectFormat = "json" | "obk" | "obx" | "pdf";

/** Metadata of a body. */
export interface DeclaredFormat {
  mediaType: string;
  /** As uploaded; only its extension counts. */
  filename: string;
}

export const projectMediaTypes = [
  "application/json",
  "application/zip (OBK)",
  "application/xml (OBX)",
  "application/pdf (with an OBX inside)",
  "multipart/form-data",
] as const;

/**
 * Detects the format by the first bytes, because clients send files with all kinds of types; otherwise by media type or
 * extension, so that the reader can report the error.
 */
export function projectFormat(bytes: Uint8Array, declared: DeclaredFormat): ProjectFormat | undefined {
  return byBeginning(bytes) ?? byMediaType(declared.mediaType) ?? byEnding(declared.filename);
}

function byBeginning(bytes: Uint8Array): ProjectFormat | undefined {
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 64));
  if (beginning[0] === 0x50 && beginning[1] === 0x4b && (beginning[2] ?? 0) <= 8) return "obk";
  if (beginning.toString("latin1", 0, 5) === "%PDF-") return "pdf";
  const text = beginning.toString("latin1").replace(/^(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe)/, "");
  const first = text.replaceAll("\0", "").trimStart()[0];
  return first === "<" ? "obx" : first === "{" ? "json" : undefined;
}

function byMediaType(mediaType: string): ProjectFormat | undefined {
  if (/^application\/(?:.+\+)?json$/.test(mediaType)) return "json";
  if (/^(?:application|text)\/(?:.+\+)?xml$/.test(mediaType) || /[/.-]obx$/.test(mediaType)) return "obx";
  if (/^application\/(?:.+\+)?(?:x-)?zip(?:-compressed)?$/.test(mediaType) || /[/.-]obk$/.test(mediaType))
    return "obk";
  return undefined;
}

function byEnding(filename: string): ProjectFormat | undefined {
  const ending = /\.(json|obk|obx)$/i.exec(filename)?.[1]?.toLowerCase();
  return ending === "json" || ending === "obk" || ending === "obx" ? ending : undefined;
}
