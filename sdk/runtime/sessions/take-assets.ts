import { createHash } from "node:crypto";
import { pictureType } from "../../obx/picture-type.js";
import type { Asset, ProjectDocument } from "../../project/document.js";
import { isBase64 } from "../../text.js";
import type { Violation } from "../../validation.js";

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
}

type Taken = { asset: Asset; stored?: StoredAsset } | Violation;

/** Extracts the asset bytes from a document; `held` are the assets that may be sent as SHA-256 only. */
export function takeAssets(project: ProjectDocument, held: ReadonlySet<string>): ProjectWithAssets {
  const result: ProjectWithAssets = { project, assets: [], kept: [], violations: [] };
  if (project.assets === undefined) return result;
  const stored = new Map<string, StoredAsset>();
  const assets: Record<string, Asset> = {};
  for (const [key, asset] of Object.entries(project.assets)) {
    const taken = takeAsset(asset, `project.assets.${key}`, held);
    if ("expected" in taken) {
      result.violations.push(taken);
      continue;
    }
    assets[key] = taken.asset;
    if (taken.stored !== undefined) stored.set(taken.stored.sha256, taken.stored);
    else if (taken.asset.sha256 !== undefined) result.kept.push(taken.asset.sha256);
  }
  return { ...result, project: { ...project, assets }, assets: [...stored.values()] };
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
  const mediaType = asset.mediaType.toLowerCase().replace("image/jpg", "image/jpeg");
  if (mediaType.startsWith("image/")) {
    const picture = pictureType(content);
    if (picture?.mediaType !== mediaType) {
      const expected = `${picture?.mediaType ?? "no picture type"}, which its bytes are`;
      return { path: `${path}.mediaType`, expected, received: JSON.stringify(asset.mediaType) };
    }
  }
  return { asset: { ...rest, mediaType, sha256 }, stored: { sha256, mediaType, content } };
}

function start(base64: string): string {
  return JSON.stringify(base64.length > 40 ? `${base64.slice(0, 40)}…` : base64);
}
