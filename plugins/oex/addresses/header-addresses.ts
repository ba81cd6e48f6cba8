/** Addresses of a document's header (OEX reference, sections 16.2, 17 and 19). */
import { RequestError } from "@slipway/sdk";
import type { ExportContext } from "../context/export-context.js";
import type { AddressCode, OexAddress } from "../document/frames.js";
import { FieldRepairs } from "../repair/repairs.js";
import { addressCodes, addressFrame } from "./address-frame.js";
import { type ChosenAddresses, customerAddress } from "./chosen-addresses.js";
import { userContact } from "./contacts.js";

export type AddressContext = Pick<ExportContext, "project" | "configuration" | "format" | "repairs">;

/**
 * The addresses that can be written, in the order of the codes.
 * @throws {RequestError} 422 `project-address-missing` for a quotation without a valid address
 */
export function headerAddresses(chosen: ChosenAddresses, context: AddressContext): OexAddress[] {
  const { format, repairs } = context;
  const written = new Map<AddressCode, OexAddress>();
  for (const [type, code] of addressCodes) {
    const address = chosen.get(type);
    const frame = address && addressFrame(address, code, repairs);
    if (frame !== undefined) written.set(code, frame);
  }
  if (format.type === "QUOTES") addDueAddresses(written, context);
  setShipToCode(written, context);
  identifyUser(written, context);
  return addressCodes.flatMap(([, code]) => written.get(code) ?? []);
}

/** `useShipToCode`: the code becomes the number of the ship-to address. */
function setShipToCode(
  written: Map<AddressCode, OexAddress>,
  { configuration, repairs }: AddressContext,
): void {
  if (!configuration.useShipToCode) return;
  const fields = new FieldRepairs(repairs, "config.");
  const code = fields.line("shipToCode", configuration.shipToCode);
  const address = written.get("SH");
  if (code !== undefined && address !== undefined) written.set("SH", { ...address, number: code });
  else if (code === undefined) fields.report("shipToCode", "", "not written: there is no value");
  else fields.report("shipToCode", code, "not written: there is no ship-to address");
}

/** `identicateUser`: the user becomes a contact of the sold-to address. */
function identifyUser(
  written: Map<AddressCode, OexAddress>,
  { configuration, repairs }: AddressContext,
): void {
  if (!configuration.identicateUser) return;
  const fields = new FieldRepairs(repairs, "config.");
  const name = configuration.projectUserName;
  const user = userContact("projectUserName", name, fields);
  const address = written.get("SO");
  if (user !== undefined && address !== undefined) {
    written.set("SO", { ...address, contacts: [...address.contacts, user] });
  } else if (user === undefined)
    fields.report("projectUserName", name ?? "", "not written: there is no value");
  else fields.report("projectUserName", name ?? "", "not written: there is no sold-to address");
}

/** A quotation needs an address, and in version 2.3 a ship-to address. */
function addDueAddresses(written: Map<AddressCode, OexAddress>, context: AddressContext): void {
  const { project, format, repairs } = context;
  const customer = written.size === 0 ? customerAddress(project) : undefined;
  const frame = customer && addressFrame(customer, "SO", repairs);
  if (customer !== undefined && frame !== undefined) {
    written.set("SO", frame);
    repairs.report({ field: customer.path, value: "SoldTo", change: "written, because no other address is" });
  }
  const [first] = [...written.values()];
  if (first === undefined) throw noAddress();
  if (format.version !== "2.3" || written.has("SH")) return;
  const repeated = written.get("SO") ?? first;
  written.set("SH", { ...repeated, type: "SH" });
  const change = `written as the ship-to address, because there is none and OEX ${format.version} demands it`;
  repairs.report({ field: "addresses", value: repeated.names.join(" "), change });
}

function noAddress(): RequestError {
  return new RequestError({
    id: "project-address-missing",
    code: 422,
    message:
      "A quotation needs a complete address: name1, street, countryCode, postalCode and location. Complete one in the project or in `config.addresses`.",
    additionalInformation: { due: ["name1", "street", "countryCode", "postalCode", "location"] },
  });
}
