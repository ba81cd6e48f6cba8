/** Project files: OBK (the project with everything) and OBX (articles for exchange). */
export * from "./read-obk.js";
export * from "./read-obx.js";
export type { ReadProject } from "./read-project.js";
export type { ReadWarning } from "./read-warnings.js";
export type { ObxOptions } from "./select-items.js";
export { stableId } from "./stable-id.js";
export * from "./write-obk.js";
export { streamObx, writeObx, writeObxArticle, writeObxInto } from "./write-obx.js";
