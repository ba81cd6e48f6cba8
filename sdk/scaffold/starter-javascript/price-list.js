// @ts-check
import {
  articleNumbers,
  currencyDigits,
  descriptionTexts,
  isPosition,
  lineSheets,
  parseLocale,
  projectPrices,
  RequestError,
  resolveView,
  route,
  SessionId,
  salesValue,
  TextReader,
  Type,
  textLanguages,
  walkNodes,
} from "@slipway/sdk";

/**
 * Writes the positions of a project with their net prices into a CSV file.
 * @param {import("@slipway/sdk").Host} host
 * @param {import("./settings.js").Settings} settings
 */
export const priceList = (host, { procedure, separator }) =>
  route.post("price-list.json", {
    summary: "The positions of the project with their net prices, as a CSV file.",
    body: Type.Object({ sessionId: SessionId }),
    response: Type.Object({ name: Type.String(), url: Type.String(), positions: Type.Integer() }),
    session: "required",
    timeout: "30s",
    async handler({ session, locale, suppress, log }) {
      const project = await session.project();
      const prices = await projectPrices(project, procedure, host.procedures);
      for (const error of prices.errors) suppress(error);

      const { currency } = project.settings;
      const languages = textLanguages(project, locale);
      const texts = new TextReader(project, languages, suppress);
      const rows = [...walkNodes(resolveView(project).nodes)].flatMap((line) => {
        const { item, position, quantity } = line;
        if (!isPosition(item)) return [];
        const text = texts.ofItem(descriptionTexts(item, "shortText", languages), item.id, "shortText");
        const net = salesValue(item, prices.sheets.sum(lineSheets(line, { project, prices })));
        return [
          [
            position,
            articleNumbers(item).shown,
            text,
            quantity?.value,
            net?.toFixed(currencyDigits(currency)),
          ],
        ];
      });
      if (rows.length === 0) {
        throw new RequestError({ id: "project-empty", code: 422, message: "The project has no positions." });
      }

      const title = await columnTitles(host, locale);
      title.push(`${title.pop()} ${currency}`);
      const file = await host.files.create({
        name: `prices-${host.now().toISOString().slice(0, 10)}.csv`,
        mediaType: "text/csv; charset=utf-8",
        content: [title, ...rows].map((row) => `${row.map(cell).join(separator)}\r\n`),
      });
      log.info("price list made", { positions: rows.length });
      return { name: file.name, url: file.url, positions: rows.length };
    },
  });

/**
 * The titles of the columns in the client's language if assets/titles.json has it, else in English.
 * @param {import("@slipway/sdk").Host} host
 * @param {string} locale
 */
const columnTitles = async ({ assets }, locale) => {
  /** @type {Record<string, string[]>} */
  const titles = JSON.parse(await assets.text("assets/titles.json"));
  const { language = "en" } = parseLocale(locale) ?? {};
  return titles[language] ?? titles["en"] ?? [];
};

/** Quotes a cell. A text that a spreadsheet would read as a formula gets an apostrophe. */
const cell = (value = "") => {
  const isFormula = /^[=+@\t\r-]/.test(value) && !/^-[\d.]+$/.test(value);
  return `"${isFormula ? "'" : ""}${value.replaceAll('"', '""')}"`;
};
