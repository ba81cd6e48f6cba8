/** First folder of the demo project: the open workspace. */
import type { FolderItem, SetArticleItem, TextItem } from "@slipway/sdk";
import { article } from "./demo-article.js";
import { externalItemNumber } from "./demo-columns.js";
import { demoId, feature, inBoth } from "./demo-texts.js";

const oakTop = feature(
  ["TOP", "OAK"],
  ["Table top", "Oak, natural oil"],
  ["Tischplatte", "Eiche, natur geölt"],
);
const graphiteFrame = feature(["FRAME", "GR"], ["Frame", "Graphite"], ["Gestell", "Graphit"]);

const notice: TextItem = {
  type: "text",
  id: demoId("item/notice"),
  text: inBoth(
    "All workplaces: natural oak and graphite, matched to the existing floor.",
    "Alle Arbeitsplätze: Eiche natur und Graphit, passend zum vorhandenen Boden.",
  ),
};

const desk = article({
  key: "desk",
  series: "LINE",
  numbers: ["LN-D16", "LN-D16-OAK-GR"],
  picture: "sitStandDesk",
  name: ["Sit-stand desk 160 x 80", "Steh-Sitz-Tisch 160 x 80"],
  text: [
    "Two electric columns, 640 to 1290 mm\nMemory for four heights, collision sensor",
    "Zwei elektrische Hubsäulen, 640 bis 1290 mm\nSpeicher für vier Höhen, Kollisionssensor",
  ],
  features: [
    oakTop,
    graphiteFrame,
    feature(["HANDSET", "MEM4"], ["Handset", "Memory, four heights"], ["Bedienung", "Speicher, vier Höhen"]),
  ],
  price: "789.00",
  purchasePrice: "434.00",
  variantPrices: [
    { name: ["Solid oak top", "Platte Eiche massiv"], price: "146.00", purchasePrice: "80.30" },
    { name: ["Memory handset", "Bedienung mit Speicher"], price: "38.50", purchasePrice: "21.20" },
  ],
  volume: "0.19",
  weight: "46.5",
});

const pedestal = article({
  key: "pedestal",
  series: "KANT",
  numbers: ["KT-P43", "KT-P43-WH"],
  picture: "pedestal",
  name: ["Mobile pedestal with seat pad", "Rollcontainer mit Sitzkissen"],
  text: ["Three drawers, central lock, soft close", "Drei Schubladen, Zentralverschluss, Dämpfung"],
  features: [
    feature(["BODY", "WH"], ["Body", "White"], ["Korpus", "Weiß"]),
    feature(["PAD", "PT"], ["Seat pad", "Felt, petrol"], ["Sitzkissen", "Filz, petrol"]),
  ],
  price: "312.00",
  purchasePrice: "171.60",
  variantPrices: [{ name: ["Seat pad", "Sitzkissen"], price: "46.00", purchasePrice: "25.30" }],
  volume: "0.14",
  weight: "27",
});

const monitorArm = article({
  key: "monitor-arm",
  series: "LINE",
  numbers: ["LN-MA1", "LN-MA1-GR"],
  picture: "monitorArm",
  name: ["Monitor arm", "Monitorarm"],
  text: ["Gas spring, 2 to 9 kg, clamp mounting", "Gasfeder, 2 bis 9 kg, Klemmbefestigung"],
  features: [graphiteFrame],
  price: "168.00",
  purchasePrice: "92.40",
  volume: "0.02",
  weight: "3.1",
});

const screen = article({
  key: "desk-screen",
  series: "STIL",
  numbers: ["ST-S160", "ST-S160-SG"],
  picture: "deskScreen",
  name: ["Desk screen 160", "Tischpaneel 160"],
  text: ["Recycled felt, pinnable on both sides", "Recycelter Filz, beidseitig pinnbar"],
  features: [feature(["FELT", "SG"], ["Felt", "Sage"], ["Filz", "Salbei"])],
  price: "192.00",
  purchasePrice: "110.22",
  volume: "0.05",
  weight: "4.8",
});

const workplace: SetArticleItem = {
  type: "setArticle",
  id: demoId("item/workplace"),
  articleNumber: "SET-WP-160",
  quantity: { value: "6", unit: "C62" },
  userDescription: {
    shortText: inBoth("Workplace, complete", "Arbeitsplatz, komplett"),
    longText: inBoth(
      "Sit-stand desk, pedestal, monitor arm and screen, assembled and cabled",
      "Steh-Sitz-Tisch, Rollcontainer, Monitorarm und Paneel, montiert und verkabelt",
    ),
  },
  collapsed: false,
  children: [desk, pedestal, monitorArm, screen].map((part) => ({
    ...part,
    setArticleId: demoId("item/workplace"),
  })),
};

const taskChair = article(
  {
    key: "task-chair",
    series: "ARO",
    numbers: ["AR-200", "AR-200-PT-4D"],
    quantity: 6,
    picture: "taskChair",
    name: ["Task chair Aro, upholstered back", "Drehstuhl Aro, Polsterrücken"],
    text: [
      "Synchronous mechanism, seat depth and weight adjustment\nTested to EN 1335",
      "Synchronmechanik, Sitztiefen- und Gewichtseinstellung\nGeprüft nach EN 1335",
    ],
    features: [
      feature(["FABRIC", "PT"], ["Cover", "Wool blend, petrol"], ["Bezug", "Wollmischung, petrol"]),
      feature(["ARMS", "4D"], ["Armrests", "4D, soft pads"], ["Armlehnen", "4D, weiche Auflage"]),
      feature(["CASTORS", "H"], ["Castors", "For hard floors"], ["Rollen", "Für harte Böden"]),
    ],
    price: "498.00",
    purchasePrice: "268.90",
    variantPrices: [
      { name: ["Cover group 3", "Bezugsgruppe 3"], price: "84.00", purchasePrice: "45.40" },
      { name: ["4D armrests", "4D-Armlehnen"], price: "62.50", purchasePrice: "33.80" },
    ],
    volume: "0.31",
    weight: "17.2",
  },
  {
    fields: { [externalItemNumber]: "A-07" },
    customTexts: [
      {
        id: "@add",
        visible: true,
        text: inBoth(
          "Trial chair at your office from 1 December.",
          "Probestuhl in Ihrem Büro ab dem 1. Dezember.",
        ),
      },
    ],
  },
);

const meshChair = article(
  {
    key: "mesh-chair",
    series: "ARO",
    numbers: ["AR-240", "AR-240-GR"],
    quantity: 6,
    picture: "meshChair",
    name: ["Task chair Aro, mesh back", "Drehstuhl Aro, Netzrücken"],
    text: [
      "As before, with breathable back and lumbar support",
      "Wie zuvor, mit luftigem Rücken und Lordosenstütze",
    ],
    features: [feature(["MESH", "GR"], ["Mesh", "Graphite"], ["Netz", "Graphit"])],
    price: "459.00",
    purchasePrice: "247.80",
    volume: "0.31",
    weight: "15.9",
  },
  { inactive: [{ kind: "alternative" }] },
);

const sideboard = article(
  {
    key: "sideboard",
    series: "KANT",
    numbers: ["KT-S180", "KT-S180-OAK"],
    quantity: 4,
    picture: "sideboard",
    name: ["Sideboard with sliding doors, 2 OH", "Sideboard mit Schiebetüren, 2 OH"],
    text: ["180 x 45 x 78 cm, two shelves, lockable", "180 x 45 x 78 cm, zwei Böden, abschließbar"],
    features: [
      feature(["FRONT", "OAK"], ["Front", "Oak, natural"], ["Front", "Eiche, natur"]),
      feature(["BASE", "SK"], ["Base", "Steel runners"], ["Untergestell", "Stahlkufen"]),
    ],
    price: "685.00",
    purchasePrice: "376.75",
    variantPrices: [{ name: ["Oak front", "Front Eiche"], price: "128.00", purchasePrice: "70.40" }],
    volume: "0.72",
    weight: "68",
  },
  {
    customTexts: [
      {
        id: "71",
        visible: true,
        text: inBoth("Doors with cable cut-outs, 60 mm", "Türen mit Kabelauslässen, 60 mm"),
      },
    ],
  },
);

const taskLight = article(
  {
    key: "task-light",
    series: "LYSA",
    numbers: ["LY-T10", "LY-T10-GR"],
    quantity: 6,
    picture: "taskLight",
    name: ["Task light Lysa", "Arbeitsplatzleuchte Lysa"],
    text: ["LED 9 W, 2700 to 4000 K, dimmable", "LED 9 W, 2700 bis 4000 K, dimmbar"],
    features: [graphiteFrame],
    price: "168.00",
    purchasePrice: "92.89",
    volume: "0.03",
    weight: "2.4",
  },
  { inactive: [{ kind: "optional" }] },
);

export const workspace: FolderItem = {
  type: "folder",
  id: demoId("item/workspace"),
  name: inBoth("Open workspace", "Arbeitsbereich"),
  showSubTotal: true,
  children: [notice, workplace, taskChair, meshChair, sideboard, taskLight],
};
