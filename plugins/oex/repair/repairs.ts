/** Changes and omissions needed to comply with the format (OEX reference, section 20). */

/** Reports repairs to the client: the item (if any), the field, the value and the change. */
export interface Repairs {
  /**
   * Reports a changed or omitted value: suppressed error `oex-value-repaired`, default scope `WARN`. `field` is the
   * name in the project or the configuration, such as "config.addresses[0].postalCode" or "quantity".
   */
  report(repair: Repair): void;
  /** The same for an item, which the report names; equal repairs of several items may become one report. */
  forItem(item: { id: string; position: string }): Repairs;
}

export interface Repair {
  field: string;
  /** The original value; shortened if it is long. */
  value: string;
  /** The change, such as "cut to 35 characters" or "left out: no country code". */
  change: string;
  scope?: "WARN" | "ERROR";
}

/** Discards reports, for values that are read a second time. */
export const silentRepairs: Repairs = { report: () => undefined, forItem: () => silentRepairs };
