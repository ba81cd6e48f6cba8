const longestName = 255;
const longestPath = 1000;
const deepestPath = 50;
const unfit = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFD]/u;

/** Why a path is invalid on some system, as a clause after the path; undefined for a valid one. */
export function pathProblem(path: string): string | undefined {
  if (path === "") return "is empty";
  if (unfit.test(path)) return "has characters that a file name cannot have everywhere";
  if (path.includes("\\")) return "has a backslash";
  if (path.startsWith("/")) return "is absolute";
  if (path.includes(":")) return "has a colon, as a drive letter has";
  if (Buffer.byteLength(path) > longestPath) return `is longer than ${longestPath} bytes`;
  const names = path.split("/");
  if (names.length > deepestPath) return `is nested deeper than ${deepestPath} folders`;
  for (const name of names) {
    if (name === "..") return "leads out of its folder";
    if (name === "" || name === ".") return "has an empty part";
    if (/[. ]$/.test(name)) return "has a part that ends with a dot or a space";
    if (Buffer.byteLength(name) > longestName) return `has a part of more than ${longestName} bytes`;
  }
  return undefined;
}

/** Paths that are different on every file system. */
export class DistinctPaths {
  private readonly known = new Map<string, { path: string; kind: "file" | "folder" }>();
  private folderCount = 0;

  /** Number of folders of the paths. */
  get folders(): number {
    return this.folderCount;
  }

  hasFile(path: string): boolean {
    const found = this.known.get(keyOf(path));
    return found?.kind === "file" && found.path === path;
  }

  /** Adds a path and the folders above it; returns what is wrong with it as a clause after the path. */
  add(path: string, kind: "file" | "folder"): string | undefined {
    const names = path.split("/");
    let [above, key] = ["", ""];
    for (const [index, name] of names.entries()) {
      const isLast = index === names.length - 1;
      above += index === 0 ? name : `/${name}`;
      // Name by name: long paths of many names would take very long.
      key += `${folded(name)}/`;
      const problem = this.take(key, above, isLast ? kind : "folder");
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  private take(key: string, path: string, kind: "file" | "folder"): string | undefined {
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

/** Equal for names that some file system treats as equal. */
function folded(name: string): string {
  return name.normalize("NFKD").toUpperCase().toLowerCase().normalize("NFKD");
}

/** Of a whole path, as `DistinctPaths` builds it. */
function keyOf(path: string): string {
  return path
    .split("/")
    .map((name) => `${folded(name)}/`)
    .join("");
}
