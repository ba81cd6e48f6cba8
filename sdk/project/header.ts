/** Header and settings of a project. */
import { Decimal, IsoDate, IsoDateTime, type Static, Type } from "../schema/schema.js";
import { Block, Currency, closed, Key, Line, Texts } from "./values.js";

/** General data of a project. Dates are `yyyy-mm-dd`, moments are in UTC. */
export const ProjectHeader = Type.Object(
  {
    name: Type.Optional(Line),
    number: Type.Optional(Line),
    version: Type.Optional(Type.Integer({ minimum: 0 })),
    description: Type.Optional(Block),
    state: Type.Optional(
      Type.Enum([
        "Undefined",
        "InProgress",
        "Offered",
        "Ordered",
        "NotCommissioned",
        "ApprovalRequired",
        "WaitingForApproval",
        "ApprovalDenied",
        "Approved",
      ]),
    ),
    created: Type.Optional(IsoDateTime),
    lastModified: Type.Optional(IsoDateTime),
    projectDate: Type.Optional(IsoDate),
    validTo: Type.Optional(IsoDate),
    createdBy: Type.Optional(Line),
    modifiedBy: Type.Optional(Line),
    personInCharge: Type.Optional(Line),
    externalReferenceNumber: Type.Optional(Line),
    externalReferenceText: Type.Optional(Block),
    customerNumber: Type.Optional(Line),
    externalCustomerId: Type.Optional(Line),
    customerRemarks: Type.Optional(Block),
    company: Type.Optional(Line),
    generalAgreementNumber: Type.Optional(Line),
    keywords: Type.Optional(Type.Array(Line)),
    headerText: Type.Optional(Texts),
    footerText: Type.Optional(Texts),
  },
  closed,
);
/** General data of a project. Dates are `yyyy-mm-dd`, moments are in UTC. */
export type ProjectHeader = Static<typeof ProjectHeader>;

/** A tax type with its rates by category; `rateUnit` is "%" for percent of the value. */
export const TaxType = Type.Object(
  {
    id: Key,
    name: Type.Optional(Texts),
    rateUnit: Type.String({ maxLength: 20 }),
    categories: Type.Array(
      Type.Object({ id: Key, rate: Type.Optional(Decimal), name: Type.Optional(Texts) }, closed),
    ),
  },
  closed,
);
/** A tax type with its rates by category; `rateUnit` is "%" for percent of the value. */
export type TaxType = Static<typeof TaxType>;

/** Languages, currencies, taxes and rounding of a project. */
export const ProjectSettings = Type.Object(
  {
    /** Quote language first, then fallbacks. */
    languages: Type.Array(Type.String({ maxLength: 35 })),
    currency: Currency,
    referenceCurrency: Currency,
    /** Units of a currency per unit of the reference currency. */
    exchangeRates: Type.Record(Type.String(), Decimal),
    defaultPriceDate: Type.Optional(IsoDate),
    taxScheme: Type.Optional(
      Type.Object(
        { id: Key, name: Type.Optional(Line), taxTypes: Type.Array(TaxType), order: Type.Array(Key) },
        closed,
      ),
    ),
    /** `interval` is the smallest amount of money, such as "0.01". */
    rounding: Type.Object({ halfWay: Type.Enum(["even", "up"]), interval: Decimal }, closed),
    defaultScheme: Type.Optional(Key),
  },
  closed,
);
/**
 * Languages (best first), currencies, taxes and rounding of a project. `exchangeRates` are units of a currency per unit
 * of `referenceCurrency`.
 */
export type ProjectSettings = Static<typeof ProjectSettings>;
