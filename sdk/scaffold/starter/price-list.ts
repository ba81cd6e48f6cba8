import {
  articleNumbers,
  chooseText,
  descriptionTexts,
  Exact,
  type Host,
  isPosition,
  type Money,
  netPrice,
  type ProjectPrices,
  projectPrices,
  RequestError,
  type Route,
  resolveView,
  route,
  SessionId,
  Type,
  textLanguages,
  type ViewNode,
  walkNodes,
} from "@slipway/sdk";
import type { Settings } from "./settings.js";

/** Writes the positions of a project with their net prices into a CSV file. */
export const priceList = (host: Host, { procedure, separator }: Settings): Route =>
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

      const languages = textLanguages(project, locale);
      const rows = [...walkNodes(resolveView(project).nodes)].flatMap((line) => {
        if (!isPosition(line.item)) return [];
        const article = articleNumbers(line.item).shown;
        const text = chooseText(descriptionTexts(line.item, "shortText", languages), languages).value;
        const price = netPriceOf(line, prices);
        return [[line.position, article, text, line.quantity?.value, price?.value, price?.currency]];
      });
      if (rows.length === 0) {
        throw new RequestError({ id: "project-empty", code: 422, message: "The project has no positions." });
      }

      const made = host.now().toISOString().slice(0, 10);
      const file = await host.files.create({
        name: `prices-${made}.csv`,
        mediaType: "text/csv; charset=utf-8",
        content: rows.map((row) => `${row.map(cell).join(separator)}\r\n`),
      });
      log.info("price list made", { positions: rows.length });
      return { name: file.name, url: file.url, positions: rows.length };
    },
  });

/** Of all that a line of the view stands for; undefined where one of these has no price. */
const netPriceOf = ({ items }: ViewNode, { calculation, procedure }: ProjectPrices): Money | undefined =>
  items
    .map(({ id }) => calculation.items[id])
    .map((sheet) => sheet && netPrice(sheet, procedure)?.total)
    .reduce(
      (sum, price) =>
        sum && price && { value: new Exact(sum.value).plus(price.value).toFixed(), currency: sum.currency },
    );

/** In quotes; what a spreadsheet would take for a formula becomes a text. */
const cell = (value = ""): string => {
  const isFormula = /^[=+@\t\r]|^-(?![\d.]+$)/.test(value);
  return `"${isFormula ? "'" : ""}${value.replaceAll('"', '""')}"`;
};
