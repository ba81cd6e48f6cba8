/** The section `eaiws` of the configuration: sessions for clients of EAIWS. */
import { Decimal, type Static, Type } from "@slipway/sdk";
import { live } from "./live.js";
import { Integer } from "./numbers.js";

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
    maximumUploads: Integer(
      [1, 1000],
      20,
      "Addresses for files of one session; beyond that the oldest one goes, with its file. Files go to /session-cache before they are loaded.",
    ),
    maximumUploadBytes: Integer(
      [1, Number.MAX_SAFE_INTEGER],
      200 * 1024 * 1024,
      "Bytes of all files at the addresses of one session; beyond that the oldest files go. A larger file is refused.",
    ),
    server: Type.Optional(
      Type.String({
        pattern: "^https?://[^/?#@\\s]+(/[^?#\\s]*)?$",
        description:
          'Address of an EAIWS server, to which its clients append "/EAI/Session". Sessions that are unknown here are taken from there; an internal address also has to be in `fetch.allowedInternalHosts`.',
      }),
    ),
    authorization: Type.Optional(
      Type.String({
        pattern: "^[\\x21-\\x7e]+( [\\x21-\\x7e]+)*$",
        maxLength: 8000,
        secret: true,
        description:
          'Value of the header Authorization for that server, such as "Bearer …"; sent to its origin only, and to no address that it redirects to.',
      }),
    ),
    maximumAge: Integer(
      [0, 86_400_000],
      0,
      "How old a copy of a session of that server may be, in milliseconds; with 0 each request asks whether it has changed.",
    ),
  },
  { ...live, additionalProperties: false, default: {} },
);
