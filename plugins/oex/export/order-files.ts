/** The order as files of general trade, beside the OEX document and from the same data. */
import { Exact, type Host, type StoredFile } from "@slipway/sdk";
import type { OrderXProfile } from "../configuration/export-configuration.js";
import type { ExportContext } from "../context/export-context.js";
import type { OexHeader } from "../document/oex-document.js";
import { orderXMediaType } from "../order-x/order-x-names.js";
import { writeOrderX } from "../order-x/write-order-x.js";
import type { DocumentPricing } from "../pricing/document-pricing.js";
import { silentRepairs } from "../repair/repairs.js";
import type { SelectedItem } from "../selection/exported-tree.js";
import { createTradeOrder, NoTradeOrder, type TradeSource } from "../trade/create-trade-order.js";
import { Omissions, type TradeOrder } from "../trade/trade-order.js";
import { checkOrder } from "../trade-checking/check-order.js";
import type { OrderFormat } from "../trade-checking/order-facts.js";
import { orderXFormat } from "../trade-checking/order-x-format.js";
import { ublFormat } from "../trade-checking/ubl-format.js";
import { deliverableOrder, writeUblOrder } from "../ubl/write-ubl-order.js";
import { CheckedFile, invalidDocument } from "./checked-file.js";
import { documentHeader, documentItems } from "./create-document.js";

export interface OrderFileParts {
  context: ExportContext;
  /** The document's own number. */
  number: string;
  selected: readonly SelectedItem[];
  pricing: DocumentPricing;
  /** Whether each file is checked. */
  validate: boolean;
  /** Whether these files report the repairs of items, because the export has no OEX document. */
  reportsItems: boolean;
}

/** The files to make. */
export interface WantedOrders {
  orderX?: { name: string; profile: OrderXProfile } | undefined;
  ubl?: { name: string } | undefined;
}

interface OrderFile {
  name: string;
  mediaType: string;
  /** For people. */
  title: string;
  format: OrderFormat;
  /** @throws {NoTradeOrder} if the format cannot express the order */
  write(order: TradeOrder, omissions: Omissions): AsyncGenerator<string>;
}

/**
 * The files. If a format cannot express the order, as for each quotation, the suppressed error `oex-order-missing` says why.
 * Each kind of value that a format lacks is reported once, and so is a doubtful buyer.
 */
export async function orderFiles(
  host: Pick<Host, "files">,
  parts: OrderFileParts,
  { orderX, ubl }: WantedOrders,
): Promise<{ orderX: StoredFile | undefined; ubl: StoredFile | undefined }> {
  const { context, reportsItems } = parts;
  const { buyerEndpoint: buyer, sellerEndpoint: seller } = context.configuration;
  if (orderX === undefined && ubl === undefined) return { orderX, ubl };
  // Repairs of the header are reported with the OEX document, which every export creates.
  const quiet = { ...tradeContext(context), repairs: silentRepairs, suppress: () => undefined };
  const header = documentHeader({ ...parts, context: quiet, files: { pdf: undefined, obx: undefined } });
  const file = (wanted: OrderFile, itemsContext: ExportContext): Promise<StoredFile | undefined> => {
    const items = documentItems({ ...parts, context: itemsContext }, readingOrder);
    return orderFile(host, parts, { context: quiet, header, items }, wanted);
  };
  const telling = reportsItems ? tradeContext(context) : quiet;
  const made = {
    orderX:
      orderX &&
      (await file(
        {
          name: orderX.name,
          mediaType: orderXMediaType,
          title: `Order-X ${orderX.profile}`,
          format: orderXFormat,
          write: (order, omissions) => writeOrderX(order, orderX.profile, omissions),
        },
        telling,
      )),
    ubl:
      ubl &&
      (await file(
        {
          name: ubl.name,
          mediaType: "application/xml",
          title: "Peppol order (UBL)",
          format: ublFormat,
          write: (order, omissions) => writeUblOrder(deliverableOrder(order, { buyer, seller }), omissions),
        },
        orderX === undefined ? telling : quiet,
      )),
  };
  if (made.orderX !== undefined || made.ubl !== undefined) reportBuyer(context, header);
  return made;
}

async function orderFile(
  host: Pick<Host, "files">,
  { context, selected, pricing, validate }: OrderFileParts,
  source: Pick<TradeSource, "context" | "header" | "items">,
  { name, mediaType, title, format, write }: OrderFile,
): Promise<StoredFile | undefined> {
  const omissions = new Omissions(title);
  try {
    if (context.format.type !== "ORDERS") throw new NoTradeOrder("the document is a quotation, not an order");
    const order = createTradeOrder({ ...source, selected, pricing, omissions });
    const pieces = write(order, omissions);
    const otherTaxes = order.taxes.reduce(
      (sum, tax) => (tax.isOther ? sum.plus(tax.amount) : sum),
      new Exact(0),
    );
    const check = validate ? new CheckedFile((copy) => checkOrder(copy, format, { otherTaxes })) : undefined;
    const content = check === undefined ? pieces : check.of(pieces);
    const file = await host.files.create({ name, mediaType, content, archived: true });
    omissions.report(context.suppress);
    const problems = (await check?.problems()) ?? [];
    if (problems.length > 0) context.suppress(invalidDocument(`The ${title}`, problems));
    return file;
  } catch (error) {
    if (!(error instanceof NoTradeOrder)) throw error;
    context.suppress({
      id: "oex-order-missing",
      message: `The export has no ${title}: ${error.message}.`,
      additionalInformation: { format: title, reason: error.message },
    });
    return undefined;
  }
}

/** Articles last, so that the names of their sets are known. */
const readingOrder = ["set", "folder", "text", "article"] as const;

/** Without what only OEX has: pictures and the OBX of each article. */
function tradeContext(context: ExportContext): ExportContext {
  return { ...context, configuration: { ...context.configuration, exportImages: false, attachOBX: false } };
}

/** An order at purchase prices is that of a dealer, but projects name the dealer's customer as the one it is sold to. */
function reportBuyer({ configuration, suppress }: ExportContext, header: OexHeader): void {
  const isPurchase = header.pricing.some(({ area }) => area === "P");
  const hasBranch = header.addresses.some(({ type }) => type === "BR");
  if (configuration.buyer !== undefined || !isPurchase || !hasBranch) return;
  suppress({
    id: "oex-buyer-doubtful",
    scope: "WARN",
    message:
      'The order at purchase prices names the SoldTo address as its buyer, but the project has a Branch address, too. Set "buyer" to the one that buys.',
    additionalInformation: { field: "config.buyer" },
  });
}
