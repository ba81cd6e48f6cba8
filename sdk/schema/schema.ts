import { Type } from "typebox";

export { type Static, type TSchema, Type } from "typebox";

/** A UUID: five groups of hexadecimal digits. */
export const Uuid = Type.String({ format: "uuid" });

/** The id of an open session. */
export const SessionId = Type.String({ format: "uuid", description: "Current session." });

/** An exact decimal number as text, such as "1052.40"; never binary floating point, at most 40 characters. */
export const Decimal = Type.String({ pattern: "^-?[0-9]{1,20}(\\.[0-9]{1,18})?$", maxLength: 40 });

/** A calendar day, `yyyy-mm-dd`. */
export const IsoDate = Type.String({ format: "date" });

/** A moment with its offset, `yyyy-mm-ddThh:mm:ssZ`. */
export const IsoDateTime = Type.String({ format: "date-time" });
