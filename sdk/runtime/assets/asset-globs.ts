// Not minimatch, a dependency of archiver: its regular expressions backtrack, so a hostile manifest could block a host.
// Here a name takes at most one step for each pair of characters of glob and name.

const longestGlob = 200;
const unfit = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFD]/u;

/** Why a glob of `slipway.assets` is refused, as a sentence that begins with the glob; undefined if it is valid. */
export function globProblem(glob: string): string | undefined {
  if (glob === "") return "is empty";
  if (glob.length > longestGlob) return `is longer than ${longestGlob} characters`;
  if (unfit.test(glob)) return "has characters that a file name cannot have everywhere";
  if (glob.includes("\\")) return "has a backslash; folders end with a slash";
  if (glob.startsWith("/") || glob.includes(":")) return "is absolute";
  if (glob.startsWith("!") || /[[\]{}]/.test(glob)) return "has other wildcards than *, ? and **";
  for (const name of glob.split("/")) {
    if (name === "..") return "leads out of its folder";
    if (name === "" || name === ".") return "has an empty part";
    if (name.includes("**") && name !== "**") return "has ** beside other characters of a name";
  }
  return undefined;
}

/** The progress of a path in a glob: the positions where the next name may continue. */
export type GlobProgress = ReadonlySet<number>;

/**
 * A glob that passes `globProblem`, matched name by name from the top folder: `*` and `?` match characters of one name,
 * `**` any number of folders, and at the end everything below.
 */
export class AssetGlob {
  readonly start: GlobProgress;
  private readonly names: readonly string[];

  constructor(readonly text: string) {
    this.names = text.split("/");
    this.start = this.withoutFolders([0]);
  }

  /** The progress after one more name; empty if nothing below it can match. */
  next(progress: GlobProgress, name: string): GlobProgress {
    const reached: number[] = [];
    for (const position of progress) {
      const expected = this.names[position];
      if (expected === "**") {
        reached.push(position);
        if (position === this.names.length - 1) reached.push(position + 1);
      } else if (expected !== undefined && matchesName(expected, name)) reached.push(position + 1);
    }
    return this.withoutFolders(reached);
  }

  /** Whether a file with this progress matches. */
  isMatch(progress: GlobProgress): boolean {
    return progress.has(this.names.length);
  }

  /** Whether files of a folder with this progress can match. */
  mayContinue(progress: GlobProgress): boolean {
    return [...progress].some((position) => position < this.names.length);
  }

  /** `**` also matches no folder, except at the end: it does not match the folder itself. */
  private withoutFolders(positions: readonly number[]): GlobProgress {
    const all = new Set<number>();
    for (let position of positions) {
      all.add(position);
      while (this.names[position] === "**" && position < this.names.length - 1) {
        position += 1;
        all.add(position);
      }
    }
    return all;
  }
}

/** `*` in the glob matches any characters, `?` one. A mismatch returns to the last `*` only. */
function matchesName(glob: string, name: string): boolean {
  const [expected, characters] = [[...glob], [...name]];
  let [at, inName] = [0, 0];
  let star: { at: number; inName: number } | undefined;
  while (inName < characters.length) {
    const wanted = expected[at];
    if (wanted === "*") {
      star = { at, inName };
      at += 1;
    } else if (wanted !== undefined && (wanted === "?" || wanted === characters[inName])) {
      at += 1;
      inName += 1;
    } else if (star !== undefined) {
      star.inName += 1;
      at = star.at + 1;
      inName = star.inName;
    } else return false;
  }
  return expected.slice(at).every((left) => left === "*");
}
