/** Codes of manufacturers and series: no two ids share one, whatever their length, and settings name them. */
import { createHash } from "node:crypto";
import type { ProjectDocument } from "@slipway/sdk";
import t from "tap";
import { article, project as itemProject, set } from "./oex-items-support.js";
import { pluginInMemory } from "./plugins-in-memory.js";

type Pair = readonly [manufacturerId: string, seriesId: string];

/** A project with an article of each pair. */
const project = (...pairs: Pair[]): ProjectDocument =>
  itemProject(pairs.map(([manufacturerId, seriesId], at) => article(at + 1, { manufacturerId, seriesId })));

interface Exported {
  /** Manufacturer and series as they are written, in document order. */
  codes: string[];
  errors: Record<string, unknown>[];
  xml: string;
  obx: string;
}

async function exported(
  document: ProjectDocument,
  config: object = {},
  settings: object = {},
): Promise<Exported> {
  const host = await pluginInMemory("oex", { config: { validate: true, ...settings } });
  const session = await host.openSession(document);
  const answer = await host.post("export", { sessionId: session.id, config });
  if (answer.status !== 200) throw new Error(answer.text);
  const files = JSON.parse(answer.text);
  const xml = host.file(files.oex.url).text();
  const obx = files.obx === undefined ? "" : host.file(files.obx.url).text();
  await host.stop();
  const errors: Record<string, unknown>[] = files.errors ?? [];
  const pairs = xml.matchAll(/<vVendorID>([^<]*)<\/vVendorID><vVendorSeries>([^<]*)</g);
  return { codes: [...pairs].map(([, vendor, series]) => `${vendor} ${series}`), errors, xml, obx };
}

const idsOf = ({ errors }: Exported): unknown[] => errors.map(({ id }) => id);
const ofCodes = ({ errors }: Exported) => errors.filter(({ id }) => id === "manufacturer-code-shortened");

/** As the page of the plugin describes it. */
const digestCode = (first: string, id: string): string => {
  const bits = createHash("sha256").update(id).digest().readUIntBE(0, 6);
  const digits = (bits % 36 ** 4).toString(36).toUpperCase().padStart(4, "0");
  return first + digits.slice(first.length);
};

const steelcase: Pair = ["STEELCASE", "DESKS"];
const steelforce: Pair = ["STEELFORCE", "DESKS"];
const lamps: Pair = ["STEELCASE", "DESKLAMPS"];

t.test("ids that become the same code get codes of their own, told once", async (t) => {
  const { codes, errors } = await exported(project(steelcase, steelforce, lamps, ["DESK", "DESK"]), {
    attachOBX: false,
  });
  const one = digestCode("S", "STEELCASE");
  const other = digestCode("S", "STEELFORCE");
  t.strictSame(codes, [
    `${one} ${digestCode("D", "DESKS")}`,
    `${other} DESK`,
    `${one} ${digestCode("D", "DESKLAMPS")}`,
    "DESK DESK",
  ]);
  t.equal(new Set(codes).size, 4);
  const told = errors.filter(({ id }) => id === "manufacturer-code-shortened");
  t.match(told, [
    {
      type: "manufacturer",
      scopes: ["WARN"],
      message: /"STEELCASE" is "S.*manufacturerCodes/,
      additionalInformation: {
        count: 4,
        codes: [
          { manufacturerId: "STEELCASE", code: one },
          { manufacturerId: "STEELCASE", seriesId: "DESKS" },
          { manufacturerId: "STEELFORCE", code: other },
          { manufacturerId: "STEELCASE", seriesId: "DESKLAMPS" },
        ],
      },
    },
  ]);
  t.equal(told.length, 1);
  t.match(
    errors.filter(
      ({ id, message }) => id === "oex-value-repaired" && /manufacturerId|seriesId/.test(String(message)),
    ),
    [{ message: /`seriesId` of the item 2 \("DESKS"\): "DESK" is written/ }],
    "what is cut and alone is reported as before",
  );
  t.notOk(errors.some(({ id }) => id === "oex-document-invalid"));
});

t.test(
  "codes depend on the ids alone: not on order, on what else there is, and on what is exported",
  async (t) => {
    const pairs: Pair[] = [steelcase, steelforce, lamps];
    const codes = async (document: ProjectDocument, config: object = {}): Promise<string[]> =>
      (await exported(document, { attachOBX: false, ...config })).codes;
    const usual = await codes(project(...pairs));
    t.strictSame(await codes(project(...pairs.toReversed())), usual.toReversed());
    const more = await codes(project(["STEELMART", "X"], ["OAL", "DESK"], ...pairs));
    t.strictSame(more.slice(2), usual, "another project with more of them");
    const parts = [];
    for (const manufacturerId of ["STEELCASE", "STEELFORCE"])
      parts.push(...(await codes(project(...pairs), { splitDocumentByManufacturers: true, manufacturerId })));
    t.strictSame(parts, [usual[0], usual[2], usual[1]], "exports for one manufacturer each");
  },
);

t.test("settings name codes, which no other id gets", async (t) => {
  const settings = {
    manufacturerCodes: { STEELCASE: "STC", " KÖNIG ": "STEE" },
    seriesCodes: { STEELCASE: { DESKS: "DSK" }, KÖNIG: { 椅子: "ISU" } },
  };
  const document = project(steelcase, ["KÖNIG", "椅子"], steelforce, ["STC", "DSK"], ["STEELCASE", "DSK"]);
  const made = await exported(document, { attachOBX: false }, settings);
  const [first, second, third, fourth, fifth] = made.codes;
  t.strictSame([first, second], ["STC DSK", "STEE ISU"]);
  t.equal(third, `${digestCode("S", "STEELFORCE")} DESK`, "what it would be cut to is taken");
  t.equal(fourth, `${digestCode("S", "STC")} DSK`, "so is a whole id");
  t.equal(fifth, `STC ${digestCode("D", "DSK")}`);
  t.equal(ofCodes(made).length, 1);
  const plain = await exported(project(steelcase, ["KÖNIG", "椅子"]), { attachOBX: false }, settings);
  t.strictSame(
    idsOf(plain).filter((id) => /code|value/.test(String(id)) && id !== "oex-value-repaired"),
    [],
  );
  t.notOk(
    plain.errors.some(({ message }) => /manufacturerId|seriesId/.test(String(message))),
    "nothing to report",
  );
  // One maker with two ids has one code where the admin says so.
  const both = { manufacturerCodes: { STEELCASE: "STEE", STEELFORCE: "STEE" } };
  const merged = await exported(
    project(steelcase, steelforce, ["STEELFORCE", "DESKTOPS"]),
    { attachOBX: false },
    both,
  );
  t.strictSame(merged.codes.slice(0, 2), Array(2).fill(`STEE ${digestCode("D", "DESKS")}`), "one series");
  t.equal(merged.codes[2], `STEE ${digestCode("D", "DESKTOPS")}`);
});

t.test("settings that are no codes keep the plugin from starting, and name the id", async (t) => {
  for (const [settings, place] of [
    [{ manufacturerCodes: { STEELCASE: "STEEL" } }, /manufacturerCodes\W+STEELCASE/],
    [{ manufacturerCodes: { STEELCASE: "st" } }, /manufacturerCodes\W+STEELCASE/],
    [{ manufacturerCodes: { STEELCASE: "" } }, /manufacturerCodes\W+STEELCASE/],
    [{ seriesCodes: { STEELCASE: { DESKS: "Ä" } } }, /seriesCodes\W+STEELCASE\W+DESKS/],
    [{ seriesCodes: { STEELCASE: "DSK" } }, /seriesCodes\W+STEELCASE/],
  ] as const)
    await t.rejects(pluginInMemory("oex", { config: settings }), { id: "plugin-error", message: place });
});

t.test("ids of whatever characters have codes of their own; none is cut within a character", async (t) => {
  const ids = [
    "椅子",
    "机",
    "🪑🪑🪑",
    "🪑",
    "\ud83e",
    "MÜLLER",
    "MU\u0308LLER",
    "straße 9",
    "?",
    "fhm",
    "FHM",
    "0",
    "0-",
  ];
  const made = await exported(project(...ids.map((id): Pair => [id, id])), { attachOBX: false });
  t.equal(made.codes.length, ids.length);
  t.equal(new Set(made.codes).size, ids.length, made.codes.join(", "));
  for (const code of made.codes) t.match(code, /^[0-9A-Z]{1,4} [0-9A-Z]{1,4}$/);
  t.equal(made.codes[ids.indexOf("FHM")], "FHM FHM");
  t.equal(made.codes[ids.indexOf("0")], "0 0");
  t.match(made.codes[ids.indexOf("椅子")], `${digestCode("", "椅子")} ${digestCode("", "椅子")}`);
  t.equal(made.codes[ids.indexOf("straße 9")], "STRA STRA");
  t.equal(ofCodes(made).length, 1);
});

t.test("sets, parts and many series of one name have their codes; OBX and lists keep the ids", async (t) => {
  const many = Array.from({ length: 3000 }, (_, at): Pair => ["STEELCASE", `OFFICE ${at}`]);
  const large = await exported(project(...many), { attachOBX: false }, { validate: false });
  t.equal(new Set(large.codes).size, many.length);
  t.match(ofCodes(large), [{ additionalInformation: { count: 3000, codes: { length: 100 } } }]);

  const parts = [article(2, { manufacturerId: "STEELFORCE", seriesId: "DESKS" })];
  const document = itemProject([
    article(1, { manufacturerId: "STEELCASE", seriesId: "DESKS" }),
    set(3, parts, { manufacturerId: "STEELFORCE", seriesId: "DESKTOPS" }),
  ]);
  const made = await exported(document, { oexVersion: "3.1" });
  const one = digestCode("S", "STEELCASE");
  const other = digestCode("S", "STEELFORCE");
  t.strictSame(made.codes, [
    `${one} DESK`,
    `${other} ${digestCode("D", "DESKS")}`,
    `${other} ${digestCode("D", "DESKTOPS")}`,
  ]);
  for (const id of ["STEELCASE", "STEELFORCE", "DESKS"]) {
    t.ok(made.obx.includes(id), `the OBX file has ${id}`);
    t.ok(made.xml.includes(id), `so have the OBX of articles in the document: ${id}`);
  }
  t.notOk(made.obx.includes(one));
  t.notOk(idsOf(made).includes("oex-document-invalid"), JSON.stringify(made.errors));

  const host = await pluginInMemory("oex");
  const session = await host.openSession(document);
  const listed = await host.post("manufacturers.json", { sessionId: session.id });
  t.match(listed.value, [{ manufacturerId: "STEELCASE" }, { manufacturerId: "STEELFORCE" }]);
  await host.stop();
});
