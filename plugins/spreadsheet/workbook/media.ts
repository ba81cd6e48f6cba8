/** The pictures of a workbook; each is stored once, even if it is shown several times. */
import { createHash } from "node:crypto";
import type { WorkbookContext } from "./workbook-context.js";

/** A picture stored in the file; sizes in pixels. */
export interface Medium {
  /** Such as "image7.png". */
  readonly name: string;
  width: number;
  height: number;
}

/** Reads pictures one at a time, and keeps track of written and unusable ones. */
export class Media {
  readonly #context: Pick<WorkbookContext, "picture" | "leaveOut">;
  /** By asset key; undefined for omitted pictures. */
  readonly #known = new Map<string, Medium | undefined>();
  /** By the hash of the bytes: a project may hold one picture under many keys. */
  readonly #written = new Map<string, Medium>();

  constructor(context: Pick<WorkbookContext, "picture" | "leaveOut">) {
    this.#context = context;
  }

  /** The picture, if it is stored in the file. */
  find(asset: string): Medium | undefined {
    return this.#known.get(asset);
  }

  /** A picture to write now; undefined if it is already written or must be left out. */
  async next(asset: string): Promise<{ medium: Medium; bytes: Uint8Array } | undefined> {
    if (this.#known.has(asset)) return undefined;
    const picture = await this.#context.picture(asset);
    if (picture === undefined || "problem" in picture) {
      this.#known.set(asset, undefined);
      this.#context.leaveOut(asset, picture?.problem ?? "it is missing in the project");
      return undefined;
    }
    const { mediaType, content: bytes, width, height } = picture;
    const hash = createHash("sha256").update(bytes).digest("base64");
    const written = this.#written.get(hash);
    if (written !== undefined) {
      this.#known.set(asset, written);
      return undefined;
    }
    const extension = mediaType === "image/png" ? "png" : "jpeg";
    const medium = { name: `image${this.#written.size + 1}.${extension}`, width, height };
    this.#known.set(asset, medium);
    this.#written.set(hash, medium);
    return { medium, bytes };
  }
}
