/**
 * A project file with the seven usual views, in the form in which EAI-Server 4.15 writes them, and with what its web
 * client remembers of reports. The basket has folders, a text, composites, sets, equal articles, an alternative, an
 * optional article, and articles that are not for offers or not for orders.
 */
import { id } from "@slipway/sdk/testing";
import { ZipArchive } from "archiver";
import type { Bytes, Json } from "./plugin-client.js";

/** One line of a view: its number, what it stands for, and what is below it. */
type Line = readonly [position: string, items: readonly number[], ...below: Line[]];

interface FileView {
  name: string;
  id: string;
  /** Attributes of `displayMode` after the five that say what is expanded. */
  mode: string;
  /** Which articles are merged lines: those that stand for several, or all of them. */
  merged?: "several" | "all";
  lines: Line[];
}

const folder = { ground: 1, first: 2 } as const;
const text = 3;
const sets: readonly number[] = [40, 50];

const desk: Line = ["1.3", [20], ["1.3.1", [21]], ["1.3.2", [22]]];
const secondDesk: Line = ["1.4", [30], ["1.4.1", [31]], ["1.4.2", [32]]];
const lounge: Line = ["2.1", [40], ["2.1.1", [41]], ["2.1.2", [42]]];
const kitchen: Line = ["2.2", [50], ["2.2.1", [51]]];
const closedKitchen: Line = ["2.2", [50]];
const chairs: Line[] = [
  ["1.1", [11]],
  ["1.2", [12]],
];
const summarizedDesks: Line[] = [
  ["1.2", [20], ["1.2.1", [21]], ["1.2.2", [22]]],
  ["1.3", [30], ["1.3.1", [31]], ["1.3.2", [32]]],
];

/** Articles at the top, numbered one after the other. */
function numbered(from: number, ...items: number[]): Line[] {
  return items.map((item, index) => [String(from + index), [item]]);
}

/** Those with the numbers that clients know them by. */
export const fileViews: readonly FileView[] = [
  {
    name: "Standard",
    id: "5726009a-756d-11d6-9c21-00e029099a4b",
    mode: "hiddenDiscounts='0' setArticleMode='0'",
    lines: [
      ["1", [folder.ground], ...chairs, desk, secondDesk],
      ["2", [folder.first], lounge, kitchen],
      ...numbered(3, 13, 61, 62, 71, 72),
    ],
  },
  {
    name: "WBK-Standard",
    id: "dde46879-e6ad-4c68-9177-780232e20595",
    mode: "txtVisible='1' hiddenDiscounts='0' setArticleMode='0'",
    lines: [
      ["1", [folder.ground], ["", [text]], ...chairs, desk, secondDesk],
      ["2", [folder.first], lounge, kitchen],
      ...numbered(3, 13, 61, 62, 71, 72),
    ],
  },
  {
    name: "Detailed",
    id: "143a7628-ccdc-4984-ad0b-1f647ee5e0e0",
    mode: "txtVisible='1' nonOfferArtVisible='0' hiddenDiscounts='0' setArticleMode='2'",
    lines: [
      ["1", [folder.ground], ["", [text]], ...chairs, desk, secondDesk],
      ["2", [folder.first], lounge, closedKitchen],
      ...numbered(3, 13, 62, 71, 72),
    ],
  },
  {
    name: "Compact",
    id: "a309a168-d7c4-4b6b-83ee-6f753c962ac3",
    mode: "txtVisible='1' mergeMode='3' hiddenDiscounts='0' setArticleMode='2'",
    merged: "several",
    lines: [
      ["1", [folder.ground], ["", [text]], ...chairs, ["1.3", [20, 21, 22]], ["1.4", [30, 31, 32]]],
      ["2", [folder.first], lounge, closedKitchen],
      ...numbered(3, 13, 61, 62, 71, 72),
    ],
  },
  {
    name: "Summarized",
    id: "3702acdf-546b-4533-9814-b3d87144f56f",
    mode: "txtVisible='1' nonOfferArtVisible='0' mergeMode='6' hiddenDiscounts='0' setArticleMode='2'",
    merged: "all",
    lines: [
      ["1", [folder.ground], ["", [text]], ["1.1", [11, 12]], ...summarizedDesks],
      ["2", [folder.first], lounge, closedKitchen],
      ...numbered(3, 13, 62, 71, 72),
    ],
  },
  {
    name: "Summarized-Compact",
    id: "87040ec5-8762-4ed8-91c3-09829c22228f",
    // A line of what is not for orders is listed and hidden all the same.
    mode: "txtVisible='1' nonOrderArtVisible='0' mergeMode='4' hiddenDiscounts='0' setArticleMode='2'",
    merged: "all",
    lines: [
      ["1", [folder.ground], ["", [text]], ["1.1", [11, 12]], ["1.2", [20, 21, 22, 30, 31, 32]]],
      ["2", [folder.first], lounge, closedKitchen],
      ...numbered(3, 13, 61, 71, 72, 62),
    ],
  },
  {
    name: "Flat list",
    id: "8332b473-207e-4c58-acda-879a488cf1f5",
    // As above, for what is not for offers.
    mode: "txtVisible='1' nonOfferArtVisible='0' mergeMode='1' hiddenDiscounts='0' setArticleMode='2'",
    merged: "all",
    lines: [
      ["", [text]],
      ["1", [11, 12, 13]],
      ["2", [20, 30]],
      ["3", [21, 31]],
      ["4", [22, 32]],
      ["5", [40], ["5.1", [41]], ["5.2", [42]]],
      ["6", [50]],
      ...numbered(7, 62, 71, 72, 61),
    ],
  },
];

/** What the web client remembers of the report of this project: options, view and page breaks. */
export const storedReport: Json = {
  configItemValues: [
    ["letterhead", "eu_standard"],
    ["logoViewOption", "firstPage"],
    ["logoUrl", null],
    ["logoImageSize", 100],
    ["subject", null],
    ["showProjectDate", true],
    ["showHeaderText", true],
    ["showShippingAddress", true],
    ["showBillingAddress", true],
    ["showExternalPosition", false],
    ["showManufacturer", true],
    ["showSeries", true],
    ["showArticleNumber", true],
    ["showShortText", true],
    ["showLongText", true],
    ["showVariantText", true],
    ["showSpecialModelInfo", true],
    ["showAdditionalText", true],
    ["wbk_set_subitems", "Dynamic"],
    ["articleImageSize", "20"],
    ["extraImageSize", "25"],
    ["showPricingDetails", true],
    ["showVariantPrices", true],
    ["showSubTotals", true],
    ["showSetChildPrices", true],
    ["showHeaderDiscounts", true],
    ["showTaxes", true],
    ["showFooterText", true],
    ["footerAlign", "center"],
    ["footerText", null],
  ],
  basketViewId: "3702acdf-546b-4533-9814-b3d87144f56f",
  pageBreaks: [{ posNo: "2", value: "before" }],
};

/** The file; `change` may break `1.bsk`. */
export async function fileOfViews(change: (basket: string) => string = (basket) => basket): Promise<Bytes> {
  const archive = new ZipArchive({ zlib: { level: 9 } });
  archive.append(change(basketXml()), { name: "1.bsk" });
  archive.append(headerXml(), { name: "metainf.xml" });
  const finished = archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(Buffer.from(chunk));
  await finished;
  return new Uint8Array(Buffer.concat(chunks));
}

function headerXml(): string {
  return `<?xml version='1.0'?>
<metainf id='${id(999)}' lang='en' languages='en' projState='undef'>
  <settings>
    <projectData projDate='2026-05-04'><number>V 7</number><name>Seven views</name></projectData>
    <appData><application key='W-BK'>
      <data path='report/templateConfig/basket-standard-pro-fop'><![CDATA[${JSON.stringify(storedReport)}]]></data>
    </application></appData>
  </settings>
</metainf>`;
}

function basketXml(): string {
  return `<?xml version='1.0'?>
<basket>
  <versionInfo vendorKey='EasternGraphics' appKey='EAI-Server' appVersion='4.15.1' bskXmlVersion='1.8.9'/>
  <bskCounts items='20' views='${fileViews.length}'/>
  <config>
    <defaultView id='${fileViews[0]?.id}'/>
    <convRates><convRate currency='EUR' value='1.0'/><refCurrency id='EUR'/></convRates>
    <taxScheme id='DE'><taxType id='VAT' unit='%' rndpos='header'><taxCategory id='standard_rate' rate='19.0'/></taxType>
      <taxOrder><tax type='VAT' order='0'/></taxOrder></taxScheme>
    <currency unit='EUR'/>
  </config>
  <topFolder basketId='${id(1000)}'>
    ${itemsXml()}
  </topFolder>
  ${fileViews.map(viewXml).join("\n  ")}
</basket>
`;
}

function itemsXml(): string {
  const composite = (number: number, count: number): string =>
    articleXml(number, "DESK", count, 500, {
      attributes: "itemType='BasketAggregate'",
      below: articleXml(number + 1, "LEG", 2, 30) + articleXml(number + 2, "TOP", 1, 120),
    });
  const sofas = articleXml(41, "SOFA", 1, 900) + articleXml(42, "TABLE", 2, 150);
  const ground =
    `<bskText basketId='${id(text)}'><label lang='en'>Delivered by lift</label></bskText>` +
    articleXml(11, "CHAIR", 4, 100) +
    articleXml(12, "CHAIR", 2, 100) +
    composite(20, 2) +
    composite(30, 1);
  const first =
    setXml(40, "LOUNGE", 2, false, sofas) + setXml(50, "KITCHEN", 1, true, articleXml(51, "STOOL", 3, 85));
  return [
    folderXml(folder.ground, "Ground floor", ground),
    folderXml(folder.first, "First floor", first),
    articleXml(13, "CHAIR", 1, 100),
    articleXml(61, "SAMPLE", 1, 10, { attributes: "nonOfferArticle='1'" }),
    articleXml(62, "MOUNTING", 1, 50, { attributes: "nonOrderArticle='1'" }),
    articleXml(71, "LAMP", 3, 70, { below: "<exclOffers><exclOffer/></exclOffers>" }),
    articleXml(72, "SHELF", 1, 200, { below: "<exclOffers><exclOffer optional='1'/></exclOffers>" }),
  ].join("\n    ");
}

function folderXml(number: number, name: string, content: string): string {
  return `<bskFolder basketId='${id(number)}'><label lang='en'>${name}</label>${content}</bskFolder>`;
}

function articleXml(
  number: number,
  name: string,
  count: number,
  price: number,
  { attributes = "itemType='BasketArticle'", below = "" } = {},
): string {
  return (
    `<bskArticle basketId='${id(number)}' ${attributes}><manufacturer id='NLF'/><series id='SEA'/>` +
    `<artNr type='base'>${name}</artNr><artNr type='final' default='1'>${name}</artNr>` +
    `<description type='short'><text lang='en'>${name.toLowerCase()}</text></description><quantity count='${count}'/>` +
    `<itemPrice type='sale' pd='1' currency='EUR' value='${price}.0'/>${below}</bskArticle>`
  );
}

function setXml(number: number, name: string, count: number, collapsed: boolean, parts: string): string {
  return (
    `<setArticle basketId='${id(number)}' itemType='SetArticle' collapsed='${collapsed ? 1 : 0}'>` +
    `<artNr type='final'>${name}</artNr><quantity count='${count}'/>${parts}</setArticle>`
  );
}

function viewXml(view: FileView, index: number): string {
  const { name, mode, merged, lines } = view;
  let last = (index + 1) * 10_000;
  const viewId = (): string => {
    last += 1;
    return id(last);
  };
  const lineXml = ([position, items, ...below]: Line): string => {
    const [item = 0] = items;
    const isArticle = item > 10 && !sets.includes(item);
    const isMerged = items.length > 1 || (merged === "all" && isArticle);
    const kind = isMerged ? "mergedArticle" : item > 10 ? plainKind(item) : item === text ? "text" : "folder";
    const own = isMerged ? `digest='${digest(item)}'` : `basketId='${id(item)}'`;
    const references = isMerged ? items.map((each) => `<bskItemRef itemId='${id(each)}'/>`).join("") : "";
    const number = position === "" ? "" : `<posNr value='${position}'/>`;
    return `<${kind} viewId='${viewId()}' ${own}>${references}${number}${below.map(lineXml).join("")}</${kind}>`;
  };
  const element = merged === undefined ? "view" : "view.4";
  const display = merged === undefined ? 2 : 1;
  return `<${element} id='${view.id}' name='${name}'>
    <viewCounts items='2'/>
    <viewConfig>
      <displayMode mode='${display}' expGroup='1' expPlFolder='1' expBskFolder='0' expPartPl='0' expAggr='0' ${mode}/>
      <sortOrder/>
      <visibleColumns autoColumnWidth='1'><visibleColumn id='81d12edc-853a-11d6-9c21-00e029099a4b'/></visibleColumns>
    </viewConfig>
    <folder viewId='${viewId()}' basketId='${id(1000)}'>
      ${lines.map(lineXml).join("\n      ")}
    </folder>
  </${element}>`;
}

function plainKind(item: number): string {
  return sets.includes(item) ? "setArticle" : "article";
}

function digest(item: number): string {
  return Buffer.from(`digest ${item}`).toString("base64").replace(/=+$/, "");
}
