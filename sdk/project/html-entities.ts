/** Named character references that texts of products and projects use. Others stay as they are written. */
const latin =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute " +
  "micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig " +
  "Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash " +
  "Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute " +
  "ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc " +
  "uuml yacute thorn yuml";

const others: [string, number][] = [
  ["amp", 0x26],
  ["lt", 0x3c],
  ["gt", 0x3e],
  ["quot", 0x22],
  ["apos", 0x27],
  ["OElig", 0x152],
  ["oelig", 0x153],
  ["Scaron", 0x160],
  ["scaron", 0x161],
  ["ensp", 0x2002],
  ["emsp", 0x2003],
  ["thinsp", 0x2009],
  ["ndash", 0x2013],
  ["mdash", 0x2014],
  ["lsquo", 0x2018],
  ["rsquo", 0x2019],
  ["sbquo", 0x201a],
  ["ldquo", 0x201c],
  ["rdquo", 0x201d],
  ["bdquo", 0x201e],
  ["bull", 0x2022],
  ["hellip", 0x2026],
  ["permil", 0x2030],
  ["euro", 0x20ac],
  ["trade", 0x2122],
  ["le", 0x2264],
  ["ge", 0x2265],
];

/** Name without "&" and ";" to character; the names of Latin-1 stand in the order of their codes from 160. */
export const htmlEntities: ReadonlyMap<string, string> = new Map([
  ...latin.split(" ").map((name, index): [string, string] => [name, String.fromCodePoint(160 + index)]),
  ...others.map(([name, code]): [string, string] => [name, String.fromCodePoint(code)]),
]);
