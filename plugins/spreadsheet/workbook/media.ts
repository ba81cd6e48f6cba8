/** The pictures of a workbook: each is in the file once, however often it is shown. */
import { type SheetPicture, sheetPicture } from "./picture-size.js";
import type { WorkbookContext } from "./workbook-context.js";

/** A picture that is in the file. */
export interface Medium extends SheetPicture {
  /** Such as "image7.png". */
  readonly name: string;
}

/** Reads pictures one at a time, and remembers those that are written and those that cannot be. */
export class Media {
  readonly #context: Pick<WorkbookContext, "asset" | "suppress">;
  /** By the key of the asset; undefined for what is left out. */
  readonly #known = new Map<string, Medium | undefined>();
  #written = 0;

  constructor(context: Pick<WorkbookContext, "asset" | "suppress">) {
    this.#context = context;
  }

  /** The picture when it is in the file. */
  find(asset: string): Medium | undefined {
    return this.#known.get(asset);
  }

  /** A picture that is to be written now; undefined when it is there already or has to be left out. */
  async next(asset: string): Promise<{ medium: Medium; bytes: Uint8Array } | undefined> {
    if (this.#known.has(asset)) return undefined;
    const bytes = await this.#context.asset(asset);
    const picture = bytes === undefined ? "the project does not hold it" : sheetPicture(bytes);
    if (bytes === undefined || typeof picture === "string") {
      this.#leaveOut(asset, String(picture));
      return undefined;
    }
    this.#written++;
    const medium = { ...picture, name: `image${this.#written}.${picture.extension}` };
    this.#known.set(asset, medium);
    return { medium, bytes };
  }

  #leaveOut(asset: string, reason: string): void {
    this.#known.set(asset, undefined);
    this.#context.suppress({
      id: "item-image-error",
      message: `The picture "${asset}" is left out: ${reason}.`,
      additionalInformation: { asset },
    });
  }
}
