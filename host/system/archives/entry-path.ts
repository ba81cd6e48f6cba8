const longestName = 255;
const longestPath = 1000;
const deepestPath = 50;
const unfit = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFD]/u;

/** Why a path must not name a file on any system, to be read after the path; undefined when it may. */
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

/** Paths that every file system can hold side by side. */
export class DistinctPaths {
  private readonly known = new Map<string, { path: string; kind: "file" | "folder" }>();
  private folderCount = 0;

  /** How many folders the paths need. */
  get folders(): number {
    return this.folderCount;
  }

  hasFile(path: string): boolean {
    const found = this.known.get(keyOf(path));
    return found?.kind === "file" && found.path === path;
  }

  /** Takes a path and the folders above it, or says what is wrong with it, to be read after the path. */
  add(path: string, kind: "file" | "folder"): string | undefined {
    const names = path.split("/");
    let [above, key] = ["", ""];
    for (const [index, name] of names.entries()) {
      const isLast = index === names.length - 1;
      above += index === 0 ? name : `/${name}`;
      // Name by name: paths of many names, which are long, would take very long.
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

/** The same for all names that some file system takes for one. */
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
