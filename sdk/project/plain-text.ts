import { errorMessage } from "../error-message.js";
import { trimmedEnd } from "../trimmed-end.js";
import type { Text } from "./document.js";
import { jsonToPlain } from "./json-text.js";
import { htmlToPlain, xmlToPlain } from "./markup-text.js";

/** A text whose value does not follow its format. */
export class UnreadableText extends Error {
  /** Always "UnreadableText", as stacks and logs show it. */
  override readonly name = "UnreadableText";

  constructor(
    /** The text that cannot be read. */
    readonly text: Text,
    cause: unknown,
  ) {
    const reason = errorMessage(cause);
    super(`the ${text.format ?? "plain"} text in language "${text.lang}" is malformed: ${reason}`, { cause });
  }
}

/**
 * The plain text of a text of any format, with line feeds between lines and without blanks around it. Control
 * characters are left out.
 * @throws {@link UnreadableText} where an `iml`, `xml` or `json` value is not well formed
 */
export function plainText(text: Text): string {
  return tidy(rendered(text));
}

function rendered(text: Text): string {
  if (text.value.trim() === "") return "";
  try {
    switch (text.format) {
      case "html":
        return htmlToPlain(text.value);
      case "iml":
      case "xml":
        return xmlToPlain(text.value);
      case "json":
        return jsonToPlain(text.value);
      default:
        return text.value;
    }
  } catch (error) {
    throw new UnreadableText(text, error);
  }
}

const controlCharacters = /[\p{Cc}\u2028\u2029]/gu;

/** One line without anything to tidy, as most texts are. */
const ordinary = /^[\x20-\x7E\xA0-\u2027\u202A-\uD7FF]*$/;

function tidy(text: string): string {
  if (ordinary.test(text)) return text.trim();
  const lines = text
    .replace(/\r\n?/g, "\n")
    .replace(controlCharacters, (character) =>
      character === "\n" || character === "\t" ? character : /[\u2028\u2029]/.test(character) ? "\n" : "",
    )
    .split("\n")
    .map((line) => trimmedEnd(line, " \t"));
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
