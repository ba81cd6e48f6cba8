/** Reads pictures of the project from the session, one at a time. */
import { type ItemImage, pictureType, RequestError, type Session } from "@slipway/sdk";

/** A picture as it is embedded. */
export interface Picture {
  /** What the bytes are, whatever the project says. */
  mediaType: string;
  /** Base64 without line breaks. */
  data: string;
}

/** Characters of Base64 that are kept for pictures that several items show. */
const usualCapacity = 16 * 1024 * 1024;

/** Keeps the pictures that were read last, as far as there is room for them. */
export class PictureReader {
  private readonly kept = new Map<string, Picture>();
  private size = 0;

  constructor(
    private readonly session: Pick<Session, "asset">,
    private readonly capacity: number = usualCapacity,
  ) {}

  /** The picture, or why there is none. */
  async read({ key, asset }: ItemImage): Promise<Picture | string> {
    if (asset === undefined) return "the project does not hold it";
    const name = asset.sha256 ?? key;
    const known = this.kept.get(name);
    if (known !== undefined) {
      this.keep(name, known);
      return known;
    }
    const bytes = await this.bytesOf(key);
    if (typeof bytes === "string") return bytes;
    const mediaType = pictureType(bytes)?.mediaType ?? otherPicture(asset.mediaType);
    if (mediaType === undefined) return `it is no picture of a known type ("${asset.mediaType}")`;
    const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
    const picture = { mediaType, data };
    this.keep(name, picture);
    return picture;
  }

  /** One picture that cannot be read (a file that is gone, a store that fails) does not end the export. */
  private async bytesOf(key: string): Promise<Uint8Array | string> {
    try {
      const bytes = await this.session.asset(key);
      return bytes === undefined || bytes.length === 0 ? "the project does not hold it" : bytes;
    } catch (error) {
      // Other errors may tell what is nobody's business, such as paths.
      return error instanceof RequestError ? `it cannot be read: ${error.message}` : "it cannot be read";
    }
  }

  /** As the one that was used last; the others go when there is no room. */
  private keep(name: string, picture: Picture): void {
    if (this.kept.delete(name)) this.size -= picture.data.length;
    if (picture.data.length > this.capacity) return;
    this.kept.set(name, picture);
    this.size += picture.data.length;
    for (const [oldest, { data }] of this.kept) {
      if (this.size <= this.capacity) return;
      this.kept.delete(oldest);
      this.size -= data.length;
    }
  }
}

/** Types that cannot be told by the first bytes here; those that can would have been. */
function otherPicture(mediaType: string): string | undefined {
  const type = mediaType.trim().toLowerCase();
  const isRecognized = /^image\/(jpeg|jpg|png|gif|webp|svg\+xml)$/.test(type);
  return /^image\/[a-z0-9][a-z0-9.+-]*$/.test(type) && !isRecognized ? type : undefined;
}
