/** The shape of a line per condition type (OEX reference, sections 9.7, 15.1 to 15.3). */

export interface ConditionType {
  /** Position in the order of an area; undefined: anywhere. */
  headerRank?: number;
  itemRank?: number;
  /** Types that `aCondRef` may refer to; required if present. */
  bases?: readonly string[];
  /** Attribute for the kind, and the sign. */
  kind?: { attribute: "aTypeDis" | "aTypeSur"; sign: "+" | "-" };
  hasTaxCode?: boolean;
  rate: "due" | "allowed" | "none";
  /** Items only: may have a price unit and a quantity unit. */
  hasUnits?: boolean;
  /** May occur any number of times; otherwise once per area. */
  repeats?: boolean;
}

const discount = { attribute: "aTypeDis", sign: "-" } as const;
const surcharge = { attribute: "aTypeSur", sign: "+" } as const;
const onItems = {
  headerRank: 2,
  itemRank: 2,
  bases: ["SGRO", "TGRO", "DISI", "SURI", "SUBI"],
  rate: "allowed",
  hasUnits: true,
  repeats: true,
} as const;
const onHeader = {
  headerRank: 5,
  bases: ["TNET", "DISH", "SURH", "SUBH"],
  rate: "allowed",
  repeats: true,
} as const;

export const conditionTypes: Readonly<Record<string, ConditionType>> = {
  SGRO: { itemRank: 1, rate: "none", hasUnits: true },
  TGRO: { headerRank: 1, rate: "none" },
  DISI: { ...onItems, kind: discount },
  SURI: { ...onItems, kind: surcharge },
  SUBI: { headerRank: 2, itemRank: 2, rate: "none", hasUnits: true, repeats: true },
  SNET: { itemRank: 3, rate: "none", hasUnits: true },
  TNET: { headerRank: 4, itemRank: 4, rate: "none" },
  DISH: { ...onHeader, kind: discount },
  SURH: { ...onHeader, kind: surcharge },
  SUBH: { headerRank: 5, rate: "none", repeats: true },
  TTNE: { headerRank: 7, itemRank: 7, hasTaxCode: true, rate: "none", repeats: true },
  TTAX: { headerRank: 7, itemRank: 7, bases: ["TTNE"], hasTaxCode: true, rate: "due", repeats: true },
  TOTL: { headerRank: 8, itemRank: 8, rate: "none" },
  SNEH: { itemRank: 9, rate: "none", hasUnits: true },
  TNEH: { headerRank: 6, itemRank: 10, rate: "none" },
  ECFR: { rate: "none", hasUnits: true, repeats: true },
};
