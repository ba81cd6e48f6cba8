/** The operands that begin a marked-content sequence (ISO 32000-1, 14.6). */
import { endOfRegular, sign, skipBlanks } from "./content-bytes.js";
import { contentOperands, operandName } from "./content-operands.js";

const key = Buffer.from("<</MCID ");

/**
 * The `MCID` of a `BDC` whose operands are between two positions; `named` finds that of named properties in the
 * resources.
 */
export function markedIdentifier(
  bytes: Uint8Array,
  from: number,
  to: number,
  named: (properties: string) => number | undefined = () => undefined,
): number | undefined {
  return usualIdentifier(bytes, from, to) ?? anyIdentifier(bytes, from, to, named);
}

/** Chromium writes `/P <</MCID 12 >>` thousands of times, so this form is read without making objects. */
function usualIdentifier(bytes: Uint8Array, from: number, to: number): number | undefined {
  if (bytes[from] !== sign.slash) return undefined;
  let at = skipBlanks(bytes, endOfRegular(bytes, from + 1));
  for (const byte of key) if (bytes[at++] !== byte) return undefined;
  let identifier = 0;
  const first = at;
  for (let digit = bytes[at] ?? 0; digit >= 0x30 && digit <= 0x39; digit = bytes[++at] ?? 0)
    identifier = identifier * 10 + digit - 0x30;
  const closing = skipBlanks(bytes, at);
  const isWhole = bytes[closing] === sign.greater && bytes[closing + 1] === sign.greater && closing + 2 <= to;
  return at > first && isWhole ? identifier : undefined;
}

function anyIdentifier(
  bytes: Uint8Array,
  from: number,
  to: number,
  named: (properties: string) => number | undefined,
): number | undefined {
  const properties = contentOperands(bytes, from, to)[1];
  if (properties instanceof Map) {
    const identifier = properties.get("MCID");
    return typeof identifier === "number" ? identifier : undefined;
  }
  const name = operandName(properties);
  return name === undefined ? undefined : named(name);
}
