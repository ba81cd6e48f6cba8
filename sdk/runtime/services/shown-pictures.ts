import type { Picture, PictureProblem } from "../../plugin/handler-context.js";

/** For whom a picture is converted. */
export interface PictureAsker {
  /** Of one document or request: it does not make others wait while it has many pictures. */
  owner: object;
  /** Ends the waiting. */
  signal: AbortSignal;
}

/** Converts pictures to what every program can show. */
export interface ShownPictures {
  /** Rejects with the signal's reason. */
  shown(content: Uint8Array, asker: PictureAsker): Promise<Picture | PictureProblem>;
}
