/** The demo project: a fictitious office fit-out. */
import type { Asset, ProjectDocument, ConditionRecord, UserArticleItem, Item, View, ViewItem } from "@slipway/sdk";
import { columns } from "./demo-columns.js";
import { addresses, contacts, header, settings } from "./demo-header.js";
import { meeting } from "./demo-meeting.js";
import { demoId, pictureUri, inBoth } from "./demo-texts.js";
import { workspace } from "./demo-workspace.js";
import { manufacturerNames } from "./manufacturers.js";
import { drawPictures, pictureSize } from "./pictures/draw-pictures.js";
import { palette } from "./pictures/canvas.js";

/** The default view of reports. */
const defaultViewId = "dde46879-e6ad-4c68-9177-780232e20595";

const modes: Omit<View, "id" | "name" | "items" | "showTexts"> = {
  displayMode: "planning",
  mergeMode: "None",
  setArticleMode: "Expand",
  showNonOffer: true,
  showNonOrder: true,
  hiddenDiscounts: false,
  expand: ["groups", "planningFolders"],
};

/** The dealer as manufacturer. */
const dealer = { manufacturerId: "OAL", manufacturerName: "Office Atelier Lindqvist" };

/** Living plants have the reduced tax rate. */
const plants: UserArticleItem = {
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
const assembly: UserArticleItem = {
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

/** Procedure of the demo project; its discounts refer to lines of it. */
const scheme = "STDB2B_WBK";

/** Ten percent on the chairs, an amount per acoustic panel, and three percent and a trade-in for the whole order. */
const conditions: ConditionRecord[] = [
  {
    scheme,
    itemId: demoId("item/task-chair"),
    level: 210,
    counter: 0,
    amount: { kind: "percentage", value: "-10.0" },
  },
  {
    scheme,
    itemId: demoId("item/acoustic-panel"),
    level: 214,
    counter: 0,
    amount: { kind: "money", value: "-18.00", currency: "EUR" },
  },
  {
    scheme,
    level: 410,
    counter: 0,
    amount: { kind: "percentage", value: "-3.0" },
    label: inBoth("Project discount", "Projektrabatt"),
  },
  {
    scheme,
    level: 413,
    counter: 0,
    amount: { kind: "money", value: "-250.00", currency: "EUR" },
    label: inBoth("Trade-in of old furniture", "Rücknahme Altmöbel"),
  },
];

/** The whole project with rendered pictures; prices come from the host's procedure STDB2B_WBK. */
export async function demoProject(): Promise<ProjectDocument> {
  const items = [workspace, meeting, plants, assembly];
  return {
    formatVersion: "1",
    id: demoId("project"),
    header,
    settings,
    addresses,
    contacts,
    columns,
    manufacturers: manufacturerNames(["LINE", "KANT", "STIL", "ARO", "LYSA", "FORU", "MIRA"]),
    items,
    views: demoViews(items),
    defaultViewId,
    conditions,
    assets: await pictureAssets(),
    appData: {
      "W-BK": {
        "report/templateConfig/basket-standard-pro-fop": {
          configItemValues: [
            ["letterhead", "eu_standard"],
            ["logoUrl", logoUrl()],
            ["logoImageSize", 90],
            ["showPricingDetails", true],
            ["showVariantPrices", true],
          ],
          basketViewId: defaultViewId,
          pageBreaks: [],
        },
      },
    },
  };
}

async function pictureAssets(): Promise<Record<string, Asset>> {
  const assets: Record<string, Asset> = {};
  for (const [name, content] of await drawPictures()) {
    assets[pictureUri(name)] = {
      mediaType: "image/jpeg",
      base64: content.toString("base64"),
      width: pictureSize,
      height: pictureSize,
      attributes: { height: String(pictureSize), suffix: "jpg", width: String(pictureSize) },
    };
  }
  return assets;
}

/** The dealer's logo with its name, as value of the template option `logoUrl`. */
function logoUrl(): string {
  const svg = [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 160" width="640" height="160">',
    `<rect x="8" y="24" width="112" height="112" rx="18" fill="${palette.petrol}"/>`,
    `<path d="M30 84h68v10H30zM38 94h10v24H38zM80 94h10v24H80z" fill="${palette.oakLight}"/>`,
    `<circle cx="64" cy="58" r="14" fill="${palette.mustard}"/>`,
    `<text x="144" y="78" font-family="Noto Sans" font-size="44" font-weight="700" fill="${palette.graphite}">Atelier Lindqvist</text>`,
    `<text x="146" y="118" font-family="Noto Sans" font-size="26" fill="${palette.graphiteLight}">Workplaces, planned and built</text>`,
    "</svg>",
  ].join("");
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

/** One view with explicit lines and numbers, and one that follows from the basket. */
function demoViews(items: readonly Item[]): View[] {
  return [
    { ...modes, id: "5726009a-756d-11d6-9c21-00e029099a4b", name: "Standard", showTexts: false, items: [] },
    {
      ...modes,
      id: defaultViewId,
      name: "WBK-Standard",
      showTexts: true,
      items: numbered(items, ""),
    },
  ];
}

/** Numbers all items along the tree except texts. */
function numbered(items: readonly Item[], prefix: string): ViewItem[] {
  let count = 0;
  return items.map((item) => {
    if (item.type !== "text") count += 1;
    const positionNumber = item.type === "text" ? "" : `${prefix}${count}`;
    const children = item.type === "text" ? [] : numbered(item.children ?? [], `${positionNumber}.`);
    return {
      id: demoId(`view/${item.id}`),
      basketItemIds: [item.id],
      positionNumber,
      ...(children.length === 0 ? {} : { children }),
    };
  });
}
