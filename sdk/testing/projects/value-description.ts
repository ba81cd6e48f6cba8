/** Texts and prices of described projects. */
import type { Money } from "../../project/document.js";

/** In the first language of the project, or one for each language, such as `{ en: "Chair", de: "Stuhl" }`. */
export type TextDescription = string | Readonly<Record<string, string>>;

/** An amount such as "12.50" in the project's currency, or in another one. */
export type PriceDescription = string | Money;
