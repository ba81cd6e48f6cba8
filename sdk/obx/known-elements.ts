/**
 * What may stand in the files: per element its attributes and children. Element names mean the same wherever they
 * stand. Whatever else turns up is skipped with a warning; what is known and says nothing to a report is just listed.
 */

export interface KnownElement {
  attributes: ReadonlySet<string>;
  children: ReadonlySet<string>;
  /** What is inside belongs to somebody else and is not looked at. */
  opaque: boolean;
}

const items = "bskFolder bskArticle usrArticle setArticle bskText";
const item = "itemFields appData images";
const descriptions = "description userDescription";
const position = `${item} ${descriptions} ${items} manufacturer series artNr quantity itemPrice itemPriceComponents priceComponents
  taxInfos pdInfo packInfos priceDate artCalc exclOffers mainItem priceInfo predefVendorDiscount predefItemDiscount`;
const article = `${position} features propVarCode geometryChecksum catalogInfo inconsistency composableGeometry
  articleClassifications addStateCode properties`;
const positionAttributes =
  "basketId itemType updateState nonOfferArticle nonOrderArticle discountable pseudoArticle";
const viewItems =
  "folder article aggregate partialPlanning userArticle setArticle text mergedArticle merged group";
const viewItem = `${viewItems} posNr quantity bskItemRef basketItem`;

/** Name: "attributes | children"; "*" as children means that the content is not looked at. */
const table: Record<string, string> = {
  // metainf.xml
  metainf: "id lang languages projState | createDate lastModDate settings persistentURIs",
  createDate: "date utc user |",
  lastModDate: "date utc user |",
  settings: "| projectData customerData appData contacts addresses projectTexts",
  projectData: `projDate validToDate version | number name description personInCharge extRefNr extRefText extCustId
    custRemarks genAgrmtNr customerNumber company keywords`,
  keywords: "| keyword",
  customerData: "| *",
  contacts: "| contact",
  contact: "id type | commAddress contactNumber title firstName lastName",
  commAddress: "type scope |",
  addresses: "| address",
  address: `type | contact commAddress addressNumber addressId title name1 name2 name3 name4 street street2 countryCode
    postalCode location district regionCode poBox taxCode taxCodeEU taxCodeUSA`,
  projectTexts: "| projectText",
  projectText: "type | text",
  persistentURIs: "| *",
  appData: "| application",
  application: "key | *",
  // roots and settings
  basket: "| versionInfo bskCounts config genImgURIs topFolder bskCalc docCalculation view appData",
  cutBuffer: "| state versionInfo items docCalculation appData header",
  state: "sessionId |",
  header: "| *",
  versionInfo: "vendorKey appKey appVersion bskXmlVersion bskVersion sessionId |",
  bskCounts: "items views |",
  config: "| column defaultView convRates taxScheme currency priceDate VAT roundingModes",
  column: "id type name title defColId defValue editable removable |",
  defaultView: "id |",
  convRates: "| convRate refCurrency",
  convRate: "currency value |",
  refCurrency: "id |",
  taxScheme: "id name country region variant currency | taxType taxOrder name",
  taxType: "id unit rndpos | taxCategory name abbreviation",
  taxCategory: "id rate readOnly | name",
  taxOrder: "| tax",
  tax: "type order |",
  currency: "unit |",
  VAT: "value |",
  roundingModes: "discount | roundingMode",
  roundingMode: "type mode interval begin |",
  genImgURIs: "| genImgURI",
  genImgURI: "* |",
  bskCalc: "* | *",
  // items
  items: `| ${items}`,
  topFolder: `basketId | ${items} label`,
  bskFolder: `basketId showSubTotal | ${items} ${item} label longLabel`,
  bskText: `basketId | ${item} label longLabel`,
  label: "lang format |",
  longLabel: "lang format |",
  bskArticle: `${positionAttributes} | ${article}`,
  usrArticle: `${positionAttributes} | ${article}`,
  setArticle: `${positionAttributes} collapsed viewId | ${article} ${viewItem}`,
  manufacturer: "id | name",
  series: "id | name",
  name: "lang |",
  artNr: "type default | text",
  description: "type default lang | text",
  userDescription: "type default | text",
  text: `lang format viewId basketId | ${viewItem}`,
  features: "| feature",
  feature: "name value flags id nameText valueText descrText | nameText valueText descrText",
  nameText: "lang |",
  valueText: "lang |",
  descrText: "lang | descrLine",
  descrLine: "* | *",
  properties: "| *",
  quantity: "count unit |",
  itemPrice: "type pd fallback override currency value |",
  itemPriceComponents: "type | itemPriceComponent priceComponent component",
  priceComponents: "| priceComponent",
  itemPriceComponent: "currency value name | name text",
  priceComponent: "currency value name | name text",
  component: "currency value name | name text",
  ...Object.fromEntries(
    ["predefVendorDiscount", "predefItemDiscount", "vendorDiscount", "itemDiscount"].map((name) => [
      name,
      "label incr inOrderList predefined relative currency value |",
    ]),
  ),
  taxInfos: "| taxInfo",
  taxInfo: "type taxType category taxCategory |",
  pdInfo: "pdbType pkgName manufacturerId seriesId progId region salesOnly | ocd",
  ocd: "orderUnit |",
  packInfos: "| packInfo",
  packInfo: "key value unit |",
  priceDate: "value |",
  artCalc: "| salesPrice purchasePrice vendorDiscount itemDiscount",
  salesPrice: "currency value |",
  purchasePrice: "currency value |",
  propVarCode: "* | *",
  geometryChecksum: "value |",
  catalogInfo: "id version artNr varCode |",
  images: "| image",
  image: "tag |",
  exclOffers: "| exclOffer",
  exclOffer: "ppName optional |",
  inconsistency: "value | reason",
  reason: "lang |",
  mainItem: "id |",
  composableGeometry: "* | *",
  articleClassifications: "| classification",
  classification: "system version classId | description",
  addStateCode: "type |",
  itemFields: "| itemField",
  itemField: "columnId data |",
  // pricing
  docCalculation: "usedFeatures currency | priceProc condRecords condGroups calcLines itemCalculations",
  priceProc: "name halfWayRndMode | name accessMethod condType subtType ppLevel",
  accessMethod: "name type ref |",
  condType: `name accMethod condClass condSign calcRule rndRule rndLevel rndDiffComp editMode adjMode marginAdjMode
    | name condTypeFlag`,
  condTypeFlag: "value |",
  subtType: "name calcRule rndRule margin adjCondType adjCondType.2 |",
  ppLevel: "number manual parent | ppLine",
  ppLine: `counter lineType insertMode printCtrl condType subtType from to parent ndiscMode
    | name ppLineTag valueFormula`,
  ppLineTag: "value |",
  valueFormula: "level signature |",
  condRecords: "| condRecord",
  condRecord: "id | accessKey description amount qtyRel",
  accessKey: "|",
  amount: "type currency value unit |",
  qtyRel: "value unit |",
  condGroups: "| condGroup",
  condGroup: "id condType condRecord | groupKey",
  groupKey: "level counter |",
  calcLines: `| docCondition docSubtotal docTextLine docBreakLine
    itemCondition itemSubtotal itemTextLine itemBreakLine`,
  docCondition: "level counter condRecord condGroup | inactiveFlag",
  itemCondition: "level counter condRecord condGroup | inactiveFlag",
  inactiveFlag: "value |",
  itemCalculations: "| itemCalculation",
  itemCalculation: "id | calcLines",
  // views
  view: `id name | viewCounts viewConfig ${viewItems}`,
  viewCounts: "* |",
  viewConfig: "| displayMode sortOrder visibleColumns",
  displayMode: `mode expGroup expPlFolder expBskFolder expPartPl expAggr txtVisible nonOfferArtVisible
    nonOrderArtVisible nonOfferVisible nonOrderVisible hiddenDiscounts setArticleMode mergeMode |`,
  sortOrder: "* | *",
  visibleColumns: "* | *",
  posNr: "value |",
  bskItemRef: "itemId |",
  basketItem: "id basketId |",
  ...Object.fromEntries(
    [
      "folder",
      "article",
      "aggregate",
      "partialPlanning",
      "userArticle",
      "mergedArticle",
      "merged",
      "group",
    ].map((name) => [name, `viewId basketId digest | ${viewItem}`]),
  ),
};

function knownElement(line: string): KnownElement {
  const [attributes = "", children = ""] = line.split("|");
  const words = (text: string): ReadonlySet<string> =>
    new Set(text.split(/\s+/).filter((word) => word !== ""));
  return { attributes: words(attributes), children: words(children), opaque: words(children).has("*") };
}

/** Elements by name. */
export const knownElements: ReadonlyMap<string, KnownElement> = new Map(
  Object.entries(table).map(([name, line]) => [name, knownElement(line)]),
);
