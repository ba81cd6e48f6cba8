import type { WorkbenchWords } from "../words/english.js";

/** The exports that have a form. */
export type ExportName = "order" | "workbook";

/** A setting that has a title in each language. */
export type SettingName = keyof WorkbenchWords["settings"]["titles"];

/** What the workbench knows of an export. The settings themselves come from the plugin's OpenAPI description. */
export interface ExportKind {
  /** Path of the operation in the OpenAPI document. */
  path: string;
  /** Path of the plugin's default values, and the member of the body that they belong to. */
  defaults?: { path: string; member: string };
  /** Path of the manufacturers of a project, which become choices. */
  manufacturers?: string;
  /** Whether the person can choose a view of the project. */
  hasViews: boolean;
  /** Whether `workbookTitles` replaces titles. */
  isWorkbook: boolean;
  /** The settings in the order of the form, and members of settings, for their titles. Unlisted settings come last. */
  groups: Readonly<Partial<Record<keyof WorkbenchWords["settings"]["groups"], readonly SettingName[]>>>;
  /** Settings that are stored for one project only. */
  ofProject: ReadonlySet<string>;
}

const plugins = "/EAIWS/plugins";

export const exportKinds: Readonly<Record<ExportName, ExportKind>> = {
  order: {
    path: `${plugins}/oex/export`,
    defaults: { path: `${plugins}/oex/config.json`, member: "config" },
    manufacturers: `${plugins}/oex/manufacturers.json`,
    hasViews: false,
    isWorkbook: false,
    groups: {
      document: [
        "manufacturerIds",
        "documentType",
        "oexVersion",
        "splitDocumentByManufacturers",
        "orderType",
      ],
      files: ["attachOEX", "attachOBX", "attachPDF", "embedInPDF", "reporterTemplateKey", "exportImages"],
      content: [
        "exportAlternativeArticles",
        "exportFolders",
        "exportSetArticle",
        "exportTextArticles",
        "structuralInformation",
        "exportRoomInformation",
        "exportInvisibleFeatures",
        "refNumber",
      ],
      prices: [
        "calculationPurchase",
        "calculationSales",
        "hideDiscounts",
        "hidePurchaseDiscounts",
        "hideSalesDiscounts",
        "hideHeaderDiscounts",
      ],
      formats: [
        "orderX",
        "attachUBL",
        "buyer",
        "buyerEndpoint",
        "sellerEndpoint",
        "orderXProfile",
        "orderXRelationship",
      ],
      numbers: [
        "docNumber",
        "clientNo",
        "vendorNo",
        "clientILN",
        "vendorILN",
        "delivery",
        "commission",
        "conditionNo",
        "projectNumber",
        "salesOrganisation",
        "salesGroup",
        "dealerAsSGR",
        "useShipToCode",
        "shipToCode",
        "identicateUser",
        "projectUserName",
      ],
      texts: [
        "orderInfo",
        "useSCOrderInfo",
        "additionalAgreement",
        "dispatchNotes",
        "featureInARTL",
        "ignoreITEMText",
        "versionInOrder",
        "additionalTextId",
        "specialModelInfoTextId",
      ],
      names: [
        "archiveFilename",
        "oexFilename",
        "obxFilename",
        "pdfFilename",
        "orderXFilename",
        "ublFilename",
        "useSalesOrgAsFilePrefix",
      ],
      experts: [
        "calculationScheme",
        "manufacturerId",
        "addresses",
        "pdfLogoImage",
        "appName",
        "appVersion",
        "aMajor",
        "aMinor",
        "templateOptions",
        "preferredImageColumn",
        "imageOptions",
      ],
    },
    ofProject: new Set([
      ...["manufacturerIds", "manufacturerId", "docNumber", "commission", "projectNumber", "conditionNo"],
      ...["delivery", "orderInfo", "additionalAgreement", "dispatchNotes", "addresses", "pdfLogoImage"],
      ...["archiveFilename", "oexFilename", "obxFilename", "pdfFilename", "orderXFilename", "ublFilename"],
    ]),
  },
  workbook: {
    path: `${plugins}/excel/v1/export`,
    hasViews: true,
    isWorkbook: true,
    groups: {
      shown: ["showVariantText", "filename", "viewId"],
      hidden: [
        "hideMargins",
        "hideDiscounts",
        "hidePurchaseDiscounts",
        "hideSalesDiscounts",
        "hideHeaderDiscounts",
        "hideTaxes",
        "hideFinalTotal",
      ],
      cells: [
        "sheetSettings",
        "articleStartRow",
        "articleStartColumn",
        "calcStartRow",
        "calcStartColumn",
        "reportStartRow",
        "reportStartColumn",
      ],
      experts: [
        "calculationScheme",
        "items",
        "matchBasketItemIds",
        "externalRefColumn",
        "hideLineTags",
        "hideConditionTypes",
        "hideAccessMethods",
        "preferredImageColumn",
        "imageOptions",
      ],
    },
    ofProject: new Set(["filename", "items", "viewId"]),
  },
};
