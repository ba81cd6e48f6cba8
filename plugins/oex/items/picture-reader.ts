/** Reads pictures of the project from the session, one at a time. */
import { type ItemImage, RepeatedText, RequestError, type Session } from "@slipway/sdk";

/** An embeddable picture. */
export interface Picture {
  /** PNG or JPEG: recipients of orders need not know any other type. */
  mediaType: string;
  /** Base64 without line breaks. */
  data: RepeatedText;
}

/** Cache capacity in Base64 characters, for pictures shared by several items. */
const usualCapacity = 16 * 1024 * 1024;

/** Caches the most recently used pictures, up to its capacity. */
export class PictureReader {
  private readonly kept = new Map<string, Picture>();
  private size = 0;

  constructor(
    private readonly session: Pick<Session, "picture">,
    private readonly capacity: number = usualCapacity,
  ) {}

  /** The picture, or the reason why there is none. */
  async read({ key, asset }: ItemImage): Promise<Picture | string> {
    if (asset === undefined) return "it is missing in the project";
    const name = asset.sha256 ?? key;
    const known = this.kept.get(name);
    if (known !== undefined) {
      this.keep(name, known);
      return known;
    }
    const shown = await this.shownPicture(key);
    if (typeof shown === "string") return shown;
    const { mediaType, content } = shown;
    const data = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("base64");
    const picture = { mediaType, data: new RepeatedText(data) };
    this.keep(name, picture);
    return picture;
  }

  /** One unreadable picture (missing file, failing store) does not fail the export. */
  private async shownPicture(key: string): Promise<{ mediaType: string; content: Uint8Array } | string> {
    try {
      const picture = await this.session.picture(key);
      if (picture === undefined) return "it is missing in the project";
      return "problem" in picture ? picture.problem : picture;
    } catch (error) {
      // Other errors may reveal internals, such as paths.
      return error instanceof RequestError ? `it cannot be read: ${error.message}` : "it cannot be read";
    }
  }

  /** Marks the picture as most recently used, and evicts the oldest ones if the cache is full. */
  private keep(name: string, picture: Picture): void {
    const { length } = picture.data.text;
    if (this.kept.delete(name)) this.size -= length;
    if (length > this.capacity) return;
    this.kept.set(name, picture);
    this.size += length;
    for (const [oldest, { data }] of this.kept) {
      if (this.size <= this.capacity) return;
      this.kept.delete(oldest);
      this.size -= data.text.length;
    }
  }
}
