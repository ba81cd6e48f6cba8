/** Request body of all operations. Unknown members are ignored, because existing clients send some. */
import { builtInColumns, ImageOptionTexts, SessionId, type Static, Type, Uuid } from "@slipway/sdk";

/** An XLSX sheet ends with row 1,048,576 and column 16,384; the limit leaves room for the columns of every sheet. */
const StartRow = Type.Integer({ minimum: 1, maximum: 1_048_576, default: 1 });
const StartColumn = Type.Integer({ minimum: 1, maximum: 16_000, default: 1 });

/** First row and column of the workbook's sheets, counted from 1. */
const SheetSettings = Type.Object({
  articleStartRow: StartRow,
  articleStartColumn: StartColumn,
  calcStartRow: StartRow,
  calcStartColumn: StartColumn,
  reportStartRow: StartRow,
  reportStartColumn: StartColumn,
});
export type SheetSettings = Static<typeof SheetSettings>;

const Hide = Type.Boolean({ default: false });
const Names = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 1000, default: [] });

/** Selects the exported data and the hidden parts of it. */
export const ExportRequest = Type.Object({
  sessionId: SessionId,
  calculationScheme: Type.String({ minLength: 1, maxLength: 200, default: "STDB2B_WBK" }),
  preferredImageColumn: Type.String({ format: "uuid", default: builtInColumns.articleImage }),
  externalRefColumn: Type.Optional(Uuid),
  viewId: Type.Optional(Uuid),
  items: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), { description: "Only these; an empty list means all." }),
  ),
  matchBasketItemIds: Type.Boolean({ default: false }),
  imageOptions: ImageOptionTexts,
  filename: Type.Optional(Type.String({ maxLength: 1000 })),
  sheetSettings: Type.Object(SheetSettings.properties, { default: {} }),
  hideMargins: Hide,
  hideTaxes: Hide,
  hideDiscounts: Hide,
  hideHeaderDiscounts: Hide,
  hidePurchaseDiscounts: Hide,
  hideSalesDiscounts: Hide,
  hideFinalTotal: Hide,
  showVariantText: Type.Boolean({ default: false }),
  hideLineTags: Names,
  hideConditionTypes: Names,
  hideAccessMethods: Names,
});
export type ExportRequest = Static<typeof ExportRequest>;
