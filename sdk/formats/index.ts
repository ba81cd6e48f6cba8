/** Project files: OBK (the project with everything) and OBX (articles for exchange). */
export * from "./obk/read-obk.js";
export * from "./obk/write-obk.js";
export * from "./obx/read-obx.js";
export type { ReadProject } from "./obx/read-project.js";
export type { ReadWarning } from "./obx/read-warnings.js";
export type { ObxOptions } from "./obx/select-items.js";
export { stableId } from "./obx/stable-id.js";
export { streamObx, writeObx, writeObxArticle, writeObxInto } from "./obx/write-obx.js";
