import { statSync } from "node:fs";
import { join } from "node:path";
import { sdkFolder } from "./installation.js";

/**
 * Parameters of Node.js with which a process imports the SDK from one file instead of from hundreds, which is most of
 * what starting it costs; none where that file is missing or older than the build that it was made of. A package that
 * npm installed has no record of a build: there the two belong together.
 */
export function packedSdkParameters(): string[] {
  const built = modified(".tsbuildinfo") ?? 0;
  const packed = modified("packed.js");
  const isCurrent = packed !== undefined && packed >= built;
  return isCurrent ? ["--conditions=slipway-packed"] : [];
}

/** When a file of the built SDK was written, in milliseconds. */
function modified(name: string): number | undefined {
  return statSync(join(sdkFolder, "dist", name), { throwIfNoEntry: false })?.mtimeMs;
}
