import { classification } from "../trade/trade-codes.js";
import type { Measure, TradeLine } from "../trade/trade-order.js";
import { optional, wrapped, type XmlElement } from "../writing/values.js";
import type { OrderXOptions } from "./order-x-party.js";
import { allowance, tradeTax } from "./order-x-settlement.js";

/** A line (`IncludedSupplyChainTradeLineItem`). */
export function orderXLine(
  line: TradeLine,
  partialDelivery: boolean | undefined,
  options: OrderXOptions,
): XmlElement {
  return [
    "ram:IncludedSupplyChainTradeLineItem",
    [
      [
        "ram:AssociatedDocumentLineDocument",
        [
          ["ram:LineID", line.id],
          ...line.notes.map((note) => wrapped("ram:IncludedNote", "ram:Content", note)),
        ],
      ],
      product(line, options),
      ["ram:SpecifiedLineTradeAgreement", prices(line)],
      [
        "ram:SpecifiedLineTradeDelivery",
        [
          wrapped("ram:PartialDeliveryAllowedIndicator", "udt:Indicator", partialDelivery?.toString()),
          ["ram:RequestedQuantity", line.quantity, { unitCode: line.unit }],
        ],
      ],
      [
        "ram:SpecifiedLineTradeSettlement",
        [
          tradeTax("ram:ApplicableTradeTax", line.tax),
          wrapped(
            "ram:SpecifiedTradeSettlementLineMonetarySummation",
            "ram:LineTotalAmount",
            line.price.total,
          ),
        ],
      ],
    ],
  ];
}

/** Only the profile EXTENDED has elements for series and base article number; in others they are characteristics. */
function product(line: TradeLine, { profile, omissions }: OrderXOptions): XmlElement {
  const isExtended = profile === "EXTENDED";
  const baseNumber = line.baseNumber === line.sellerNumber ? undefined : line.baseNumber;
  if (line.variantCode === undefined && line.properties.some(({ valueCode }) => valueCode !== undefined))
    omissions.add("the symbols of values, of articles without a variant code");
  return [
    "ram:SpecifiedTradeProduct",
    [
      ["ram:SellerAssignedID", line.sellerNumber],
      optional("ram:BuyerAssignedID", line.buyerNumber),
      optional("ram:ModelID", isExtended ? baseNumber : undefined),
      ["ram:Name", line.name],
      optional("ram:Description", line.description),
      optional("ram:BrandName", line.brand),
      optional("ram:ModelName", isExtended ? line.series : undefined),
      ...line.properties.map(({ code, name, value }) => characteristic(code, name, value)),
      characteristic("OVC", "OFML variant code", line.variantCode),
      characteristic("BASE", "Base article number", isExtended ? undefined : baseNumber),
      characteristic("SERIES", "Series", isExtended ? undefined : line.series),
      ...line.classifications.map((given) => {
        const { value, ...list } = classification(given);
        return wrapped("ram:DesignatedProductClassification", "ram:ClassCode", value, list);
      }),
      packaging(line.packaging),
    ],
  ];
}

function characteristic(code: string, name: string, value: string | undefined): XmlElement {
  if (value === undefined) return undefined;
  return [
    "ram:ApplicableProductCharacteristic",
    [
      ["ram:TypeCode", code],
      ["ram:Description", name],
      ["ram:Value", value],
    ],
  ];
}

function packaging(sizes: TradeLine["packaging"]): XmlElement {
  if (sizes === undefined) return undefined;
  const measure = (name: string, size: Measure | undefined): XmlElement =>
    size && [name, size.value, { unitCode: size.unit }];
  return [
    "ram:ApplicableSupplyChainPackaging",
    [
      [
        "ram:LinearSpatialDimension",
        [
          measure("ram:WidthMeasure", sizes.width),
          measure("ram:LengthMeasure", sizes.length),
          measure("ram:HeightMeasure", sizes.height),
        ],
      ],
    ],
  ];
}

function prices({ price, unit }: TradeLine): XmlElement[] {
  const { gross } = price;
  const amount = (value: string, basis: string | undefined): XmlElement[] => [
    ["ram:ChargeAmount", value],
    optional("ram:BasisQuantity", basis, { unitCode: unit }),
  ];
  return [
    gross && [
      "ram:GrossPriceProductTradePrice",
      [
        ...amount(gross.amount, gross.basis),
        ...gross.changes.map((change) => allowance("ram:AppliedTradeAllowanceCharge", change)),
      ],
    ],
    ["ram:NetPriceProductTradePrice", amount(price.net, price.basis)],
  ];
}
