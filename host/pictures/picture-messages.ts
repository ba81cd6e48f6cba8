/** What the host and a process that converts pictures say to each other. */
import type { PdfConfiguration } from "../configuration/pdf-configuration.js";

/** What to do with the bytes that come before. */
export interface PictureQuestion {
  /**
   * "show": makes a PNG or JPEG of any picture, upright, in sRGB, with 8 bits per channel. "print": makes a picture that is
   * all this quick to print.
   */
  task: "show" | "print";
  settings: Pick<
    PdfConfiguration["pictures"],
    "jpegQuality" | "jpegFromPixels" | "longestSide" | "inputPixels" | "inputBytes"
  >;
}

/** Pixels at which a picture appears in its natural size. */
export interface PictureSize {
  width: number;
  height: number;
}

export interface ConvertedPicture extends PictureSize {
  mediaType: "image/png" | "image/jpeg";
  content: Uint8Array;
}

export type PictureAnswer =
  | ({ type: "converted" } & ConvertedPicture)
  /** It is best as it is. */
  | ({ type: "unchanged" } & PictureSize)
  /** It declares more pixels, or more bytes when decoded, than the settings allow. */
  | ({ type: "refused"; bytes: number } & PictureSize)
  | { type: "unreadable"; reason: string };

/** Checks what a process sent, which has read foreign bytes. Throws when it is no answer. */
export function pictureAnswer(message: unknown): PictureAnswer {
  const answer: Record<string, unknown> =
    typeof message === "object" && message !== null ? { ...message } : {};
  const { type, mediaType, content, width, height, bytes, reason } = answer;
  if (type === "unreadable" && typeof reason === "string") return { type, reason };
  if (typeof width === "number" && typeof height === "number") {
    const size = { width, height };
    if (type === "unchanged") return { type, ...size };
    if (type === "refused" && typeof bytes === "number") return { type, ...size, bytes };
    const isKnown = mediaType === "image/png" || mediaType === "image/jpeg";
    if (type === "converted" && isKnown && content instanceof Uint8Array)
      return { type, ...size, mediaType, content };
  }
  throw new Error("A process that converts pictures sent an unexpected message.");
}
