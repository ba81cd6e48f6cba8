/** Addresses and contacts. */
import { type Static, Type } from "../schema/schema.js";
import { closed, Line } from "./values.js";

/** A telephone number, e-mail address or web address. */
export const CommAddress = Type.Object(
  {
    value: Line,
    type: Type.Enum(["Phone", "Fax", "Mobile", "WWW", "EMail"]),
    scope: Type.Enum(["Business", "Private"]),
  },
  closed,
);
/** A telephone number, e-mail address or web address. */
export type CommAddress = Static<typeof CommAddress>;

/**
 * The role of an address: "SoldTo" is the buyer, "ShipTo" the delivery address, "BillTo" the recipient of the invoice.
 */
export const AddressType = Type.Enum([
  "SoldTo",
  "ShipTo",
  "BillTo",
  "Payer",
  "Carrier",
  "Supplier",
  "EndUser",
  "InstallationCompany",
  "InstallationLocation",
  "Branch",
  "InCharge",
]);
/** The role of an address, such as "SoldTo". */
export type AddressType = Static<typeof AddressType>;

/** An address of the project; at most one per type. Refers to contacts by id. */
export const Address = Type.Object(
  {
    addressType: AddressType,
    addressNumber: Type.Optional(Line),
    addressId: Type.Optional(Line),
    title: Type.Optional(Line),
    name1: Type.Optional(Line),
    name2: Type.Optional(Line),
    name3: Type.Optional(Line),
    name4: Type.Optional(Line),
    street: Type.Optional(Line),
    street2: Type.Optional(Line),
    countryCode: Type.Optional(Line),
    postalCode: Type.Optional(Line),
    location: Type.Optional(Line),
    district: Type.Optional(Line),
    regionCode: Type.Optional(Line),
    poBox: Type.Optional(Line),
    taxCode: Type.Optional(Line),
    taxCodeEU: Type.Optional(Line),
    taxCodeUSA: Type.Optional(Line),
    commAddresses: Type.Optional(Type.Array(CommAddress)),
    contactIds: Type.Optional(Type.Array(Type.Integer())),
  },
  closed,
);
/** An address of the project; at most one per `addressType`. `countryCode` is ISO 3166, `contactIds` refer to `contacts`. */
export type Address = Static<typeof Address>;

/** A person that addresses refer to by `id`. */
export const Contact = Type.Object(
  {
    id: Type.Integer(),
    contactType: Type.Optional(
      Type.Enum(["Sale", "Warehouse", "Installer", "Support", "Employee", "Client"]),
    ),
    contactNumber: Type.Optional(Line),
    title: Type.Optional(Line),
    firstName: Type.Optional(Line),
    lastName: Type.Optional(Line),
    commAddresses: Type.Optional(Type.Array(CommAddress)),
  },
  closed,
);
/** A person that addresses refer to by `id`. */
export type Contact = Static<typeof Contact>;
