import { words as english } from "./words/english.js";
import { Words } from "./words.js";

/** Words of the parts that pages share. */
export const partWords = new Words(english, {
  de: () => import("./words/german.js"),
  fr: () => import("./words/french.js"),
  it: () => import("./words/italian.js"),
  es: () => import("./words/spanish.js"),
  nl: () => import("./words/dutch.js"),
  pl: () => import("./words/polish.js"),
  sv: () => import("./words/swedish.js"),
  da: () => import("./words/danish.js"),
  cs: () => import("./words/czech.js"),
});
