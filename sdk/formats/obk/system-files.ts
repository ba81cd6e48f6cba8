/** The folder of what macOS knows of files besides their content, in archives. */
export const systemFolder = "__MACOSX";

/** "._x" holds what macOS knows of x besides its content. */
const systemFile = /^(?:\._.*|\.DS_Store|Thumbs\.db|desktop\.ini)$/is;

/** Whether macOS or Windows put a file of this name, without its folders, beside those of people. */
export function isSystemFile(name: string): boolean {
  return systemFile.test(name);
}
