/** What the host and a process that prepares pictures say to each other. */
import type { PdfConfiguration } from "../../configuration/pdf-configuration.js";

/** How to prepare the bytes that come before: a PNG or JPEG, as far as its first bytes tell. */
export type PictureQuestion = Pick<
  PdfConfiguration["pictures"],
  "jpegQuality" | "jpegFromPixels" | "longestSide" | "inputPixels" | "inputBytes"
>;

export type PictureAnswer =
  | { type: "prepared"; mediaType: "image/png" | "image/jpeg"; content: Uint8Array }
  /** It is best printed as it is. */
  | { type: "unchanged" }
  /** It declares more pixels, or more bytes when decoded, than the settings allow. */
  | { type: "refused"; width: number; height: number; bytes: number }
  | { type: "unreadable"; reason: string };

/** Checks what a process sent, which has read foreign bytes. Throws when it is no answer. */
export function pictureAnswer(message: unknown): PictureAnswer {
  const answer: Record<string, unknown> =
    typeof message === "object" && message !== null ? { ...message } : {};
  const { type, mediaType, content, width, height, bytes, reason } = answer;
  switch (type) {
    case "prepared":
      if ((mediaType !== "image/png" && mediaType !== "image/jpeg") || !(content instanceof Uint8Array))
        break;
      return { type, mediaType, content };
    case "unchanged":
      return { type };
    case "refused":
      if (typeof width !== "number" || typeof height !== "number" || typeof bytes !== "number") break;
      return { type, width, height, bytes };
    case "unreadable":
      if (typeof reason !== "string") break;
      return { type, reason };
  }
  throw new Error("A process that prepares pictures sent an unexpected message.");
}
