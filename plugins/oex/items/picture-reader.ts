/** Reads pictures of the project from the session, one at a time. */
import { type ItemImage, pictureType, RepeatedText, RequestError, type Session } from "@slipway/sdk";

/** An embeddable picture. */
export interface Picture {
  /** Media type detected from the bytes, if possible. */
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
    private readonly session: Pick<Session, "asset">,
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
    const bytes = await this.bytesOf(key);
    if (typeof bytes === "string") return bytes;
    const mediaType = pictureType(bytes)?.mediaType ?? otherPicture(asset.mediaType);
    if (mediaType === undefined) return `it is not a picture of a known type ("${asset.mediaType}")`;
    const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
    const picture = { mediaType, data: new RepeatedText(data) };
    this.keep(name, picture);
    return picture;
  }

  /** One unreadable picture (missing file, failing store) does not fail the export. */
  private async bytesOf(key: string): Promise<Uint8Array | string> {
    try {
      const bytes = await this.session.asset(key);
      return bytes === undefined || bytes.length === 0 ? "it is missing in the project" : bytes;
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

/** The declared type, if it is one that cannot be detected from the first bytes. */
function otherPicture(mediaType: string): string | undefined {
  const type = mediaType.trim().toLowerCase();
  const isRecognized = /^image\/(jpeg|jpg|png|gif|webp|svg\+xml)$/.test(type);
  return /^image\/[a-z0-9][a-z0-9.+-]*$/.test(type) && !isRecognized ? type : undefined;
}
