/** Receivers know the format by these exact identifiers. */
export const customization = "urn:fdc:peppol.eu:poacc:trns:order:3";
export const profile = "urn:fdc:peppol.eu:poacc:bis:order_only:3";

/** UNCL 1001: order. */
export const orderTypeCode = "220";
