import type { FieldGroup } from "./field-words.js";

/** The settings of a workbook, for people. */
export const workbookFields: readonly FieldGroup[] = [
  {
    title: { en: "What it shows", de: "Was sie zeigt" },
    fields: {
      showVariantText: {
        en: { title: "Configuration of articles", help: "A column with their variant text." },
        de: { title: "Konfiguration der Artikel", help: "Eine Spalte mit ihrem Variantentext." },
      },
      filename: {
        en: { title: "Name of the file", help: "Without one, name and number of the project." },
        de: { title: "Name der Datei", help: "Ohne Angabe Name und Nummer des Projekts." },
      },
      viewId: {
        en: { title: "View", help: "Sets the sequence of the articles and their position numbers." },
        de: { title: "Ansicht", help: "Bestimmt die Reihenfolge der Artikel und ihre Positionsnummern." },
      },
    },
  },
  {
    title: { en: "What is hidden", de: "Was verborgen wird" },
    fields: {
      hideMargins: { en: { title: "Margins" }, de: { title: "Margen" } },
      hideDiscounts: { en: { title: "All discounts" }, de: { title: "Alle Rabatte" } },
      hidePurchaseDiscounts: { en: { title: "Purchase discounts" }, de: { title: "Einkaufsrabatte" } },
      hideSalesDiscounts: { en: { title: "Sales discounts" }, de: { title: "Verkaufsrabatte" } },
      hideHeaderDiscounts: {
        en: { title: "Discounts of the whole project" },
        de: { title: "Rabatte des ganzen Projekts" },
      },
      hideTaxes: {
        en: { title: "Taxes", help: "Also hides the total, which includes them." },
        de: { title: "Steuern", help: "Auch der Gesamtbetrag, der sie enthält." },
      },
      hideFinalTotal: { en: { title: "The total" }, de: { title: "Gesamtbetrag" } },
    },
  },
  {
    title: { en: "First cells of the sheets", de: "Erste Zellen der Blätter" },
    fields: {
      sheetSettings: { en: { title: "First cells" }, de: { title: "Erste Zellen" } },
      articleStartRow: { en: { title: "Articles: row" }, de: { title: "Artikel: Zeile" } },
      articleStartColumn: { en: { title: "Articles: column" }, de: { title: "Artikel: Spalte" } },
      calcStartRow: { en: { title: "Calculation: row" }, de: { title: "Kalkulation: Zeile" } },
      calcStartColumn: { en: { title: "Calculation: column" }, de: { title: "Kalkulation: Spalte" } },
      reportStartRow: { en: { title: "Project: row" }, de: { title: "Projekt: Zeile" } },
      reportStartColumn: { en: { title: "Project: column" }, de: { title: "Projekt: Spalte" } },
    },
  },
  {
    title: { en: "For experts", de: "Für Fachleute" },
    fields: {
      calculationScheme: { en: { title: "Pricing procedure" }, de: { title: "Kalkulationsschema" } },
      items: {
        en: { title: "Ids of lines", help: "Only these, with what is below them; none means all." },
        de: {
          title: "Kennungen von Zeilen",
          help: "Nur diese, mit dem, was darunter ist; keine heißt alle.",
        },
      },
      matchBasketItemIds: {
        en: { title: "Ids are those of the basket" },
        de: { title: "Kennungen sind die des Warenkorbs" },
      },
      externalRefColumn: {
        en: { title: "Column of external references", help: "Its id; adds a column." },
        de: { title: "Spalte der externen Referenzen", help: "Ihre Kennung; ergänzt eine Spalte." },
      },
      hideLineTags: {
        en: { title: "Hidden tags of price lines", help: "Such as MARGIN_REL." },
        de: { title: "Verborgene Kennzeichen von Preiszeilen", help: "Zum Beispiel MARGIN_REL." },
      },
      hideConditionTypes: {
        en: { title: "Hidden condition types", help: "Such as DIP10." },
        de: { title: "Verborgene Konditionsarten", help: "Zum Beispiel DIP10." },
      },
      hideAccessMethods: {
        en: { title: "Hidden access methods", help: "Such as PDIP00." },
        de: { title: "Verborgene Zugriffsarten", help: "Zum Beispiel PDIP00." },
      },
      preferredImageColumn: {
        en: { title: "Column of pictures", help: "First source of the pictures of articles." },
        de: { title: "Spalte der Bilder", help: "Erste Quelle der Artikelbilder." },
      },
      imageOptions: { en: { title: "Options of pictures" }, de: { title: "Optionen der Bilder" } },
    },
  },
];
