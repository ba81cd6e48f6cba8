/**
 * The scripts of the world that Noto has fonts for: how people name them, which characters are theirs, and in which packages
 * of the npm registry the fonts are.
 */

/** A package of the npm registry, and what its archive has to be (Subresource Integrity, SHA-512). */
export interface FontPackage {
  name: string;
  version: string;
  integrity: string;
}

export interface FontScript {
  /** As commands name it. */
  name: string;
  /** Codes of ISO 15924. */
  codes: readonly string[];
  /** Tags of languages that are written in it (BCP 47); the first is that of texts without a better one. */
  languages: readonly string[];
  /** Its characters; undefined where others share them. */
  characters: RegExp | undefined;
  /** Characters that each font of the script has. */
  sample: string;
  /** Empty where Noto Sans, which comes with Slipway, has the script. */
  packages: readonly FontPackage[];
  /** Names of the fonts, in the order in which characters are looked for. */
  families: readonly string[];
}

/** In the order in which fonts are tried for a character. Those of Han characters stay together: the language chooses. */
export const fontScripts: readonly FontScript[] = [
  alphabet("Hebrew", ["Hebr"], ["he", "yi"], "אבגשת", {
    version: "0.4.1",
    integrity:
      "sha512-NR3vP6GT/hSINLrk4JHJBQnuzh/C1mlMrphNlI2dQaO53a3oTjSRoG4JyYb1B6bHadjsGh0wPZbT4kMJBKjT/w==",
  }),
  alphabet("Arabic", ["Arab"], ["ar", "fa", "ur", "ps"], "ابجيپ١٢", {
    version: "0.4.3",
    integrity:
      "sha512-YvtxyuegxPegu2g5urXJ+gQxRp8i798nQswTmEjwXOWR/fqy0Gvey6h5IoNRBrc43SxRxPezqCiR9ivpfPAXSg==",
  }),
  alphabet("Thai", ["Thai"], ["th"], "กขฮเ้", {
    version: "0.4.2",
    integrity:
      "sha512-PGBBBDGfJJ/5y2hNweLBZWD4YmVT4uOO4chsOPXyl0TktaBJamDKVKv/WbGiDTeBGdkegLiytsWo+lhnkHP5qA==",
  }),
  {
    name: "devanagari",
    codes: ["Deva"],
    languages: ["hi", "mr", "ne", "sa"],
    characters: /[\p{scx=Devanagari}]/u,
    sample: "कखहि्",
    packages: [],
    families: [],
  },
  alphabet("Bengali", ["Beng"], ["bn", "as"], "কখহি্", {
    version: "0.4.4",
    integrity:
      "sha512-Ya58tLTEdP4P5EF3ZXTM829/g57mbfW8OrD16MMZr2sC3nIKItl/3J9tZlk1nrtqfFGzIgxb+zt/hLjAaTAQgQ==",
  }),
  alphabet("Gurmukhi", ["Guru"], ["pa"], "ਕਖਹਿ", {
    version: "0.4.1",
    integrity:
      "sha512-yAaWoUawvVD/50HnZWN1lABWOy9eNcbS3i9bRjoXwEueaoI7E2dTd7liA2BcJ/uTkFUgYWd5QOjIfoCXnTo44Q==",
  }),
  alphabet("Gujarati", ["Gujr"], ["gu"], "કખહિ", {
    version: "0.4.2",
    integrity:
      "sha512-KtJySkho6C2Yf28dZx1SYwAs671hncIpBpIlTDzxLv7i7iOFJ2p74nzyP23aY04HUm28ELX7r86Dmui/qpLpMg==",
  }),
  alphabet("Tamil", ["Taml"], ["ta"], "கஙஹி", {
    version: "0.4.3",
    integrity:
      "sha512-1TBkwJ8gJPnt1UIC+um987hYb/QmRDATGKbtwDW6dajISxr8b7+EVjwMESMJaQxfNS8VWE4IBT2jYmpBGw4D+w==",
  }),
  alphabet("Telugu", ["Telu"], ["te"], "కఖహి", {
    version: "0.4.2",
    integrity:
      "sha512-t5wZI1/2u69ugVr2v9P4Qqt9BHHwDQ/26+1p9MLrwf1lNSW64Mw16AIRzGWIOcRMd0drYWeZzZO1DqoFts3KiA==",
  }),
  alphabet("Kannada", ["Knda"], ["kn"], "ಕಖಹಿ", {
    version: "0.4.3",
    integrity:
      "sha512-nFDeSKVlpCJpd4x4E+W5WwfJVJ5fGN5pa/szOvE9GotDEYTPuhd8SzKYsQ4F2PVbzXRT21jMXxJ70tKPvItuGA==",
  }),
  alphabet("Malayalam", ["Mlym"], ["ml"], "കഖഹി", {
    version: "0.4.2",
    integrity:
      "sha512-TZfS4nKhsQftD4nJr5R4fOO7EKe0L5RAscmYehignHr5JJVzW49Nxom0w0rnmHDU2iV3zWIOeyx3rN3bkHGI0A==",
  }),
  alphabet("Sinhala", ["Sinh"], ["si"], "කඛහි", {
    version: "0.4.2",
    integrity:
      "sha512-pczEE8p3aAvnMuVSppyW8d9dqlg9wxr8R3BfEUB9qPQHAWlR9TsSlaGbF/G/j8k4fSU21swf+v5p4BeTuFeMtA==",
  }),
  alphabet("Lao", ["Laoo"], ["lo"], "ກຂຮ່", {
    version: "0.4.2",
    integrity:
      "sha512-gM/grIG03BWSk8lqiR1IC7WHpGH/8TrvwU0ZjEvs236YiN0LK2qQythq6lqcJbENo/0HMxdk13n35yhqnHVJ8g==",
  }),
  alphabet("Myanmar", ["Mymr"], ["my"], "ကခဟိ", {
    version: "0.4.2",
    integrity:
      "sha512-qG8DHmy+7xFvW5z8lN3r5jjEXoQBhjpjoxXR/Y8/WcywirPIBZnFpAy5IlwCRSobJdCw3+i7gvmIz1bl6mp7bg==",
  }),
  alphabet("Khmer", ["Khmr"], ["km"], "កខហិ", {
    version: "0.4.3",
    integrity:
      "sha512-vBG7J/w4j+tPTPA53a43zb/s/K3AjHRTDbEG4omn/xs4dThknBh4aVRJ4zwROLy7OeZnhQPDkGRUEPAi8C/btg==",
  }),
  alphabet("Georgian", ["Geor"], ["ka"], "აბგჰ", {
    version: "0.4.3",
    integrity:
      "sha512-qvQ/DE/F10hZPD/vYSm68aNWjOLyxGrCC3NzZR3L0RWpo2njqePvNjXcAcR9yvLwrREOmlWGtUD7GTAuIjlkzA==",
  }),
  alphabet("Armenian", ["Armn"], ["hy"], "ԱԲաբ", {
    version: "0.4.2",
    integrity:
      "sha512-AHnwnabRI64hwenSeePxp2TICbYK6Wg56o2y5shFTLWLWzwnPXv30r4LGy6NQYk9PliXizDU9Qeyvob6e3tsgQ==",
  }),
  alphabet("Ethiopic", ["Ethi"], ["am", "ti"], "ሀለሐፐ", {
    version: "0.4.2",
    integrity:
      "sha512-puS0u1/7b0kZ6fqOYaSlCdai8zHuD9CQY2qlyJEtYzUC5Nd1fH3QENmQc0a1Gcqe0q9s3n7440eNJSLK2mGouw==",
  }),
  {
    name: "chinese-simplified",
    codes: ["Hans"],
    languages: ["zh", "zh-Hans", "zh-Hans-CN", "zh-CN", "zh-SG"],
    characters: undefined,
    sample: "们语办黑",
    packages: [
      font(
        "noto-sans-sc",
        "0.4.3",
        "sha512-9rAwdFTFHbO/u6Cs0gj2jZbW74TGIiaFNQnXYH2s5wA1bzVkwbaviL4t8YUV642eGYjg86eH6DkAEQmfNHDncQ==",
      ),
    ],
    families: ["Noto Sans SC"],
  },
  {
    name: "chinese-traditional",
    codes: ["Hant", "Bopo"],
    languages: ["zh-Hant", "zh-Hant-TW", "zh-Hant-HK", "zh-TW", "zh-HK", "zh-MO", "yue"],
    characters: /[\p{scx=Bopomofo}]/u,
    sample: "們ㄅㄆ黑",
    packages: [
      font(
        "noto-sans-tc",
        "0.4.3",
        "sha512-69XAOTLPz0WlAxL6qJEKlDMxHsBd4J1M39HjV0gPF2o1xWVALOsVWvDgistnecVockA9wbU/tH5C/gyS2PdnHg==",
      ),
    ],
    families: ["Noto Sans TC"],
  },
  {
    name: "japanese",
    codes: ["Jpan", "Hira", "Kana", "Hrkt"],
    languages: ["ja"],
    characters: /[\p{scx=Hiragana}\p{scx=Katakana}]/u,
    sample: "あアー語",
    packages: [
      font(
        "noto-sans-jp",
        "0.4.3",
        "sha512-Fl+Z6vtD24HFAYsvzB0S9Nery1ly16B9PesdY0wBd+wEHAvkNglnkTUspU0HqGOubkmoa8zusJrKv6vDx1o70A==",
      ),
    ],
    families: ["Noto Sans JP"],
  },
  {
    name: "korean",
    codes: ["Kore", "Hang"],
    languages: ["ko"],
    characters: /[\p{scx=Hangul}]/u,
    sample: "가각한語",
    packages: [
      font(
        "noto-sans-kr",
        "0.4.3",
        "sha512-EVS/uJPcf1TgJtjmQmrFr0oGdcl7ml09CSu0E/AyGzR0UfzdR2pBbzWWPsnuzZiGUl643ODYwYiXK5+B+fLjhQ==",
      ),
    ],
    families: ["Noto Sans KR"],
  },
  {
    name: "symbols",
    codes: ["Zsym", "Zmth"],
    languages: [],
    characters: undefined,
    sample: "→✓☐★≠≤𝔘",
    packages: [
      font(
        "noto-sans-symbols",
        "0.4.1",
        "sha512-LlXM1nLfz0FO1UA/COHlVau8DcDsvex3uWVA/BqeT8tJt+Hk8ju5XfmoShdjiW8IP4Z3ukKp7VFh4DDmNImYKA==",
      ),
      font(
        "noto-sans-symbols-2",
        "0.4.1",
        "sha512-jFymG5s4OLlXpy9E9FQvSXpSnf43BIYcJiPXEHSw6LFNvbahkjmUWb/cj4vsX/KdUksGLTPbjB9iRuu8L3yJ8A==",
      ),
      font(
        "noto-sans-math",
        "0.4.2",
        "sha512-Kgj0kKibznTLYcbpR8Tk2ybr76uMOyrlyoP5F9G+0UiJzAMA4zG/XIlrgXKzfFGERhA0Rc3vbwDeeTxwXPlaYg==",
      ),
    ],
    families: ["Noto Sans Symbols", "Noto Sans Symbols 2", "Noto Sans Math"],
  },
  {
    name: "emoji",
    codes: ["Zsye"],
    languages: [],
    characters: /[\p{Emoji_Presentation}\p{Regional_Indicator}]/u,
    sample: "🪑👩😀",
    packages: [
      font(
        "noto-emoji",
        "0.4.7",
        "sha512-Gs7URwtKmCzzdGUTYbG8MIohyaQPgGxIaQG5hvyEAaQiEGJpQy6gyP3NDICE0EJkOJFoe1JFD3Hf1L4a3qe4KA==",
      ),
    ],
    families: ["Noto Emoji"],
  },
];

/** A script whose characters, fonts and package all bear its name in Unicode. */
function alphabet(
  unicodeName: string,
  codes: readonly string[],
  languages: readonly string[],
  sample: string,
  { version, integrity }: Omit<FontPackage, "name">,
): FontScript {
  const name = unicodeName.toLowerCase();
  return {
    name,
    codes,
    languages,
    characters: new RegExp(`[\\p{scx=${unicodeName}}]`, "u"),
    sample,
    packages: [font(`noto-sans-${name}`, version, integrity)],
    families: [`Noto Sans ${unicodeName}`],
  };
}

function font(name: string, version: string, integrity: string): FontPackage {
  return { name: `@expo-google-fonts/${name}`, version, integrity };
}

/** The script that a name, a code of ISO 15924 or the tag of a language means, in any case. */
export function fontScript(named: string): FontScript | undefined {
  const wanted = named.toLowerCase();
  const isWanted = (each: string): boolean => each.toLowerCase() === wanted;
  return (
    fontScripts.find(({ name, codes }) => isWanted(name) || codes.some(isWanted)) ?? scriptOfLanguage(named)
  );
}

/** The script of a language tag such as "zh-Hant-HK", by the longest tag that is known. */
export function scriptOfLanguage(tag: string): FontScript | undefined {
  const parts = tag.toLowerCase().replaceAll("_", "-").split("-");
  const [, second = ""] = parts;
  const byCode =
    second.length === 4
      ? fontScripts.find(({ codes }) => codes.some((code) => code.toLowerCase() === second))
      : undefined;
  if (byCode !== undefined) return byCode;
  for (let length = parts.length; length > 0; length--) {
    const known = parts.slice(0, length).join("-");
    const found = fontScripts.find(({ languages }) => languages.some((each) => each.toLowerCase() === known));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Han characters, and signs that only fonts for East Asian texts have. */
const eastAsian = /[\p{scx=Han}\u2500-\u259f\u3000-\u33ff\uff00-\uffef]/u;

/** General punctuation to arrows, with their combining marks and numerals; what no script has for itself. */
const otherSigns = /[\p{Script=Common}\u2000-\u2bff]/u;

const hanScripts = ["chinese-simplified", "chinese-traditional", "japanese", "korean"];

/**
 * Which fonts the East Asian characters of a document in a language need, if it has any: the same characters look different in
 * each. Undefined without such characters.
 */
export function eastAsianScript(html: string, language: string): string | undefined {
  if (!/[\p{scx=Han}\p{scx=Hangul}\u3000-\u33ff\uff00-\uffef]|&#x?[0-9a-f]{4}/iu.test(html)) return undefined;
  return scriptOfHan(new Set(), language);
}

/**
 * Names of the scripts whose fonts have these characters, in the order of the list. Han characters are those of the
 * document's language, else of the language whose own letters are among the characters, else Chinese. Empty where no font is known.
 */
export function scriptsOfCharacters(characters: readonly string[], language: string): string[] {
  const found = new Set<string>();
  const shared: string[] = [];
  for (const character of characters) {
    const script = fontScripts.find((each) => each.characters?.test(character));
    if (script !== undefined) found.add(script.name);
    else shared.push(character);
  }
  for (const character of shared) {
    if (eastAsian.test(character)) found.add(scriptOfHan(found, language));
    else if (otherSigns.test(character)) found.add("symbols");
  }
  return fontScripts.flatMap(({ name }) => (found.has(name) ? [name] : []));
}

function scriptOfHan(found: ReadonlySet<string>, language: string): string {
  const own = scriptOfLanguage(language)?.name;
  if (own !== undefined && hanScripts.includes(own)) return own;
  return [...hanScripts].reverse().find((name) => found.has(name)) ?? "chinese-simplified";
}
