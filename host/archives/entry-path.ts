const longestName = 255;
const longestPath = 1000;
const unfit = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFD]/u;

/** Why a path must not name a file on any system, to be read after the path; undefined when it may. */
export function pathProblem(path: string): string | undefined {
  if (path === "") return "is empty";
  if (unfit.test(path)) return "has characters that a file name cannot have everywhere";
  if (path.includes("\\")) return "has a backslash";
  if (path.startsWith("/")) return "is absolute";
  if (path.includes(":")) return "has a colon, as a drive letter has";
  if (Buffer.byteLength(path) > longestPath) return `is longer than ${longestPath} bytes`;
  for (const name of path.split("/")) {
    if (name === "..") return "leads out of its folder";
    if (name === "" || name === ".") return "has an empty part";
    if (/[. ]$/.test(name)) return "has a part that ends with a dot or a space";
    if (Buffer.byteLength(name) > longestName) return `has a part of more than ${longestName} bytes`;
  }
  return undefined;
}

/** Paths that every file system can hold side by side. */
export class DistinctPaths {
  private readonly known = new Map<string, { path: string; kind: "file" | "folder" }>();
  private folderCount = 0;

  /** How many folders the paths need. */
  get folders(): number {
    return this.folderCount;
  }

  hasFile(path: string): boolean {
    const found = this.known.get(folded(path));
    return found?.kind === "file" && found.path === path;
  }

  /** Takes a path and the folders above it, or says what is wrong with it, to be read after the path. */
  add(path: string, kind: "file" | "folder"): string | undefined {
    const parts = path.split("/");
    for (let length = 1; length < parts.length; length += 1) {
      const problem = this.take(parts.slice(0, length).join("/"), "folder");
      if (problem !== undefined) return problem;
    }
    return this.take(path, kind);
  }

  private take(path: string, kind: "file" | "folder"): string | undefined {
    const key = folded(path);
    const found = this.known.get(key);
    if (found === undefined) {
      this.known.set(key, { path, kind });
      if (kind === "folder") this.folderCount += 1;
      return undefined;
    }
    if (found.path !== path)
      return `differs from ${JSON.stringify(found.path)} only in case or normalization`;
    if (found.kind !== kind) return "is there as a file and as a folder";
    return kind === "file" ? "is there twice" : undefined;
  }
}

/** The same for all names that some file system takes for one. */
function folded(path: string): string {
  return path.normalize("NFKD").toUpperCase().toLowerCase().normalize("NFKD");
}
