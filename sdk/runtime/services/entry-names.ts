import { cleanFilename } from "./clean-filename.js";

/** Gives the entries of one archive names that every system can unpack side by side. */
export class EntryNames {
  /** In lower case, because many file systems do not tell the cases apart. */
  private readonly files = new Set<string>();
  private readonly folders = new Set<string>();

  /** The cleaned name, with a number where another entry has it. "/" stands between folders. */
  unique(wanted: string): string {
    const segments = wanted.split(/[\\/]/).filter((segment) => !/^\.*$/.test(segment.trim()));
    const name = cleanFilename(segments.pop() ?? "");
    let folder = "";
    for (const segment of segments) {
      folder += numbered(cleanFilename(segment), (each) => !this.files.has(`${folder}${each}`.toLowerCase()));
      this.folders.add(folder.toLowerCase());
      folder += "/";
    }
    const free = (each: string): boolean => {
      const key = `${folder}${each}`.toLowerCase();
      return !this.files.has(key) && !this.folders.has(key);
    };
    const path = `${folder}${numbered(name, free)}`;
    this.files.add(path.toLowerCase());
    return path;
  }
}

/** The name itself, or the first of "name (2).xml", "name (3).xml" and so on that is free. */
function numbered(name: string, isFree: (name: string) => boolean): string {
  const dot = name.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  let candidate = name;
  for (let number = 2; !isFree(candidate); number += 1) candidate = `${stem} (${number})${extension}`;
  return candidate;
}
