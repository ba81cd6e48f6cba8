/** Numbers that the files write for the modes of a view, and the names that the project document has for them. */
import type { View } from "../project/document.js";

export const displayModes = new Map<string, View["displayMode"]>([
  ["1", "sorted"],
  ["2", "planning"],
]);

/** The order of the client library's list. */
export const setArticleModes = new Map<string, View["setArticleMode"]>([
  ["0", "Expand"],
  ["1", "Collapse"],
  ["2", "Dynamic"],
  ["3", "BreakUp"],
]);

/** 1, 3, 4 and 6 stand in files, with views whose names fit these modes; the others fill the list up. */
export const mergeModes = new Map<string, View["mergeMode"]>([
  ["0", "None"],
  ["1", "Articles"],
  ["2", "Composites"],
  ["3", "Compact"],
  ["4", "ArticlesCompact"],
  ["5", "CompositesStrict"],
  ["6", "SubArticles"],
]);

export const expansions: readonly [attribute: string, name: View["expand"][number]][] = [
  ["expGroup", "groups"],
  ["expPlFolder", "planningFolders"],
  ["expBskFolder", "folders"],
  ["expPartPl", "partialPlannings"],
  ["expAggr", "aggregates"],
];
