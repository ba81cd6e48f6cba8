/** Tax schemes: that of the project, those that the host's admin has listed, and one without taxes. */
import {
  badRequest,
  chooseText,
  type ProjectDocument,
  present,
  type Static,
  shownValue,
  type Texts,
  Type,
} from "@slipway/sdk";
import type { TaxSchemes } from "../configuration/eaiws-configuration.js";
import { attribute } from "../soap/soap.js";
import { closed } from "./soap-operation.js";

type Scheme = NonNullable<ProjectDocument["settings"]["taxScheme"]>;

const Attribute = Type.Optional(Type.String(attribute));

export const TaxSchemeDescription = Type.Object(
  { variantName: Type.Optional(Type.String()), country: Attribute, identifier: Type.String(attribute) },
  closed,
);

export const WireTaxScheme = Type.Object(
  {
    variantName: Type.Optional(Type.String()),
    taxTypes: Type.Array(
      Type.Object(
        {
          abbreviation: Type.String(),
          name: Type.String(),
          taxCategories: Type.Array(
            Type.Object(
              {
                name: Type.String(),
                identifier: Type.String(attribute),
                rate: Attribute,
                rateReadOnly: Type.Boolean(attribute),
              },
              closed,
            ),
          ),
          identifier: Type.String(attribute),
          rateUnit: Type.String(attribute),
        },
        closed,
      ),
    ),
    orderedTaxes: Type.Array(
      Type.Object({ order: Type.Integer(attribute), typeId: Type.String(attribute) }, closed),
    ),
    country: Attribute,
    currency: Attribute,
    identifier: Type.String(attribute),
  },
  closed,
);

/** The scheme of projects without taxes: clients choose it where they know no country. */
const withoutTaxes: Scheme = { id: "ZZ", taxTypes: [], order: [] };

/** The schemes that a project may have; `active`: only its own. */
export function schemesOf(
  { settings: { taxScheme } }: ProjectDocument,
  configured: TaxSchemes,
  active: boolean,
): Scheme[] {
  const own = taxScheme === undefined ? [] : [taxScheme];
  if (active) return own;
  const others = [...Object.entries(configured).map(([id, taxes]) => scheme(id, taxes)), withoutTaxes];
  return [...own, ...others.filter(({ id }) => id !== taxScheme?.id)];
}

function scheme(id: string, taxes: TaxSchemes[string]): Scheme {
  const taxTypes = Object.entries(taxes).map(([type, categories]) => ({
    id: type,
    rateUnit: "%",
    categories: Object.entries(categories).map(([category, rate]) => ({ id: category, rate })),
  }));
  return { id, taxTypes, order: taxTypes.map((type) => type.id) };
}

/** The scheme with an id. 400 `request-bad-request` lists all ids. */
export function schemeNamed(project: ProjectDocument, configured: TaxSchemes, id: string): Scheme {
  const all = schemesOf(project, configured, false);
  const found = all.find((each) => each.id === id);
  if (found !== undefined) return found;
  const expected = `one of ${all.map((each) => each.id).join(", ")}; the setting eaiws.taxSchemes adds others`;
  throw badRequest("There is no such tax scheme", [{ path: "schemeId", expected, received: shownValue(id) }]);
}

export function schemeDescription({ id, name }: Scheme): Static<typeof TaxSchemeDescription> {
  return present({ variantName: name, country: countryOf(id), identifier: id });
}

export function wireTaxScheme(
  { id, name, taxTypes, order }: Scheme,
  currency: string,
  languages: readonly string[],
): Static<typeof WireTaxScheme> {
  const named = (texts: Texts | undefined, otherwise: string) =>
    chooseText(texts, languages).value || otherwise;
  return present({
    variantName: name,
    taxTypes: taxTypes.map((type) => ({
      abbreviation: type.id,
      name: named(type.name, type.id),
      taxCategories: type.categories.map((category) =>
        present({
          name: named(category.name, category.id),
          identifier: category.id,
          rate: category.rate,
          rateReadOnly: true,
        }),
      ),
      identifier: type.id,
      rateUnit: type.rateUnit,
    })),
    orderedTaxes: order.map((typeId, index) => ({ order: index + 1, typeId })),
    country: countryOf(id),
    currency,
    identifier: id,
  });
}

/** Ids of schemes are codes of countries, except ZZ. */
function countryOf(id: string): string | undefined {
  return /^[A-Z]{2}$/.test(id) && id !== "ZZ" ? id : undefined;
}
