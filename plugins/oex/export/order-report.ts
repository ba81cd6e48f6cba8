/** The PDF of an export, created through the reporter's service. */
import {
  type Host,
  nestedBasket,
  type OfferedService,
  type ProjectDocument,
  RequestError,
  StoredFile,
  type Suppression,
  Type,
} from "@slipway/sdk";
import type { ExportConfiguration } from "../configuration/export-configuration.js";
import type { ExportContext } from "../context/export-context.js";
import type { LogoImage } from "../request/create-context.js";
import type { SelectedItem } from "../selection/exported-tree.js";

const standardTemplate = "order";

const Report = Type.Object({ file: StoredFile });

/** Input of the report besides the context. */
export interface ReportParts {
  filename: string;
  calculationScheme: string;
  imageOptions: string[];
  /** Values by key. */
  templateOptions: Record<string, unknown>;
  selected: readonly SelectedItem[];
  /** Whether the export leaves out items of the project. */
  filtered: boolean;
  logo: LogoImage | undefined;
  /** Names of the files that the PDF will carry; the template lists them. */
  embedded: readonly string[];
}

/** The reporter's service. Call during plugin setup, so that admins see the dependency. */
export function reportService(host: Pick<Host, "service">): OfferedService {
  return host.service("Reporter@^1.0.0", "reports");
}

/**
 * Prints the exported items with the template `reporterTemplateKey`, or as the standard order report. If there is no
 * reporter or it fails, there is no PDF but a suppressed error `attachment-error`.
 */
export async function orderReport(
  reports: OfferedService,
  context: ExportContext,
  parts: ReportParts,
): Promise<StoredFile | undefined> {
  const { configuration, suppress } = context;
  const input = {
    templateKey: templateKey(configuration),
    calculationScheme: parts.calculationScheme,
    preferredImageColumn: context.preferredImageColumn,
    imageOptions: parts.imageOptions,
    filename: parts.filename,
    matchBasketItemIds: true,
    ...(parts.filtered && { items: reportItems(context.project, parts.selected) }),
    templateOptions: {
      ...parts.templateOptions,
      ...(configuration.reporterTemplateKey === null && standardOptions(context)),
    },
    data: { order: await orderData(context, parts) },
  };
  try {
    const { value, errors } = await reports.call("generate", input, Report);
    for (const error of errors) suppress(error);
    return value.file;
  } catch (error) {
    if (!(error instanceof RequestError) || context.signal.aborted) throw error;
    suppress(withoutReport(error));
    return undefined;
  }
}

/** The template that prints, as a key or an alias. */
export function templateKey({ reporterTemplateKey }: ExportConfiguration): string {
  return reporterTemplateKey ?? standardTemplate;
}

/** Options of the standard report. It shows the document's prices only, so purchase prices do not reach a customer. */
function standardOptions({ configuration, format }: ExportContext): Record<string, boolean | string> {
  const sales = configuration.calculationSales;
  const purchase = format.type === "ORDERS" && configuration.calculationPurchase;
  const onlySide = purchase ? "purchase" : "sales";
  return {
    showFolders: configuration.exportFolders,
    showPrices: sales || purchase,
    priceSide: sales && purchase ? "auto" : onlySide,
  };
}

/** The order data of the request, for the template. */
async function orderData(
  context: ExportContext,
  { logo, embedded }: ReportParts,
): Promise<Record<string, unknown>> {
  const { configuration } = context;
  const { clientNo, vendorNo, commission, delivery, dispatchNotes } = configuration;
  const { additionalAgreement, orderInfo, projectNumber, docNumber } = configuration;
  const given = {
    documentType: configuration.documentType,
    ...(configuration.addresses.length > 0 && { addresses: configuration.addresses }),
    number: docNumber,
    clientNo,
    vendorNo,
    commission,
    delivery,
    dispatchNotes,
    additionalAgreement,
    orderInfo,
    projectNumber,
    logo: logo === undefined ? null : await shownLogo(logo, context),
    files: embedded.length === 0 ? null : embedded,
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

/** The logo as a data URL. Null, with a report, if the project has no such picture, or none that can be shown. */
async function shownLogo(logo: LogoImage, { session, suppress }: ExportContext): Promise<string | null> {
  if (logo.kind === "embedded") return logo.dataUrl;
  const picture = await session.picture(logo.key);
  if (picture !== undefined && "content" in picture)
    return `data:${picture.mediaType};base64,${Buffer.from(picture.content).toString("base64")}`;
  const reason =
    picture === undefined
      ? "the picture of `config.pdfLogoImage` is missing in the project"
      : `the picture of \`config.pdfLogoImage\` cannot be shown: ${picture.problem}`;
  suppress({
    id: "attachment-error",
    scope: "WARN",
    message: `The PDF has no logo, because ${reason}.`,
    additionalInformation: { field: "config.pdfLogoImage", asset: logo.key },
  });
  return null;
}

function withoutReport(error: RequestError): Suppression {
  return {
    id: "attachment-error",
    message: `The export has no PDF: ${error.message}`,
    cause: [error.message],
    additionalInformation: { id: error.id, code: error.code },
  };
}

/**
 * Ids of the items to print. A report prints everything below a requested item, so folders and sets with other content
 * are not requested; they appear as the frame of their printed items.
 */
function reportItems(project: ProjectDocument, selected: readonly SelectedItem[]): string[] {
  const basket = nestedBasket(project);
  const ids = new Set(selected.map(({ item }) => item.id));
  const isWhole = ({ item, kind }: SelectedItem): boolean => {
    if (kind === "article" || kind === "text") return true;
    const pending = [...basket.children(item)]; // extended one by one: a call takes a limited number of arguments
    for (let each = pending.pop(); each !== undefined; each = pending.pop()) {
      if (!ids.has(each.id)) return false;
      for (const child of basket.children(each)) pending.push(child);
    }
    return true;
  };
  return selected.filter(isWhole).map(({ item }) => item.id);
}
