export * from "./base64.js";
export * from "./currency-digits.js";
export {
  AbortingError,
  RequestError,
  type RequestErrorOptions,
  SuppressedError,
  type Suppression,
  suppressEach,
  suppressedError,
} from "./errors.js";
export { Exact } from "./exact.js";
export * from "./file-stem.js";
export * from "./locale/formats.js";
export * from "./locale/locale.js";
export * from "./locale/time-zone.js";
export * from "./obx/index.js";
export * from "./obx/picture-type.js";
export { type Present, present } from "./obx/present.js";
export * from "./plugin/handler-context.js";
export * from "./plugin/host.js";
export * from "./plugin/log.js";
export * from "./plugin/metrics.js";
export * from "./plugin/plugin.js";
export * from "./plugin/route.js";
export * from "./plugin/service.js";
export * from "./plugin/session.js";
export * from "./plugin/template.js";
export * from "./pricing/calculate.js";
export * from "./pricing/check-procedure.js";
export { CurrencyConverter } from "./pricing/currency.js";
export { distribute, type Share, type Steps } from "./pricing/distribute.js";
export { findProcedure } from "./pricing/find-procedure.js";
export * from "./pricing/group-sheet.js";
export * from "./pricing/item-status.js";
export * from "./pricing/line-sheets.js";
export { type Measure, measureOf, millimetres } from "./pricing/measures.js";
export {
  type Position,
  type PositionOptions,
  type PositionRole,
  partsByGroup,
  positionsOf,
} from "./pricing/positions.js";
export * from "./pricing/print-control.js";
export * from "./pricing/project-prices.js";
export * from "./pricing/rounding.js";
export * from "./pricing/sheet-lines.js";
export * from "./pricing/sheet-reader.js";
export * from "./pricing/stated-values.js";
export * from "./pricing/tax-totals.js";
export * from "./project/article-names.js";
export * from "./project/check-project.js";
export * from "./project/columns.js";
export * from "./project/descriptions.js";
export * from "./project/document.js";
export * from "./project/document-file-name.js";
export * from "./project/image-options.js";
export * from "./project/item-images.js";
export * from "./project/item-tree.js";
export * from "./project/plain-text.js";
export * from "./project/text-choice.js";
export * from "./project/text-reader.js";
export * from "./report-data/report-data.js";
export * from "./schema.js";
export { shortened } from "./shortened.js";
export * from "./similar-name.js";
export * from "./steps.js";
export * from "./template-file.js";
export {
  badRequest,
  type Check,
  type Checked,
  checked,
  describe,
  shownValue,
  Validator,
  type Violation,
} from "./validation.js";
export { type Basket, nestedBasket } from "./views/basket-owners.js";
export * from "./views/empty-view.js";
export * from "./views/resolve-view.js";
export * from "./views/view-findings.js";
export { type ViewNode, walkNodes } from "./views/view-node.js";
export { standardViewId } from "./views/view-rules.js";
export * from "./xml/document-xml-writer.js";
export * from "./xml/streaming-xml-writer.js";
export * from "./xml/xml-schema.js";
export * from "./xml/xml-writer.js";
