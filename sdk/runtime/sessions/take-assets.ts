import { createHash } from "node:crypto";
import { type ReadWarning, ReadWarnings } from "../../formats/obx/read-warnings.js";
import type { Asset, ProjectDocument } from "../../project/document.js";
import { picturePlaces } from "../../project/picture-places.js";
import { pictureType, unshowableBytes } from "../../project/picture-type.js";
import { isBase64 } from "../../schema/text.js";
import type { Violation } from "../../schema/violation.js";

/** Bytes that belong to a project. */
export interface StoredAsset {
  sha256: string;
  mediaType: string;
  content: Uint8Array;
}

/** A project as a session stores it: assets by SHA-256, and their bytes. */
export interface ProjectWithAssets {
  project: ProjectDocument;
  /** Each distinct content once. */
  assets: StoredAsset[];
  /** SHA-256 of assets sent without bytes, because the session has them already. */
  kept: string[];
  violations: Violation[];
  /** Pictures that no report or export can show; the project is fine without them. */
  warnings: ReadWarning[];
}

type Taken = { asset: Asset; stored?: StoredAsset; problem?: string | undefined } | Violation;

/** Extracts the asset bytes from a document; `held` are the assets that may be sent as SHA-256 only. */
export function takeAssets(project: ProjectDocument, held: ReadonlySet<string>): ProjectWithAssets {
  const result: ProjectWithAssets = { project, assets: [], kept: [], violations: [], warnings: [] };
  if (project.assets === undefined) return result;
  const stored = new Map<string, StoredAsset>();
  const assets: Record<string, Asset> = {};
  const problems = new Map<string, string>();
  for (const [key, asset] of Object.entries(project.assets)) {
    const taken = takeAsset(asset, `project.assets.${key}`, held);
    if ("expected" in taken) {
      result.violations.push(taken);
      continue;
    }
    assets[key] = taken.asset;
    if (taken.problem !== undefined) problems.set(key, taken.problem);
    if (taken.stored !== undefined) stored.set(taken.stored.sha256, taken.stored);
    else if (taken.asset.sha256 !== undefined) result.kept.push(taken.asset.sha256);
  }
  const warnings = unshown(project, problems);
  return { ...result, project: { ...project, assets }, assets: [...stored.values()], warnings };
}

function takeAsset(asset: Asset, path: string, held: ReadonlySet<string>): Taken {
  const { base64, ...rest } = asset;
  if (base64 === undefined) {
    if (asset.sha256 !== undefined && held.has(asset.sha256)) return { asset: rest };
    return { path: `${path}.base64`, expected: "the bytes of the asset", received: "nothing" };
  }
  if (!isBase64(base64)) {
    return { path: `${path}.base64`, expected: "base64 (RFC 4648, section 4)", received: start(base64) };
  }
  const content = Buffer.from(base64, "base64");
  const sha256 = createHash("sha256").update(content).digest("hex");
  if (asset.sha256 !== undefined && asset.sha256 !== sha256) {
    return {
      path: `${path}.sha256`,
      expected: `"${sha256}", which its bytes have`,
      received: JSON.stringify(asset.sha256),
    };
  }
  const declared = asset.mediaType.toLowerCase();
  if (!declared.startsWith("image/"))
    return {
      asset: { ...rest, mediaType: declared, sha256 },
      stored: { sha256, mediaType: declared, content },
    };
  // Programs that write projects name the type by the file's extension, which may be wrong; the bytes are not.
  const found = pictureType(content);
  const mediaType = found?.mediaType ?? declared;
  const problem = unshowableBytes(found);
  return { asset: { ...rest, mediaType, sha256 }, stored: { sha256, mediaType, content }, problem };
}

/** A warning for each picture, with the articles that show it. */
function unshown(project: ProjectDocument, problems: ReadonlyMap<string, string>): ReadWarning[] {
  if (problems.size === 0) return [];
  const warnings = new ReadWarnings();
  for (const [key, problem] of problems) {
    const { text } = picturePlaces(project, key);
    warnings.add(
      `project.assets.${key}`,
      `The picture is left out of reports and exports: ${problem}.${text}`,
    );
  }
  return warnings.list();
}

function start(base64: string): string {
  return JSON.stringify(base64.length > 40 ? `${base64.slice(0, 40)}…` : base64);
}
