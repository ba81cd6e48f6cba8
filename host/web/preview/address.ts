/** The state of the page in its address, so that a reload or a bookmark shows the same. */
export interface Shown {
  session: string | undefined;
  template: string | undefined;
  /** The default is the session's locale. */
  locale: string | undefined;
  zoom: string | undefined;
  /** Embedded files such as "OEX,OBX": the PDF is then that of an order export. */
  embed: string | undefined;
  /** Changed options by key, as texts. */
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

/** Characters; hosts and proxies refuse much longer addresses. */
const longest = 6000;

/** The query for a state; omits texts that are too long for an address. */
export function writeAddress(shown: Shown): string {
  const query = new URLSearchParams();
  for (const name of members) if (shown[name] !== undefined) query.set(name, shown[name]);
  for (const [key, value] of shown.options) {
    query.set(`${optionPrefix}${key}`, value);
    if (query.toString().length > longest) query.delete(`${optionPrefix}${key}`);
  }
  return `?${query}`;
}
