/** Second folder of the demo project: conference room and lounge. */
import type { ArticleItem, FolderItem } from "@slipway/sdk";
import { article } from "./demo-article.js";
import { externalItemNumber, firstAdditionalImage } from "./demo-columns.js";
import { demoId, feature, inBoth, pictureUri } from "./demo-texts.js";

const oak = feature(["TOP", "OAK"], ["Surface", "Oak, natural oil"], ["Oberfläche", "Eiche, natur geölt"]);
const graphite = feature(["FRAME", "GR"], ["Frame", "Graphite"], ["Gestell", "Graphit"]);

const tableParts: ArticleItem[] = [
  article({
    key: "table-top",
    series: "FORU",
    numbers: ["FO-T180", "FO-T180-OAK"],
    quantity: 2,
    picture: "tableTop",
    name: ["Table top half 180 x 120", "Plattenhälfte 180 x 120"],
    text: ["30 mm, bevelled edge", "30 mm, Kante gefast"],
    features: [oak],
    price: "640.00",
    purchasePrice: "352.00",
    volume: "0.1",
    weight: "38",
  }),
  article({
    key: "power-module",
    series: "FORU",
    numbers: ["FO-E2", "FO-E2-GR"],
    quantity: 2,
    picture: "powerModule",
    name: ["Power module, flush", "Strommodul, flächenbündig"],
    text: ["2 x 230 V, 2 x USB-C, 1 x network", "2 x 230 V, 2 x USB-C, 1 x Netzwerk"],
    price: "214.00",
    purchasePrice: "117.70",
    volume: "0.01",
    weight: "1.6",
  }),
];

const conferenceTable = article(
  {
    key: "conference-table",
    series: "FORU",
    numbers: ["FO-360", "FO-360-OAK-GR"],
    picture: "conferenceTable",
    name: ["Conference table Forum 360 x 120", "Konferenztisch Forum 360 x 120"],
    text: [
      "For twelve people, trestle frame with cable well\nTop and power modules below",
      "Für zwölf Personen, Bockgestell mit Kabelkanal\nPlatte und Strommodule nachfolgend",
    ],
    features: [oak, graphite],
    price: "1180.00",
    purchasePrice: "649.00",
    variantPrices: [{ name: ["Cable well", "Kabelkanal"], price: "95.00", purchasePrice: "52.25" }],
    volume: "0.22",
    weight: "54",
  },
  {
    articleKind: "aggregate",
    fields: { [externalItemNumber]: "M-01", [firstAdditionalImage]: pictureUri("powerModule") },
    children: tableParts.map((part) => ({ ...part, mainArticleId: demoId("item/conference-table") })),
  },
);

const conferenceChair = article({
  key: "conference-chair",
  series: "ARO",
  numbers: ["AR-500", "AR-500-SG"],
  quantity: 12,
  picture: "conferenceChair",
  name: ["Conference chair Aro, cantilever", "Konferenzstuhl Aro, Freischwinger"],
  text: ["Fully upholstered, stackable, oak armrests", "Vollpolster, stapelbar, Armlehnen Eiche"],
  features: [feature(["FABRIC", "SG"], ["Cover", "Wool blend, sage"], ["Bezug", "Wollmischung, salbei"])],
  price: "372.00",
  purchasePrice: "200.90",
  variantPrices: [{ name: ["Oak armrests", "Armlehnen Eiche"], price: "44.00", purchasePrice: "23.80" }],
  volume: "0.2",
  weight: "9.4",
});

const sofa = article({
  key: "sofa",
  series: "MIRA",
  numbers: ["MI-2H", "MI-2H-MU"],
  picture: "sofa",
  name: ["Two-seat sofa Mira", "Zweisitzer Mira"],
  text: ["Cold foam on a beech frame, removable covers", "Kaltschaum auf Buchengestell, Bezüge abnehmbar"],
  features: [feature(["FABRIC", "MU"], ["Cover", "Bouclé, mustard"], ["Bezug", "Bouclé, senf"])],
  price: "1745.00",
  purchasePrice: "942.30",
  volume: "1.3",
  weight: "52",
});

const sideTable = article({
  key: "side-table",
  series: "MIRA",
  numbers: ["MI-T60", "MI-T60-OAK"],
  quantity: 2,
  picture: "sideTable",
  name: ["Side table Mira, 60 cm", "Beistelltisch Mira, 60 cm"],
  text: ["Round, 52 cm high", "Rund, 52 cm hoch"],
  features: [oak],
  price: "286.00",
  purchasePrice: "154.40",
  volume: "0.12",
  weight: "9",
});

const acousticPanel = article({
  key: "acoustic-panel",
  series: "STIL",
  numbers: ["ST-W120", "ST-W120-PT"],
  quantity: 8,
  picture: "acousticPanel",
  name: ["Acoustic wall panel Stilla 120 x 120", "Akustik-Wandpaneel Stilla 120 x 120"],
  text: ["Felt relief, absorption class A (ISO 11654)", "Filzrelief, Absorberklasse A (ISO 11654)"],
  features: [feature(["FELT", "PT"], ["Felt", "Petrol, four tones"], ["Filz", "Petrol, vier Töne"])],
  price: "288.00",
  purchasePrice: "162.67",
  volume: "0.09",
  weight: "7.5",
});

const phoneBooth = article(
  {
    key: "phone-booth",
    series: "STIL",
    numbers: ["ST-B1", "ST-B1-GR-SG"],
    picture: "phoneBooth",
    name: ["Phone booth Stilla, one person", "Telefonkabine Stilla, eine Person"],
    text: [
      "Speech level reduction 30 dB (ISO 23351-1)\nVentilation, light and socket included",
      "Sprachpegelminderung 30 dB (ISO 23351-1)\nLüftung, Licht und Steckdose enthalten",
    ],
    features: [
      feature(["SHELL", "GR"], ["Shell", "Graphite"], ["Außen", "Graphit"]),
      feature(["FELT", "SG"], ["Interior", "Felt, sage"], ["Innen", "Filz, salbei"]),
    ],
    price: "5560.00",
    purchasePrice: "3280.00",
    volume: "2.4",
    weight: "310",
  },
  { inactive: [{ kind: "optional" }] },
);

export const meeting: FolderItem = {
  type: "folder",
  id: demoId("item/meeting"),
  name: inBoth("Meeting and lounge", "Besprechung und Lounge"),
  showSubTotal: true,
  children: [conferenceTable, conferenceChair, sofa, sideTable, acousticPanel, phoneBooth],
};
