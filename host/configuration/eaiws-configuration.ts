/** The section `eaiws` of the configuration: sessions for clients of EAIWS. */
import { Decimal, type Static, Type } from "@slipway/sdk";
import { live } from "./live.js";

const TaxSchemes = Type.Record(
  Type.String({ minLength: 1, maxLength: 200 }),
  Type.Record(
    Type.String({ minLength: 1, maxLength: 200 }),
    Type.Record(Type.String({ minLength: 1, maxLength: 200 }), Decimal),
  ),
  {
    default: {},
    description:
      'Tax schemes that clients may select, by id: rates in percent by tax type and category, such as `{"DE": {"VAT": {"standard_rate": "19", "reduced_rate": "7"}}}`.',
  },
);
export type TaxSchemes = Static<typeof TaxSchemes>;

export const EaiwsConfiguration = Type.Object(
  {
    sessions: Type.Boolean({
      default: true,
      description:
        "Serves sessions at /EAIWS/EAI too, as the session service of EAIWS, with the same keys and limits as at /api/sessions.",
    }),
    taxSchemes: TaxSchemes,
  },
  { ...live, additionalProperties: false, default: {} },
);
