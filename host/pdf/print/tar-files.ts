/** One regular file of a tar archive. */
export interface TarFile {
  name: string;
  content: Uint8Array;
}

const blockBytes = 512;

/**
 * The regular files of an uncompressed tar archive (ustar, as POSIX 1003.1 describes it). Throws when the archive
 * is cut off or a name leads out of the folder.
 */
export function tarFiles(archive: Uint8Array): TarFile[] {
  const files: TarFile[] = [];
  const text = new TextDecoder("latin1");
  const field = (block: number, start: number, length: number): string =>
    text.decode(archive.subarray(block + start, block + start + length)).split("\0", 1)[0] ?? "";
  let position = 0;
  while (position + blockBytes <= archive.length && archive[position] !== 0) {
    const name = [field(position, 345, 155), field(position, 0, 100)].filter(Boolean).join("/");
    const size = Number.parseInt(field(position, 124, 12).trim() || "0", 8);
    const type = field(position, 156, 1);
    const start = position + blockBytes;
    if (!Number.isSafeInteger(size) || start + size > archive.length)
      throw new Error(`archive cut off at ${name}`);
    if (name.startsWith("/") || name.split("/").includes("..")) throw new Error(`unexpected name ${name}`);
    if (type === "" || type === "0") files.push({ name, content: archive.subarray(start, start + size) });
    position = start + Math.ceil(size / blockBytes) * blockBytes;
  }
  return files;
}
