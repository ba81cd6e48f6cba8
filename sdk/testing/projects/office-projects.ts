/** Projects for furnishing offices. All names in them are made up. */
import type { ProjectDocument } from "../../project/document.js";
import { id } from "./described-values.js";
import { pngPicture } from "./png-picture.js";
import { projectOf } from "./project-of.js";

/** A project without a single item. */
export function emptyProject(): ProjectDocument {
  return projectOf({ name: "Empty project", number: "P-0" });
}

/**
 * A typical project: two folders with subtotals, four articles of one manufacturer in English and German with
 * features and pictures, a note, addresses, and discounts of an article and of the project. With STDB2B_WBK,
 * it costs EUR 3,562.50 net, 676.88 tax, 4,239.38 in total; the purchase total is 1,860.00.
 */
export function smallOffice(): ProjectDocument {
  const colour = (en: string, de: string) => ({ label: { en: "Colour", de: "Farbe" }, text: { en, de } });
  return projectOf({
    name: "Harbour office",
    number: "P-2026-17",
    languages: ["en", "de"],
    header: {
      projectDate: "2026-03-02",
      validTo: "2026-04-01",
      customerNumber: "10042",
      headerText: [
        { lang: "en", value: "Thank you for your enquiry." },
        { lang: "de", value: "Vielen Dank für Ihre Anfrage." },
      ],
    },
    addresses: {
      SoldTo: {
        ...{ addressNumber: "10042", name1: "Gullwing Boats Ltd", street: "7 Slipway Road" },
        ...{ countryCode: "GB", postalCode: "PL1 3XX", location: "Plymouth" },
      },
      Supplier: { addressNumber: "70001", name1: "Northlight Furniture", countryCode: "GB" },
    },
    manufacturers: { NLF: { name: "Northlight Furniture", series: { DSK: "Tidal", SEA: "Pebble" } } },
    items: [
      {
        folder: { en: "Open office", de: "Großraumbüro" },
        subtotal: true,
        items: [
          {
            ...{ article: "TD-160", manufacturer: "NLF", series: "DSK", finalNumber: "TD-160-OAK" },
            text: { en: "Desk 160 x 80", de: "Schreibtisch 160 x 80" },
            longText: { en: "Height adjustable,\nwith cable tray", de: "Höhenverstellbar,\nmit Kabelwanne" },
            features: { TOP: colour("oak", "Eiche"), FRAME: colour("white", "weiß") },
            ...{ quantity: 4, sales: "620.00", purchase: "310.00", discount: "10" },
            picture: pngPicture({ colour: "c8a064" }),
          },
          {
            ...{ article: "PB-20", manufacturer: "NLF", series: "SEA" },
            text: { en: "Swivel chair", de: "Drehstuhl" },
            features: { FABRIC: colour("blue", "blau") },
            ...{ quantity: 4, sales: "245.00", purchase: "120.00" },
            picture: pngPicture({ colour: "2255aa" }),
          },
        ],
      },
      {
        folder: { en: "Reception", de: "Empfang" },
        subtotal: true,
        items: [
          { note: { en: "Ready by the end of May", de: "Fertig bis Ende Mai" } },
          {
            ...{ article: "TD-C2", manufacturer: "NLF", series: "DSK" },
            ...{ text: { en: "Counter", de: "Theke" }, sales: "498.00", purchase: "120.00" },
          },
          {
            ...{ article: "PB-S", manufacturer: "NLF", series: "SEA", quantity: 2 },
            ...{ text: { en: "Stool", de: "Hocker" }, sales: "20.00", purchase: "10.00" },
          },
        ],
      },
    ],
    discount: "5",
  });
}

/**
 * One item of each type and status: a folder in a folder, a note, an article, a composite with two parts, a
 * structural article without a price, a set with two members, a user article, an alternative, an optional
 * article, one excluded from offers and one excluded from orders. Every article with a price costs EUR 10.00.
 */
export function everyKindOfItem(): ProjectDocument {
  const price = { sales: "10.00", purchase: "6.00" };
  return projectOf({
    name: "Every kind of item",
    items: [
      {
        folder: "Outer folder",
        items: [
          { folder: "Inner folder", items: [{ article: "PLAIN", text: "Plain article", ...price }] },
          { note: "A note", longText: "With more to say" },
        ],
      },
      {
        ...{ article: "MAIN", text: "Composite", ...price },
        parts: [
          { article: "PART-1", text: "First part", ...price },
          { article: "PART-2", text: "Second part", quantity: 2, ...price },
        ],
      },
      {
        ...{ article: "PSEUDO", text: "Structural article", more: { pseudoArticle: true } },
        parts: [{ article: "PSEUDO-PART", text: "Part of it", ...price }],
      },
      {
        ...{ set: "SET", text: "Set", quantity: 2 },
        items: [
          { article: "MEMBER-1", text: "First member", ...price },
          { article: "MEMBER-2", text: "Second member", ...price },
        ],
      },
      { userArticle: "BY-HAND", text: "Article by hand", manufacturerName: "Joiner", ...price },
      { article: "ALTERNATIVE", text: "Alternative", status: "alternative", ...price },
      { article: "OPTIONAL", text: "Optional", status: "optional", ...price },
      { article: "NO-OFFER", text: "Not for offers", status: "nonOffer", ...price },
      { article: "NO-ORDER", text: "Not for orders", status: "nonOrder", ...price },
    ],
  });
}

/**
 * Two articles of the manufacturer ONE and three of TWO, alternating; those of TWO cost EUR 20.00, the others
 * 10.00.
 */
export function twoManufacturers(): ProjectDocument {
  const makers = ["TWO", "ONE", "TWO", "ONE", "TWO"];
  return projectOf({
    name: "Two manufacturers",
    manufacturers: {
      ONE: { name: "First Maker", series: { S1: "First series" } },
      TWO: { name: "Second Maker", series: { S1: "Another first series" } },
    },
    items: makers.map((manufacturer, index) => ({
      ...{ article: `${manufacturer}-${index + 1}`, manufacturer, text: `Article ${index + 1}` },
      sales: manufacturer === "TWO" ? "20.00" : "10.00",
    })),
  });
}

/**
 * Two equal chairs in two rooms, a note and a set, and four views with the ids `id(900)` to `id(903)`: "Offer" (the default, the unchanged basket), "Article
 * list" (equal articles are one), "Without texts" with sets closed, and "Selection", which lists the second chair as
 * position A and the set as B. Chairs cost EUR 100.00.
 */
export function severalViews(): ProjectDocument {
  const chair = { article: "CHAIR", text: "Chair", sales: "100.00" };
  return projectOf({
    name: "Several views",
    items: [
      { folder: "First room", items: [{ ...chair, id: 1 }, { note: "By the window" }] },
      { folder: "Second room", items: [{ ...chair, id: 2 }] },
      { set: "LOUNGE", id: 3, text: "Lounge", items: [{ article: "SOFA", text: "Sofa", sales: "900.00" }] },
    ],
    views: [
      { name: "Offer" },
      { name: "Article list", mergeMode: "Articles" },
      { name: "Without texts", showTexts: false, setArticleMode: "Collapse" },
      {
        name: "Selection",
        items: [
          { id: id(910), basketItemIds: [id(2)], positionNumber: "A" },
          { id: id(911), basketItemIds: [id(3)], positionNumber: "B" },
        ],
      },
    ],
  });
}
