/** OBK: the project file. */
import type { Asset, PricingProcedure, ProjectDocument } from "../../project/document.js";
import { KeepingXmlWriter } from "../obx/keeping-xml-writer.js";
import { isOtherEntry } from "../obx/other-entry-key.js";
import { writeBasket } from "../obx/write-basket.js";
import { writeHeader } from "../obx/write-header.js";
import { StreamingXmlWriter } from "../xml/streaming-xml-writer.js";
import { cacheEntryName, writeCacheEntry } from "./cache-entry.js";
import { otherEntryName } from "./other-entries.js";

/** Additional content of an OBK. */
export interface WriteObkOptions {
  /** Procedures to include in the file if the project has none. */
  procedures?: readonly PricingProcedure[];
}

/** For projects without a modification date; ZIP does not support earlier dates. */
const earliest = "1980-01-01T00:00:00Z";

/**
 * Writes a project as an OBK. Entries carry the date of the project's last change, so that one project produces the same
 * entries at any time; how they are compressed differs between versions of zlib. Computed sheets are not part of such a
 * file; pictures are those that the project contains as `base64`.
 */
export async function writeObk(project: ProjectDocument, options: WriteObkOptions = {}): Promise<Uint8Array> {
  const procedures = withNamedOnly(project, project.procedures ?? options.procedures ?? []);
  const assets = Object.entries(project.assets ?? {});
  const entries = [
    xmlEntry("1.bsk", (writer) => writeBasket(writer, project, procedures)),
    xmlEntry("metainf.xml", (writer) => writeHeader(writer, project)),
    ...assets.flatMap(([uri, asset]) => (isOtherEntry(uri) ? [] : pictureEntry(uri, asset))),
  ];
  const names = new Set(entries.map(({ name }) => name));
  const others = assets
    .flatMap(([key, asset]) => otherEntry(key, asset))
    .filter(({ name }) => !names.has(name));
  return pack(new Date(project.header.lastModified ?? earliest), [...entries, ...others]);
}

/**
 * Procedures known to the project by name only are added without lines, so that its conditions can be
 * written.
 */
function withNamedOnly(
  { conditions = [], settings }: ProjectDocument,
  procedures: readonly PricingProcedure[],
): PricingProcedure[] {
  const names = new Set([settings.defaultScheme, ...conditions.map(({ scheme }) => scheme)]);
  const missing = [...names].filter(
    (name) => name !== undefined && !procedures.some((each) => each.name === name),
  );
  const named = missing.flatMap((name) => (name === undefined ? [] : [emptyProcedure(name)]));
  const all = [...procedures, ...named];
  const isDefault = ({ name }: PricingProcedure): boolean => name === settings.defaultScheme;
  return [...all.filter(isDefault), ...all.filter((each) => !isDefault(each))];
}

function emptyProcedure(name: string): PricingProcedure {
  return { name, label: [], halfWay: "even", lines: [], conditionTypes: [] };
}

interface ArchiveEntry {
  name: string;
  content: Buffer;
}

function xmlEntry(name: string, write: (writer: KeepingXmlWriter) => void): ArchiveEntry {
  const writer = new StreamingXmlWriter({ declaration: true, pretty: true });
  write(new KeepingXmlWriter(writer));
  return { name, content: Buffer.from(`${writer.take()}\n`, "utf8") };
}

function pictureEntry(uri: string, asset: Asset): ArchiveEntry[] {
  if (asset.base64 === undefined) return [];
  const content = Buffer.from(asset.base64, "base64");
  const entry = writeCacheEntry({ attributes: asset.attributes ?? {}, content });
  return [{ name: cacheEntryName(uri), content: Buffer.from(entry) }];
}

function otherEntry(key: string, { base64 }: Asset): ArchiveEntry[] {
  const name = otherEntryName(key);
  return name === undefined || base64 === undefined ? [] : [{ name, content: Buffer.from(base64, "base64") }];
}

/** The packer is loaded on demand: most processes that use the SDK never write an OBK. */
async function pack(date: Date, entries: readonly ArchiveEntry[]): Promise<Uint8Array> {
  const { ZipArchive } = await import("archiver");
  const archive = new ZipArchive({ zlib: { level: 9 } });
  for (const { name, content } of entries) archive.append(content, { name, date });
  const finished = archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(Buffer.from(chunk));
  await finished;
  return Buffer.concat(chunks);
}
