import { trimmedEnd } from "../../trimmed-end.js";

const longest = 150;

/** A file name that is fit for a download: no folders, no invisible or reversing characters, never empty. */
export function cleanFilename(name: string): string {
  const cleaned = name
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "")
    .replaceAll(/[\\/:*?"<>|]/g, "_")
    .replaceAll(/\s+/g, " ")
    .replace(/^[. ]+/, "");
  return shortened(trimmedEnd(cleaned, ". ")) || "file";
}

/** Shortens the part before the extension, never inside a character. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= longest) return name;
  const dot = characters.lastIndexOf(".");
  const extension = dot > 0 && characters.length - dot <= 16 ? characters.slice(dot) : [];
  return [...characters.slice(0, longest - extension.length), ...extension].join("");
}
