import { Type } from "@slipway/sdk";
import { live } from "./live.js";

export const AuditConfiguration = Type.Object(
  {
    required: Type.Boolean({
      default: true,
      description: "Refuses changes of plugins while the audit trail cannot be written.",
      ...live,
    }),
    bytes: Type.Integer({
      minimum: 10_000,
      maximum: 1_000_000_000,
      default: 10 * 1024 * 1024,
      description: "Bytes of one file of the audit trail.",
    }),
    files: Type.Integer({
      minimum: 2,
      maximum: 1000,
      default: 5,
      description: "Files of the audit trail that are kept; the oldest goes when a new one is begun.",
    }),
  },
  { additionalProperties: false },
);
