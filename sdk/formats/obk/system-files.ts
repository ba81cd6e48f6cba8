/** The folder of what macOS knows of files besides their content, in archives. */
export const systemFolder = "__MACOSX";

/** "._x" has the metadata of x on macOS. */
const systemFile = /^(?:\._.*|\.DS_Store|Thumbs\.db|desktop\.ini)$/is;

/** Whether macOS or Windows adds files of this name (without folders). */
export function isSystemFile(name: string): boolean {
  return systemFile.test(name);
}
