import { Rejection } from "../errors.js";

/** A file on disk by its path, or the archive itself; it is read more than once. */
export type ArchiveSource = string | Buffer;

/** A file or folder of an archive. */
export interface ArchiveEntry {
  /** "/" between names, none at the end. */
  path: string;
  kind: "file" | "folder";
  /** Bytes. */
  size: number;
  executable: boolean;
  /** Readable until the next entry is requested. */
  content: AsyncIterable<Buffer>;
}

/** The error for a truncated archive. */
export function endsEarly(): Rejection {
  return new Rejection("the archive ends early");
}
