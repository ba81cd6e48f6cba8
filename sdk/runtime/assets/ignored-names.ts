/** Unfinished files of editors, browsers and copy tools, which rename them at the end. */
const temporaryName = /~$|^~\$|^#.*#$|\.(?:swp|swo|swx|part|partial|filepart|tmp|temp|crdownload|download)$/i;

/** What macOS and Windows add to folders; the rest of it is hidden. */
const systemName = /^(?:__MACOSX|Thumbs\.db|desktop\.ini)$/i;

/** Whether a name is ignored in drop-in folders and inside plugins: hidden files, unfinished ones and those of systems. */
export function isIgnored(name: string): boolean {
  return name.startsWith(".") || temporaryName.test(name) || systemName.test(name);
}
