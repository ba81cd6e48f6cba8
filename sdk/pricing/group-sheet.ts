/** The sheet of any group of items, such as the parts of a pseudo article or a folder. */

import { Exact } from "../exact.js";
import { ownMember } from "../own-member.js";
import type { Calculation, PricingProcedure, ProjectDocument, Sheet } from "../project/document.js";
import { aggregate } from "./aggregate.js";
import { type CompiledProcedure, compileProcedure } from "./compiled-procedure.js";
import type { LineResult } from "./line-result.js";
import { isCounted, positionsOf } from "./positions.js";
import { Rounding } from "./rounding.js";
import { SheetWriter } from "./sheet.js";

/** The sheets of these items added up line by line; an item without a sheet adds nothing. */
export function groupSheet(
  calculation: Calculation,
  procedure: PricingProcedure,
  itemIds: readonly string[],
): Sheet {
  const compiled = compileProcedure(procedure);
  const { currency } = calculation.header;
  const rounding = new Rounding(currency, "0", procedure.halfWay);
  const members = itemIds.flatMap((id) => {
    const sheet = ownMember(calculation.items, id);
    return sheet === undefined ? [] : [resultsOf(sheet, compiled)];
  });
  return new SheetWriter(compiled, currency, rounding).sheet(
    aggregate(compiled, members, { rounding, currency, errors: undefined }),
  );
}

/**
 * Ids of the items whose sheets the header sheet adds up: articles, user articles and parts, without sets and pseudo
 * articles (their parts count instead) and without what is alternative or optional in this scheme.
 */
export function countedItemIds(project: ProjectDocument, scheme: string): string[] {
  const counted = positionsOf(project, { scheme, groupPseudoArticleParts: false }).filter(isCounted);
  return counted.map(({ item }) => item.id);
}

function resultsOf(sheet: Sheet, compiled: CompiledProcedure): LineResult[] {
  return sheet.lines.flatMap((line) => {
    const found = compiled.find(line.level, line.counter);
    if (found === undefined) return [];
    return {
      line: found,
      counter: line.counter,
      label: line.label,
      amount: line.amount,
      per: line.qtyRelation,
      value: line.value === undefined ? undefined : new Exact(line.value.value),
      taxType: line.taxType,
      taxCategory: line.taxCategory,
      manual: line.manual ?? false,
      inactive: line.inactive?.[0],
    };
  });
}
