export * from "./formats/index.js";
export { type Present, present } from "./formats/obx/present.js";
export * from "./formats/xml/document-xml-writer.js";
export * from "./formats/xml/repeated-text.js";
export * from "./formats/xml/streaming-xml-writer.js";
export * from "./formats/xml/xml-schema.js";
export * from "./formats/xml/xml-writer.js";
export { currencyDigits, Exact } from "./locale/exact.js";
export * from "./locale/formats.js";
export * from "./locale/locale.js";
export * from "./locale/time-zone.js";
export type { XmpStatement } from "./pdf/xmp-extension.js";
export * from "./plugin/handler-context.js";
export type * from "./plugin/handler-result.js";
export * from "./plugin/host.js";
export * from "./plugin/metrics.js";
export { expectedOption, isWithinLimits, type OptionRules, optionText } from "./plugin/option-text.js";
export * from "./plugin/plugin.js";
export {
  type FileReply,
  type HtmlPage,
  PlainText,
  type Redirect,
  type Reply,
  reply,
  type TextResponse,
  text,
} from "./plugin/reply.js";
export * from "./plugin/route.js";
export * from "./plugin/schedule.js";
export * from "./plugin/service.js";
export type * from "./plugin/session-hooks.js";
export type * from "./plugin/store.js";
export * from "./plugin/stored-file.js";
export * from "./plugin/template.js";
export * from "./plugin/template-file.js";
export * from "./pricing/calculate.js";
export { checkProcedure } from "./pricing/compiled-procedure.js";
export * from "./pricing/line-sheets.js";
export { type Measure, measureOf, millimetres } from "./pricing/measures.js";
export {
  countedItemIds,
  type Position,
  type PositionOptions,
  type PositionRole,
  partsByGroup,
  positionsOf,
} from "./pricing/positions.js";
export * from "./pricing/project-prices.js";
export {
  distribute,
  type HalfWay,
  Rounding,
  type RoundingRule,
  type Share,
  type Steps,
} from "./pricing/rounding.js";
export { groupSheet } from "./pricing/sheet.js";
export * from "./pricing/sheet-lines.js";
export { CurrencyConverter } from "./pricing/stated-amount.js";
export * from "./pricing/steps.js";
export { type TaxTotal, taxTotals } from "./pricing/taxes.js";
export * from "./project/check-project.js";
export * from "./project/columns.js";
export * from "./project/descriptions.js";
export * from "./project/document.js";
export * from "./project/document-file-name.js";
export * from "./project/item-images.js";
export * from "./project/item-tree.js";
export * from "./project/picture-places.js";
export * from "./project/picture-type.js";
export * from "./project/plain-text.js";
export * from "./project/text-choice.js";
export * from "./report-data/report-data.js";
export {
  AbortingError,
  RequestError,
  type RequestErrorOptions,
  SuppressedError,
  type Suppression,
  suppressEach,
  suppressedError,
} from "./schema/errors.js";
export * from "./schema/schema.js";
export * from "./schema/similar-name.js";
export { isBase64, shortened } from "./schema/text.js";
export {
  badRequest,
  type Check,
  type Checked,
  checked,
  Validator,
} from "./schema/validation.js";
export { describe, shownValue, type Violation } from "./schema/violation.js";
export { type Basket, nestedBasket } from "./views/basket-owners.js";
export * from "./views/resolve-view.js";
export { type ViewNode, walkNodes } from "./views/view-node.js";
export { standardViewId } from "./views/view-rules.js";
