/** Unfinished files of editors, browsers and copy tools, which rename them at the end. */
const temporaryName = /~$|^~\$|^#.*#$|\.(?:swp|swo|swx|part|partial|filepart|tmp|temp|crdownload|download)$/i;

/** Whether a name is ignored in drop-in folders and inside plugins: hidden files and unfinished ones. */
export function isIgnored(name: string): boolean {
  return name.startsWith(".") || temporaryName.test(name);
}
