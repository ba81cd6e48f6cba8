/** What the dealer adds to the manufacturers' articles in the demo project. */
import type { UserArticleItem } from "@slipway/sdk";
import { demoId, inBoth, pictureUri } from "./demo-texts.js";

/** The dealer, in the place of a manufacturer. */
const dealer = { manufacturerId: "OAL", manufacturerName: "Office Atelier Lindqvist" };

/** Living plants have the reduced rate of tax. */
export const plants: UserArticleItem = {
  type: "userArticle",
  id: demoId("item/plants"),
  ...dealer,
  seriesId: "GREE",
  seriesName: "Greenery",
  articleNumber: "GR-PLANT-3",
  quantity: { value: "3", unit: "C62" },
  userDescription: {
    shortText: inBoth("Planter box with snake plants", "Pflanzkasten mit Bogenhanf"),
    longText: inBoth(
      "Clay-coloured box on castors, 90 x 35 cm, planted, with water gauge",
      "Tonfarbener Kasten auf Rollen, 90 x 35 cm, bepflanzt, mit Wasserstandsanzeiger",
    ),
  },
  productPrices: [
    { side: "purchase", base: { value: "148.00", currency: "EUR" } },
    { side: "sales", base: { value: "229.00", currency: "EUR" } },
  ],
  taxCategories: { VAT: "reduced_rate" },
  images: [{ tag: "default", asset: pictureUri("planter") }],
};

/** A service has no discount. */
export const assembly: UserArticleItem = {
  type: "userArticle",
  id: demoId("item/assembly"),
  ...dealer,
  seriesId: "SERV",
  seriesName: "Services",
  articleNumber: "SRV-ASSEMBLY",
  quantity: { value: "1", unit: "C62" },
  userDescription: {
    shortText: inBoth("Delivery and assembly", "Lieferung und Montage"),
    longText: inBoth(
      "Two days with three fitters, including removal of packaging",
      "Zwei Tage mit drei Monteuren, einschließlich Entsorgung der Verpackung",
    ),
  },
  discountable: false,
  nonOrder: true,
  productPrices: [{ side: "sales", base: { value: "1480.00", currency: "EUR" } }],
};
