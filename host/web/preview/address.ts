/** What the page shows, as it stands in its address, so that a reload or a bookmark shows the same. */
export interface Shown {
  session: string | undefined;
  template: string | undefined;
  /** Without it the session's own. */
  locale: string | undefined;
  zoom: string | undefined;
  /** Files that the PDF is to carry, such as "OEX,OBX": it is that of an order export then. */
  embed: string | undefined;
  /** Options that somebody changed, by key, as texts. */
  options: ReadonlyMap<string, string>;
}

const optionPrefix = "option.";
const members = ["session", "template", "locale", "zoom", "embed"] as const;

/** Reads the address of the page. */
export function readAddress(search: string): Shown {
  const query = new URLSearchParams(search);
  const [session, template, locale, zoom, embed] = members.map((name) => query.get(name) || undefined);
  const options = new Map<string, string>();
  for (const [key, value] of query)
    if (key.startsWith(optionPrefix)) options.set(key.slice(optionPrefix.length), value);
  return { session, template, locale, zoom, embed, options };
}

/** Characters; hosts and proxies refuse addresses that are much longer. */
const longest = 6000;

/** The query of an address that shows this; without texts that no address can hold. */
export function writeAddress(shown: Shown): string {
  const query = new URLSearchParams();
  for (const name of members) if (shown[name] !== undefined) query.set(name, shown[name]);
  for (const [key, value] of shown.options) {
    query.set(`${optionPrefix}${key}`, value);
    if (query.toString().length > longest) query.delete(`${optionPrefix}${key}`);
  }
  return `?${query}`;
}
