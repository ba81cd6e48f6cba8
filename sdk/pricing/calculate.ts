/** Computes the sheets of a project, which OBK files and most JSON projects do not contain. */

import type { Calculation, PricingProcedure, ProjectDocument, Sheet } from "../project/document.js";
import type { Suppression } from "../schema/errors.js";
import { type AggregateOptions, aggregate } from "./aggregate.js";
import { type CompiledLine, compileProcedure } from "./compiled-procedure.js";
import { ConditionRecords } from "./condition-records.js";
import { aggregateTax, type HeaderAmount, headerCondition, type States } from "./group-conditions.js";
import { itemCondition } from "./item-conditions.js";
import { ItemState } from "./item-state.js";
import { subtotalByFormula } from "./line-formulas.js";
import { isCounted, type Position, partsByGroup, positionsOf, totalQuantity } from "./positions.js";
import { PriceErrors } from "./price-errors.js";
import { Rounding } from "./rounding.js";
import { SheetWriter } from "./sheet.js";
import type { AmountSources } from "./stated-amount.js";
import { CurrencyConverter } from "./stated-amount.js";
import { allSteps } from "./steps.js";
import { TaxRates } from "./taxes.js";

/** Options of `calculate`. */
export interface CalculateOptions {
  /** Whether the sheet of a pseudo article is the sum of its parts; otherwise it is empty (0.00). */
  groupPseudoArticleParts?: boolean;
}

/** The result of `calculate`. */
export interface CalculationResult {
  /** All sheets by item id, and the header sheet. */
  calculation: Calculation;
  /** Suppressed errors `item-price-error`: amounts that could not be used, with `itemId` if they have one. */
  errors: Suppression[];
}

/**
 * All sheets of a project under one procedure, in the project's currency: one for each article, user article, set
 * article and part, by item id, and the header sheet. A calculation of this scheme in the project is returned
 * unchanged. The result depends only on the arguments, and not on the order of the items.
 *
 * Handlers should use `projectPrices`, which computes once per project and does not block other requests.
 *
 * @example
 * ```ts
 * const procedure = await findProcedure(project, "STDB2B_WBK", host.procedures);
 * const { calculation, errors } = calculate(project, procedure);
 * for (const error of errors) suppress(error);
 * const total = valueOfTag(calculation.header, procedure, "FINAL_VALUE");
 * ```
 *
 * @throws {@link RequestError} 400 `request-bad-request` for a malformed procedure, or an item id that occurs twice
 */
export function calculate(
  project: ProjectDocument,
  procedure: PricingProcedure,
  options: CalculateOptions = {},
): CalculationResult {
  return allSteps(calculationSteps(project, procedure, options));
}

/** `calculate` in steps: many thousand items take seconds. */
export function* calculationSteps(
  project: ProjectDocument,
  procedure: PricingProcedure,
  options: CalculateOptions = {},
): Generator<undefined, CalculationResult> {
  // The sender of the project has computed them.
  const given = project.calculations?.find(({ scheme }) => scheme === procedure.name);
  if (given !== undefined) return { calculation: given, errors: [] };
  const errors = new PriceErrors();
  const evaluation = new Evaluation(project, procedure, options, errors);
  yield;
  return { calculation: yield* evaluation.run(), errors: errors.list() };
}

/** One pass over the lines of a procedure for all items together, since header conditions need the totals. */
class Evaluation {
  private readonly compiled;
  private readonly rounding: Rounding;
  private readonly positions: readonly Position[];
  private readonly sources: AmountSources;
  private readonly states: ReadonlyMap<Position, ItemState>;
  private readonly groups: States;
  private readonly headerAmounts = new Map<CompiledLine, readonly HeaderAmount[]>();

  constructor(
    project: ProjectDocument,
    procedure: PricingProcedure,
    options: CalculateOptions,
    errors: PriceErrors,
  ) {
    const { settings } = project;
    this.compiled = compileProcedure(procedure);
    this.rounding = Rounding.of(settings, procedure.halfWay);
    const groupPseudoArticleParts = options.groupPseudoArticleParts ?? false;
    this.positions = positionsOf(project, { scheme: procedure.name, groupPseudoArticleParts });
    this.sources = {
      records: new ConditionRecords(project, this.compiled, this.positions, errors),
      taxes: new TaxRates(project, errors),
      converter: new CurrencyConverter(settings, Rounding.of(settings, settings.rounding.halfWay)),
      rounding: this.rounding,
      errors,
    };
    const evaluated = this.positions.filter(({ role }) => role !== "sum");
    this.states = new Map(evaluated.map((each) => [each, new ItemState(each, this.rounding)]));
    const states = [...this.states.values()];
    this.groups = {
      counted: states.filter(({ position }) => isCounted(position)),
      apart: states.filter(({ position }) => !isCounted(position)),
    };
  }

  /** One step per line of the procedure, then one per sheet. */
  *run(): Generator<undefined, Calculation> {
    for (const line of this.compiled.lines) {
      const { parent } = line;
      if (parent !== undefined) for (const state of this.states.values()) state.restartFrom(parent);
      this.evaluate(line);
      if (line.isReferenced) for (const state of this.states.values()) state.keep(line);
      yield;
    }
    return yield* this.calculation();
  }

  private evaluate(line: CompiledLine): void {
    const isPriced = line.line.kind === "condition" || line.line.kind === "subtotal";
    if (!isPriced && Object.keys(line.formulas).length > 0) {
      const message = `The formula at ${line.line.level}.${line.line.counter} has no effect: the line has no value`;
      this.sources.errors.add(undefined, message, { scope: "WARN" });
    }
    if (line.line.kind === "condition") this.evaluateCondition(line);
    else for (const state of this.states.values()) evaluatePlain(line, state, this.sources);
  }

  private evaluateCondition(line: CompiledLine): void {
    if (line.header) {
      this.headerAmounts.set(line, headerCondition(line, this.groups, this.sources));
    } else if (!this.canHaveData(line)) {
      for (const state of this.states.values()) state.absent(line);
    } else if (line.type?.conditionClass === "tax" && line.type.roundAt === "aggregate") {
      aggregateTax(line, this.groups, this.sources);
    } else {
      for (const state of this.states.values()) itemCondition(line, state, this.sources);
    }
  }

  /** Skips lines without data for any item, which are the majority. */
  private canHaveData(line: CompiledLine): boolean {
    const { records, taxes } = this.sources;
    if (records.has(line) || line.computesAlone) return true;
    return line.source?.kind === "tax"
      ? taxes.typeOf(line.source.taxType) !== undefined
      : line.source !== undefined;
  }

  private *calculation(): Generator<undefined, Calculation> {
    const { compiled, rounding, headerAmounts } = this;
    const writer = new SheetWriter(compiled, this.sources.converter.target, rounding);
    const members = this.groups.counted.map(({ results }) => results);
    const header = writer.sheet(aggregate(compiled, members, { ...this.aggregation, headerAmounts }));
    yield;
    const sums = new Map<Position, Sheet>();
    for (const [group, parts] of partsByGroup(this.positions)) {
      sums.set(group, writer.sheet(this.sumOf(parts), totalQuantity(group)));
      yield;
    }
    const items: Record<string, Sheet> = {};
    for (const position of this.positions) {
      const state = this.states.get(position);
      items[position.item.id] =
        sums.get(position) ?? writer.sheet(state?.results ?? [], totalQuantity(position));
      // The state is no longer needed; keeping it would use too much memory for a large project.
      state?.forget();
      yield;
    }
    return { scheme: compiled.procedure.name, header, items };
  }

  private sumOf(positions: readonly Position[]): ReturnType<typeof aggregate> {
    const members = positions.map((position) => this.states.get(position)?.results ?? []);
    return aggregate(this.compiled, members, this.aggregation);
  }

  private get aggregation(): AggregateOptions {
    const { rounding, errors, converter } = this.sources;
    return { rounding, errors, currency: converter.target };
  }
}

function evaluatePlain(line: CompiledLine, state: ItemState, sources: AmountSources): void {
  if (line.line.kind !== "subtotal") state.text(line);
  else if (line.formulas.item !== undefined) {
    state.computed(subtotalByFormula(line, line.formulas.item, state, sources));
  } else if (line.margin !== undefined) state.margin(line, line.margin);
  else state.subtotal(line);
}
