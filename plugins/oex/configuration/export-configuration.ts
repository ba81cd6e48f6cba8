/** The export configuration (interface document, sections 2.6 and 2.7). */
import {
  Address,
  CommAddress as ClosedCommAddress,
  Contact,
  checked,
  checkTimeZone,
  type Static,
  TimeZone,
  type TSchema,
  Type,
  Validator,
} from "@slipway/sdk";
import { documentTypes, oexVersions } from "../document/oex-document.js";

/** Files of an export that its PDF can carry. */
const embeddableFiles = ["OEX", "OBX", "ORDER-X", "UBL"] as const;
export type EmbeddableFile = (typeof embeddableFiles)[number];

/** Profiles of Order-X that have what an order of configured furniture needs. */
export const orderXProfiles = ["COMFORT", "EXTENDED"] as const;
export type OrderXProfile = (typeof orderXProfiles)[number];

/** What an `order-x.xml` may be to its PDF (Order-X 1.0, 4.1.1). */
const orderXRelationships = ["Alternative", "Data", "Source"] as const;

/** Addresses that can be the buyer's. */
const buyers = ["SoldTo", "Branch"] as const;

const Line = Type.String({ maxLength: 4000 });

function flag(value: boolean) {
  return Type.Boolean({ default: value });
}

function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()], { default: null });
}

// Unknown members are reported in requests (`request/create-context.ts`) and refused in projects.
const CommAddress = Type.Object(ClosedCommAddress.properties);
const commAddresses = Type.Optional(Type.Array(CommAddress, { maxItems: 100 }));
const { contactIds: _byId, ...addressFields } = Address.properties;

/** A request's address with nested contacts (interface document, section 2.7). */
export const AddressData = Type.Object({
  ...addressFields,
  commAddresses,
  contacts: Type.Optional(
    Type.Array(Type.Object({ ...Contact.properties, commAddresses }), { maxItems: 1000 }),
  ),
});
export type AddressData = Static<typeof AddressData>;

const flags = {
  attachOBX: flag(true),
  attachOEX: flag(true),
  attachPDF: flag(false),
  calculationPurchase: flag(true),
  calculationSales: flag(true),
  dealerAsSGR: flag(false),
  exportAlternativeArticles: flag(true),
  exportFolders: flag(true),
  exportImages: flag(false),
  exportInvisibleFeatures: flag(true),
  exportRoomInformation: flag(true),
  exportSetArticle: flag(true),
  exportTextArticles: flag(true),
  featureInARTL: flag(false),
  hideDiscounts: flag(false),
  hideHeaderDiscounts: flag(false),
  hidePurchaseDiscounts: flag(false),
  hideSalesDiscounts: flag(false),
  identicateUser: flag(false),
  ignoreITEMText: flag(false),
  refNumber: flag(false),
  splitDocumentByManufacturers: flag(false),
  structuralInformation: flag(true),
  useSalesOrgAsFilePrefix: flag(false),
  useSCOrderInfo: flag(false),
  useShipToCode: flag(false),
  versionInOrder: flag(false),
};

const Block = Type.String({ maxLength: 200_000 });

/** A scheme of the Peppol code list EAS and an id in it. */
const Endpoint = Type.String({ pattern: "^[0-9A-Z]{2,4}:[!-~]{1,50}$" });

/** Members that the interface document lacks; `config.json` does not list them. */
const furtherMembers = {
  embedInPDF: Type.Optional(
    Type.Array(Type.Enum([...embeddableFiles]), {
      maxItems: 10,
      uniqueItems: true,
      description: "Files that the PDF carries. Not among the defaults, which are those of the interface.",
    }),
  ),
  orderX: Type.Optional(
    Type.Enum([...orderXProfiles], {
      description: "Profile of the Order-X order that is a file of the export; of the one in the PDF, too.",
    }),
  ),
  orderXProfile: Type.Optional(
    Type.Enum([...orderXProfiles], {
      description:
        "Profile of the Order-X order in the PDF where orderX makes no file of the export; without it, COMFORT.",
    }),
  ),
  orderXRelationship: Type.Optional(
    Type.Enum([...orderXRelationships], {
      description:
        "What the order-x.xml is to its PDF; without it, Alternative with the standard template, else Data.",
    }),
  ),
  attachUBL: Type.Optional(
    Type.Boolean({ description: "Whether a Peppol order (UBL) is a file of the export." }),
  ),
  buyer: Type.Optional(
    Type.Enum([...buyers], {
      description: "The address that is the buyer's in Order-X and UBL; without it, SoldTo.",
    }),
  ),
  buyerEndpoint: Type.Optional(Endpoint),
  sellerEndpoint: Type.Optional(Endpoint),
  orderXFilename: Type.Optional(Type.Union([Line, Type.Null()])),
  ublFilename: Type.Optional(Type.Union([Line, Type.Null()])),
};

/** All members with their defaults. `appName` and `appVersion` come from the plugin's settings. */
export const ExportConfiguration = Type.Object({
  ...flags,
  ...furtherMembers,
  documentType: Type.Enum([...documentTypes], { default: "ORDERS" }),
  oexVersion: Type.Enum([...oexVersions], { default: "3.0" }),
  additionalTextId: Type.String({ maxLength: 200, default: "@add" }),
  specialModelInfoTextId: Type.String({ maxLength: 200, default: "71" }),
  appName: Line,
  appVersion: Type.Object({ aMajor: Line, aMinor: Line }),
  addresses: Type.Array(AddressData, { maxItems: 100, default: [] }),
  manufacturerIds: Type.Array(Line, { maxItems: 10_000, default: [] }),
  manufacturerId: nullable(Line),
  additionalAgreement: nullable(Block),
  archiveFilename: nullable(Line),
  clientILN: nullable(Line),
  clientNo: nullable(Line),
  commission: nullable(Line),
  conditionNo: nullable(Line),
  delivery: nullable(Block),
  dispatchNotes: nullable(Block),
  docNumber: nullable(Line),
  obxFilename: nullable(Line),
  oexFilename: nullable(Line),
  orderInfo: nullable(Block),
  orderType: nullable(Line),
  pdfFilename: nullable(Line),
  pdfLogoImage: nullable(Type.String({ maxLength: 15_000_000 })),
  projectNumber: nullable(Line),
  projectUserName: nullable(Line),
  reporterTemplateKey: nullable(Line),
  salesGroup: nullable(Line),
  salesOrganisation: nullable(Line),
  shipToCode: nullable(Line),
  vendorILN: nullable(Line),
  vendorNo: nullable(Line),
});
export type ExportConfiguration = Static<typeof ExportConfiguration>;

// The plugin's settings (`plugins.config.oex` of the server's configuration).

/** Code length limit of the format for manufacturers and series (OEX reference, section 7). */
const Code = Type.String({ pattern: "^[0-9A-Z]{1,4}$" });

const closed = { additionalProperties: false } as const;

/** The settings as configured. */
export const PluginSettings = Type.Object(
  {
    applicationName: Type.String({
      minLength: 1,
      maxLength: 200,
      default: "Slipway",
      description: "Name of the application in exported documents, unless the request names another one.",
    }),
    applicationVersion: Type.Optional(
      Type.Object(
        {
          major: Type.String({ pattern: "^[0-9]{1,5}$" }),
          minor: Type.String({ pattern: "^[0-9]{1,5}$" }),
        },
        { ...closed, description: "Without it, the version of the plugin." },
      ),
    ),
    timeZone: TimeZone,
    manufacturerCodes: Type.Record(Type.String(), Code, {
      default: {},
      description: "Codes of manufacturers by their ids.",
    }),
    seriesCodes: Type.Record(Type.String(), Type.Record(Type.String(), Code), {
      default: {},
      description: "Codes of series by their ids, for each manufacturer by its id.",
    }),
    validate: Type.Boolean({
      default: false,
      description: "Checks each exported document against the schemas and rules of the format.",
    }),
    validateLimit: Type.Integer({
      minimum: 0,
      default: 20_000_000,
      description: "Bytes; larger documents are checked against the rules only.",
    }),
  },
  closed,
);
export type PluginSettings = Static<typeof PluginSettings>;

/** The settings with all defaults applied. */
export type ExportSettings = Required<PluginSettings>;

/**
 * Completes the configured settings with the plugin's version ("1.2.3").
 * @throws {Error} if the time zone is invalid, so that the plugin does not start
 */
export function exportSettings(configured: PluginSettings, pluginVersion: string): ExportSettings {
  checkTimeZone(configured.timeZone, "timeZone");
  const [major = "0", minor = "0"] = pluginVersion.split(".");
  return { ...configured, applicationVersion: configured.applicationVersion ?? { major, minor } };
}

const filled = new Validator({ lazy: true }).compile(ExportConfiguration, "config");

/**
 * A new configuration with the defaults of the interface document, section 2.6. The application comes from the
 * settings.
 */
export function defaultConfiguration(settings: ExportSettings): ExportConfiguration {
  const { major, minor } = settings.applicationVersion;
  const application = { appName: settings.applicationName, appVersion: { aMajor: major, aMinor: minor } };
  return checked(filled(application), "The default configuration is not valid");
}
