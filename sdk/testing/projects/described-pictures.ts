import { createHash } from "node:crypto";
import { pictureType } from "../../obx/picture-type.js";
import type { Asset } from "../../project/document.js";

/** The pictures of a described project; equal ones are there once. */
export class DescribedPictures {
  /** By key. */
  readonly assets: Record<string, Asset> = {};
  private readonly keys = new Map<string, string>();

  /** The key under which the project holds the picture. */
  add(bytes: Uint8Array): string {
    const hash = createHash("sha256").update(bytes).digest("hex");
    const known = this.keys.get(hash);
    if (known !== undefined) return known;
    const key = `picture-${this.keys.size + 1}`;
    this.keys.set(hash, key);
    const type = pictureType(bytes) ?? { mediaType: "application/octet-stream" };
    this.assets[key] = { ...type, base64: Buffer.from(bytes).toString("base64") };
    return key;
  }
}
