import { isSystemFile, systemFolder } from "../../formats/obk/system-files.js";

/** Unfinished files of editors, browsers and copy tools, which rename them at the end. */
const temporaryName = /~$|^~\$|^#.*#$|\.(?:swp|swo|swx|part|partial|filepart|tmp|temp|crdownload|download)$/i;

/** Whether a name is ignored in drop-in folders and inside plugins: hidden files, unfinished ones and those of systems. */
export function isIgnored(name: string): boolean {
  const isOfSystem = isSystemFile(name) || name.toUpperCase() === systemFolder;
  return name.startsWith(".") || temporaryName.test(name) || isOfSystem;
}
