/** A project with everything that the data of a report can tell, and the template that reads it. */
import { projectOf, type TestTemplate } from "@slipway/sdk/testing";
import { article, id, type Json, project } from "./reporter-client.js";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const articleImage = "73bd68f4-da62-11d8-b9d6-00e081513ada";
const firstExtraImage = "7423b6f0-d424-48b3-b75c-9fc5c61992c1";
const externalItemNumber = "c962203c-7e83-4a2f-8060-acaa4a06c921";

/** What its report is asked with. */
export const fullRequest: Json = {
  externalRefColumn: externalItemNumber,
  imageColumns: [firstExtraImage],
  pageBreaks: [{ posNo: "1.1", value: "before" }],
  templateOptions: { title: "Offer", copies: 2 },
  data: { anything: [1, { goes: true }] },
};

/** A template with options of every type, whose articles carry all lines of their sheets. */
export const fullTemplate: TestTemplate = {
  key: "full",
  name: "Full",
  calculationLines: true,
  options: {
    attachments: {},
    categories: [
      {
        ...{ key: "all", label: "All" },
        fields: [
          { key: "title", label: "title", type: "string" },
          { key: "subtitle", label: "subtitle", type: "string" },
          { key: "copies", label: "copies", type: "int", default: 1 },
          { key: "prices", label: "prices", type: "boolean", default: true },
        ],
      },
    ],
  },
  html: () => "<p>Full</p>",
};

export function fullProject(): Json {
  return project([floor(), pseudo(), ...byHand()], {
    header: header(),
    settings: settings(),
    addresses: addresses(),
    contacts: [contact()],
    manufacturers: { M: { name: texts("Maker"), series: { S: texts("Series") } } },
    conditions: [
      { itemId: id(1), level: 210, counter: 0, amount: { kind: "percentage", value: "-10" } },
      { level: 410, counter: 0, amount: { kind: "percentage", value: "-5" } },
      { level: 520, counter: 0, amount: { kind: "money", ...money("5.00") } },
    ],
    assets: { picture: { mediaType: "image/png", base64: pixel, width: 1, height: 1 } },
    views: [view(), listedView()],
    defaultViewId: id(900),
  });
}

function header(): Json {
  return {
    ...{ name: "Everything", number: "E-1", description: "All that there is" },
    ...{ projectDate: "2024-07-10", validTo: "2024-08-09" },
    ...{ externalReferenceNumber: "PO-1", externalReferenceText: "Your enquiry", customerNumber: "20418" },
    ...{ company: "Brightwater Ltd", generalAgreementNumber: "GA-1", personInCharge: "Jo Lind" },
    ...{ headerText: texts("Before"), footerText: texts("After") },
  };
}

/** With a tax by weight. */
function settings(): Json {
  const rates = (rate: string): Json[] => [{ id: "standard_rate", rate }];
  const taxTypes = [
    { id: "VAT", rateUnit: "%", categories: rates("19") },
    { id: "ECO", rateUnit: "EUR/KGM", categories: rates("0.37") },
  ];
  return {
    ...{ languages: ["en"], currency: "EUR", referenceCurrency: "EUR", exchangeRates: {} },
    taxScheme: { id: "FR", taxTypes, order: ["ECO", "VAT"] },
    rounding: { halfWay: "even", interval: "0.01" },
  };
}

function addresses(): Json[] {
  const buyer = {
    ...{
      addressNumber: "20418",
      addressId: "A-1",
      title: "Firm",
      taxCode: "1",
      taxCodeEU: "2",
      taxCodeUSA: "3",
    },
    ...{ name1: "Brightwater", name2: "Studios", name3: "Ltd", name4: "Bristol", poBox: "77" },
    ...{ street: "18 Harbour Lane", street2: "Quay 4", countryCode: "GB", postalCode: "BS1 4RW" },
    ...{ location: "Bristol", district: "Harbour", regionCode: "BST" },
    commAddresses: [{ type: "Phone", scope: "Business", value: "+44 1" }],
    contactIds: [1],
  };
  const others =
    "ShipTo BillTo Payer Carrier Supplier EndUser InstallationCompany InstallationLocation Branch InCharge";
  return [
    { addressType: "SoldTo", ...buyer },
    ...others.split(" ").map((addressType) => ({ addressType, name1: addressType })),
  ];
}

function contact(): Json {
  return {
    ...{
      id: 1,
      contactType: "Client",
      contactNumber: "C-1",
      title: "Ms",
      firstName: "Ada",
      lastName: "Okafor",
    },
    commAddresses: [{ type: "EMail", scope: "Business", value: "ada@example.com" }],
  };
}

function view(): Json {
  const { views } = projectOf({ views: [{ id: id(900), name: "Offer", mergeMode: "Articles" }] });
  return { ...views?.[0] };
}

/** A view that names its lines, and gives a number to a text. */
export const listedViewId = id(901);

function listedView(): Json {
  const line = (number: number, positionNumber: string): Json => {
    return { id: id(number + 1000), basketItemIds: [id(number)], positionNumber };
  };
  return { ...view(), id: listedViewId, name: "List", items: [line(11, "A"), line(1, "B")] };
}

function floor(): Json {
  return {
    ...{ type: "folder", id: id(10), name: texts("Floor"), longText: texts("The third"), showSubTotal: true },
    children: [
      chair(),
      { type: "text", id: id(11), text: texts("Lift"), longText: texts("Until noon") },
      set(),
    ],
  };
}

function chair(): Json {
  return article(1, "0", {
    quantity: pieces("4"),
    finalArticleNumber: "A-1-F",
    productDescription: { shortText: texts("Chair"), longText: texts("It swivels") },
    features: [
      { name: "COL", value: "BK", nameText: texts("Colour"), valueText: texts("black"), visible: true },
    ],
    customTexts: [
      { id: "71", visible: true, text: texts("Raised") },
      { id: "@add", visible: true, text: texts("Assembled") },
    ],
    fields: { [externalItemNumber]: "EXT", [articleImage]: "picture", [firstExtraImage]: "picture" },
    packaging: {
      ...{ width: { value: "65", unit: "CMT" }, height: { value: "1.1", unit: "MTR" } },
      ...{ depth: { value: "24", unit: "INH" }, volume: { value: "310.5", unit: "LTR" } },
      ...{ netWeight: { value: "17250", unit: "GRM" }, tareWeight: { value: "1.05", unit: "KGM" } },
      itemsPerPackUnit: 3,
    },
    productPrices: [
      { side: "purchase", base: money("60.00") },
      {
        side: "sales",
        base: money("100.03"),
        components: [{ label: texts("Fabric"), amount: { kind: "money", value: "20.00", currency: "EUR" } }],
      },
    ],
  });
}

function set(): Json {
  return {
    ...{ type: "setArticle", id: id(20), articleNumber: "SET", quantity: pieces("2"), collapsed: true },
    userDescription: { shortText: texts("Workplace") },
    children: [article(21, "7.00", { setArticleId: id(20), quantity: pieces("3") })],
  };
}

function pseudo(): Json {
  return article(30, "0", {
    ...{ pseudoArticle: true, productPrices: [] },
    children: [article(31, "12.34", { mainArticleId: id(30), manufacturerId: "N" })],
  });
}

function byHand(): Json[] {
  const own = { type: "userArticle", quantity: pieces("1") };
  const sales = (value: string): Json[] => [{ side: "sales", base: money(value) }];
  return [
    { ...own, id: id(40), manufacturerName: "Joiner", productPrices: sales("55.50") },
    { ...own, id: id(41), productPrices: sales("1.00"), inactive: [{ kind: "optional" }] },
  ];
}

function money(value: string): Json {
  return { value, currency: "EUR" };
}

function pieces(value: string): Json {
  return { value, unit: "C62" };
}

function texts(value: string): Json[] {
  return [{ lang: "en", value }];
}
