/** Codes that formats of general trade allow. */

/** ISO 3166-1 codes of two capitals. */
const countries = new Set(
  (
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
    "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR " +
    "GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP " +
    "KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT " +
    "MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW " +
    "SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ " +
    "UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"
  ).split(" "),
);

export function isCountry(code: string): boolean {
  return countries.has(code);
}

/** Electronic address schemes (Peppol code list EAS) of value added tax numbers, by the prefix of the number. */
const vatSchemes: ReadonlyMap<string, string> = new Map(
  (
    "AD9922 AL9923 AT9914 BA9924 BE9925 BG9926 CH9927 CY9928 CZ9929 DE9930 EE9931 EL9933 ES9920 FI0213 FR9957 GB9932 " +
    "GR9933 HR9934 HU9910 IE9935 IT0211 LI9936 LT9937 LU9938 LV9939 MC9940 ME9941 MK9942 MT9943 NL9944 PL9945 PT9946 " +
    "RO9947 RS9948 SI9949 SK9950 SM9951 TR9952 VA9953"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, 2), entry.slice(2)]),
);

/**
 * A value added tax number with the prefix of its country, in capitals without blanks and signs; undefined if it has no such
 * prefix. Greece uses "EL".
 */
export function prefixedVatNumber(number: string): string | undefined {
  const compact = number.toUpperCase().replace(/[^0-9A-Z]/g, "");
  const prefix = compact.slice(0, 2);
  return (isCountry(prefix) || prefix === "EL") && compact.length > 4 ? compact : undefined;
}

/** The scheme in which such a number is an electronic address; undefined if its country has none. */
export function vatScheme(prefixedNumber: string): string | undefined {
  return vatSchemes.get(prefixedNumber.slice(0, 2));
}

/** Code lists of product classes (UNCL 7143), by the system without its version. */
const classificationLists: ReadonlyMap<string, string> = new Map([["UNSPSC", "TST"]]);

/** Mutually defined: the version of the list names the system. */
const undefinedList = "ZZZ";

/** A class of a system such as "ECLASS-11.0", as a code of a list. */
export function classification({ system, value }: { system: string; value: string }) {
  const [name = "", ...version] = system.split("-");
  const listID = classificationLists.get(name);
  if (listID === undefined) return { value, listID: undefinedList, listVersionID: system };
  return { value, listID, listVersionID: version.length === 0 ? undefined : version.join("-") };
}
