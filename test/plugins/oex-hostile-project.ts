/** A project with everything that breaks careless exports, and what has to be reported of it. */
import { article, id, type Json, project } from "./reporter-client.js";

export const family = "👩‍👩‍👧";
/** Ends a CDATA section, looks like an entity, and has characters that XML forbids. */
export const sharpText = `]]> <![CDATA[ &lt; & <b> "q" \u0000\u0008\u001f\uffff\ud800 end`;
/** What is left of it in a document. */
export const sharpLine = `]]> <![CDATA[ &lt; & <b> "q"  end`;
/** A character of several code points where a line has to end. */
export const longText = `${"x".repeat(78)}${family}${" word".repeat(2000)}`;
export const directions = "\u202eright\u202c to \u200fleft\u200e";

function texts(value: string): Json[] {
  return [{ lang: "en", value }];
}

/** With one address in which every field needs a repair. */
export function hostileProject(): Json {
  return project(
    [
      article(1, "10.00", {
        productDescription: { shortText: texts(sharpText), longText: texts(longText) },
        features: [
          {
            name: "F",
            value: "V",
            nameText: texts("n".repeat(200)),
            valueText: texts(sharpText),
            visible: true,
          },
        ],
        customTexts: [{ id: "@add", visible: true, text: texts("\u0001\n\n") }],
      }),
      article(2, "10.00", { quantity: { value: "0.0005", unit: "furlong" } }),
      article(3, "10.00", { quantity: { value: "-1", unit: "C62" }, children: [article(4, "5.00")] }),
      { type: "userArticle", id: id(5), quantity: { value: "2", unit: "C62" }, productPrices: [] },
      article(6, "0.005", {
        ...{ manufacturerId: "ab-cde", seriesId: "!", baseArticleNumber: sharpText },
        productDescription: { shortText: texts(directions) },
      }),
      {
        type: "folder",
        id: id(7),
        name: texts(`${"f".repeat(300)}\u0007`),
        children: [article(8, "1000000000000.00", { productDescription: { shortText: texts(longText) } })],
      },
    ],
    { addresses: [hostileAddress()], header: { number: `N/${"9".repeat(50)}\u0002`, name: sharpText } },
  );
}

function hostileAddress(): Json {
  return {
    addressType: "SoldTo",
    addressNumber: "1\u00012",
    addressId: "1".repeat(21),
    name1: "Long name ".repeat(20).trim(),
    street: `${"s".repeat(34)}${family}`,
    countryCode: "gb",
    postalCode: "sw1a 1aa",
    location: "l".repeat(200),
    regionCode: "much too long",
    commAddresses: [
      { type: "Phone", scope: "Business", value: "1" },
      { type: "Phone", scope: "Business", value: "2" },
    ],
  };
}

/** Item (undefined: the request), field and begin of the value of each repair of an order. */
export const expectedRepairs: readonly (readonly [item: string | undefined, field: string, value: string])[] =
  [
    [id(2), "quantity", "0.0005"],
    [undefined, "project.header.number", `N/${"9".repeat(50)}\u0002`],
    [undefined, "config.vendorNo", ""],
    [undefined, "project.addresses[0].name1", "Long name Long name"],
    [undefined, "project.addresses[0].street", `${"s".repeat(34)}${family}`],
    [undefined, "project.addresses[0].countryCode", "gb"],
    [undefined, "project.addresses[0].postalCode", "sw1a 1aa"],
    [undefined, "project.addresses[0].location", "lll"],
    [undefined, "project.addresses[0].addressNumber", "1\u00012"],
    [undefined, "project.addresses[0].addressId", "1".repeat(21)],
    [undefined, "project.addresses[0].regionCode", "much too long"],
    [undefined, "project.addresses[0].commAddresses[1].value", "2"],
    [id(1), "features.F.nameText", "nnn"],
    [id(1), "features.F.valueText", sharpText],
    [id(1), "shortText", sharpText],
    [id(1), "customTexts.@add", "\u0001"],
    [id(2), "quantity.unit", "furlong"],
    [id(5), "articleNumber", ""],
    [id(5), "manufacturerId", ""],
    [id(5), "seriesId", ""],
    [id(6), "baseArticleNumber", sharpText],
    [id(6), "manufacturerId", "ab-cde"],
    [id(7), "name", "fff"],
    [id(8), "shortText", "xxx"],
  ];
