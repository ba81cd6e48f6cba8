/** Projects for reports that break totals down: many makers and rooms, and what is hard to print. */
import type { ArticleItem, FolderItem, Item, ProjectDocument } from "@slipway/sdk";
import { article, id, project } from "./quote-project.js";

/** A word that no line of a page is wide enough for. */
export const longWord = "Donaudampfschifffahrtsgesellschaftskapitän".repeat(6);

export function folder(number: number, name: string, children: Item[]): FolderItem {
  return {
    type: "folder",
    id: id(10_000 + number),
    name: name === "" ? [] : [{ lang: "en", value: name }],
    showSubTotal: false,
    children,
  };
}

/** An article of a maker, at a price in pounds; without a price where none is given. */
export function made(
  number: number,
  maker: string,
  price: string | undefined,
  changes: Partial<ArticleItem> = {},
): ArticleItem {
  return article(number, {
    manufacturerId: maker,
    productPrices: price === undefined ? [] : [{ side: "sales", base: { value: price, currency: "GBP" } }],
    ...changes,
  });
}

/** Makers M1 to M<count>, named "Maker 1" and so on. */
export function makers(count: number): NonNullable<ProjectDocument["manufacturers"]> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return Object.fromEntries(
    numbers.map((number) => [`M${number}`, { name: [{ lang: "en", value: `Maker ${number}` }], series: {} }]),
  );
}

/** So many articles of so many makers in so many rooms; article n costs 100 times the number of its maker. */
export function largeBreakdown(articles: number, makerCount: number, roomCount: number): ProjectDocument {
  const rooms = Array.from({ length: roomCount }, (_, index) => folder(index + 1, `Room ${index + 1}`, []));
  for (let number = 1; number <= articles; number++) {
    const maker = ((number - 1) % makerCount) + 1;
    const room = rooms[Math.floor(((number - 1) * roomCount) / articles)];
    room?.children?.push(made(number, `M${maker}`, `${maker * 100}.00`));
  }
  return { ...project(rooms), manufacturers: makers(makerCount) };
}

/** Names, numbers and texts that are wider than any column, a price of many digits, and next to nothing. */
export function unwieldyProject(): ProjectDocument {
  const text = [{ lang: "en", value: longWord }];
  const large = made(1, "M1", "123456789.12", {
    quantity: { value: "123456.75", unit: "MTR" },
    baseArticleNumber: longWord,
    productDescription: { shortText: text, longText: text },
  });
  const bare = made(2, "M2", undefined, { productDescription: {}, baseArticleNumber: "", seriesId: "" });
  return {
    ...project([folder(1, longWord, [large, bare]), folder(2, "", [made(3, "", "1.00")])]),
    header: { name: longWord, number: longWord },
    manufacturers: { M1: { name: text, series: {} } },
    addresses: [
      { addressType: "ShipTo", name1: longWord, street: longWord },
      { addressType: "Branch", name1: longWord },
    ],
  };
}
