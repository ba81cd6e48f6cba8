/** What had to be changed or left out so that a document keeps to the format (OEX reference, section 20). */

/** Tells the client of a repair: the item (where there is one), the field, the value and what became of it. */
export interface Repairs {
  /**
   * Reports a value that was changed or left out: suppressed error `oex-value-repaired`, scope `WARN` unless told.
   * `field` is the name in the project or the configuration, such as "config.addresses[0].postalCode" or "quantity".
   */
  report(repair: Repair): void;
  /** The same for an item, which the report names; equal ones of several items may become one report. */
  forItem(item: { id: string; position: string }): Repairs;
}

export interface Repair {
  field: string;
  /** As it came; shortened where it is long. */
  value: string;
  /** What became of it, such as "cut to 35 characters" or "left out: no country code". */
  change: string;
  scope?: "WARN" | "ERROR";
}

/** Tells nobody: for values that are looked at a second time. */
export const silentRepairs: Repairs = { report: () => undefined, forItem: () => silentRepairs };
