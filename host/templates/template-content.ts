/** The content of a template: the files of its folder, layered over its shared folders. */
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { sharedFolderPattern } from "@slipway/sdk";
import { errorCode } from "../system/errors.js";
import { isJsonObject, parsedJson } from "../system/json.js";
import { JsonSource } from "./json-source.js";
import { joinedTables, labelFile } from "./label-table.js";
import { withoutForm } from "./plural-forms.js";
import {
  FolderError,
  folderFingerprint,
  mostBytes,
  readTemplateFolder,
  type TemplateFiles,
  textOf,
} from "./template-folder.js";

/** The state of a folder when it was read. */
export interface SeenFolder {
  folder: string;
  fingerprint: string;
}

export interface TemplateContent {
  files: TemplateFiles;
  /** SHA-256 over all paths and contents, hexadecimal. */
  version: string;
  /** The original path of files from shared folders, by path: "_standard/partials/logo.ejs". */
  origins: ReadonlyMap<string, string>;
  /** The template's own folder first. */
  seen: readonly SeenFolder[];
  /** Milliseconds since the epoch: time of the last write or move of a file. */
  changed: number;
}

const attempts = 5;
const definitionFile = "template.json";
const sharedFolder = new RegExp(sharedFolderPattern);

/**
 * Reads one consistent state of a template's folders. A file of the template replaces the shared file of the same path;
 * style sheets are concatenated, texts merged by key. Rejects with `FolderError` or a system error.
 */
export async function readTemplateContent(folder: string): Promise<TemplateContent> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const own = await readTemplateFolder(folder);
    const names = sharedFolders(own.files);
    const seen: SeenFolder[] = [{ folder, fingerprint: own.fingerprint }];
    const layers: Layer[] = [];
    let { changed } = own;
    for (const [index, name] of names.entries()) {
      const shared = await readShared(join(dirname(folder), name), own.files, index);
      layers.push({ name, files: withoutDefinition(shared.content.files) });
      seen.push({ folder: shared.folder, fingerprint: shared.content.fingerprint });
      changed = Math.max(changed, shared.content.changed);
    }
    if (layers.length > 0 && (await haveChanged(seen))) continue;
    const { files, origins } = merged([...layers, { name: undefined, files: own.files }]);
    const bytes = [...files.values()].reduce((sum, content) => sum + content.byteLength, 0);
    if (bytes > mostBytes) {
      throw new FolderError(`The template has ${bytes} bytes with what it shares; it may have ${mostBytes}.`);
    }
    return { files, version: hash(files), origins, seen, changed };
  }
  throw new FolderError("The folders kept changing while they were read.");
}

/** Whether a folder has changed or disappeared. `known` caches the states of shared folders over several calls. */
export async function haveChanged(
  [own, ...shared]: readonly SeenFolder[],
  known = new Map<string, Promise<string>>(),
): Promise<boolean> {
  try {
    if (own !== undefined && (await folderFingerprint(own.folder)) !== own.fingerprint) return true;
    for (const { folder, fingerprint } of shared) {
      const now = known.get(folder) ?? folderFingerprint(folder);
      known.set(folder, now);
      if ((await now) !== fingerprint) return true;
    }
    return false;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return true;
    throw error;
  }
}

/** The files without references to shared folders, usable in any place. */
export function selfContained(files: TemplateFiles): TemplateFiles {
  const definition = jsonObject(files.get(definitionFile));
  if (definition === undefined || !Object.hasOwn(definition, "shared")) return files;
  const { shared: _, $schema: __, ...rest } = definition;
  return new Map([...files, [definitionFile, encode(`${JSON.stringify(rest, undefined, 2)}\n`)]]);
}

interface Layer {
  /** Name of the shared folder; undefined for the template's own. */
  name: string | undefined;
  files: TemplateFiles;
}

/** Skips invalid names, which the schema check reports. */
function sharedFolders(files: TemplateFiles): string[] {
  const shared = jsonObject(files.get(definitionFile))?.["shared"];
  return (Array.isArray(shared) ? shared : []).filter(
    (name): name is string => typeof name === "string" && sharedFolder.test(name),
  );
}

async function readShared(folder: string, own: TemplateFiles, index: number) {
  try {
    return { folder, content: await readTemplateFolder(folder) };
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    const source = JsonSource.read(textOf(own.get(definitionFile)));
    const message = `there is no folder "${basename(folder)}" beside the template's own`;
    throw new FolderError(message, {
      file: definitionFile,
      ...(source instanceof JsonSource && source.placeOf(["shared", index])),
    });
  }
}

function withoutDefinition(files: TemplateFiles): TemplateFiles {
  return new Map([...files].filter(([path]) => path !== definitionFile));
}

function merged(layers: readonly Layer[]): Pick<TemplateContent, "files" | "origins"> {
  const files = new Map<string, Uint8Array>();
  const origins = new Map<string, string>();
  for (const { name, files: added } of layers) {
    for (const [path, content] of added) {
      const below = files.get(path);
      const all = below === undefined ? content : joined(path, below, content);
      files.set(path, all);
      if (all === below) continue;
      if (name === undefined) origins.delete(path);
      else origins.set(path, `${name}/${path}`);
    }
  }
  const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  return { files: new Map(sorted), origins };
}

/** Invalid files are not merged; the check reports them with their own path. */
function joined(path: string, below: Uint8Array, content: Uint8Array): Uint8Array {
  if (path === "style.css") return encode(`${textOf(below)}\n${textOf(content)}`);
  if (path === labelFile) {
    const table = joinedTables(textOf(below), textOf(content));
    return table === textOf(below) ? below : encode(table);
  }
  if (!path.startsWith("i18n/")) return content;
  const [shared, own] = [texts(below), texts(content)];
  if (own === undefined) return content;
  return shared === undefined ? below : encode(JSON.stringify(joinedTexts(shared, own)));
}

/** A word of the template replaces the shared one; one without plural forms replaces all forms, and the other way round. */
function joinedTexts(shared: Record<string, unknown>, own: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(shared).filter(([key]) => {
    const base = withoutForm(key);
    return !Object.hasOwn(own, `${key}.other`) && (base === undefined || !Object.hasOwn(own, base));
  });
  return { ...Object.fromEntries(kept), ...own };
}

function texts(content: Uint8Array): Record<string, unknown> | undefined {
  const found = jsonObject(content);
  const isWhole = Object.values(found ?? {}).every((text) => typeof text === "string");
  return isWhole ? found : undefined;
}

function jsonObject(content: Uint8Array | undefined): Record<string, unknown> | undefined {
  const value = parsedJson(textOf(content));
  return isJsonObject(value) ? value : undefined;
}

function hash(files: TemplateFiles): string {
  const sum = createHash("sha256");
  for (const [path, content] of files) sum.update(`${path}\0${content.byteLength}\0`).update(content);
  return sum.digest("hex");
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
