/** Views in project files: what is read of them, and that they are written so that other readers of such files find everything. */
import { isDeepStrictEqual } from "node:util";
import {
  type ProjectDocument,
  readObk,
  resolveView,
  type View,
  type ViewItem,
  walkItems,
  walkNodes,
  writeObk,
} from "@slipway/sdk";
import { id, type XmlElement, xmlElements } from "@slipway/sdk/testing";
import fc from "fast-check";
import t from "tap";
import { readWholeArchive } from "../foreign-zip-reader.js";
import { fileOfViews, fileViews } from "../plugins/file-of-views.js";

const { project, warnings } = await readObk(await fileOfViews());

async function basketOf(written: ProjectDocument): Promise<XmlElement> {
  const entry = (await readWholeArchive(await writeObk(written))).get("1.bsk");
  if (entry === undefined) throw new Error("no 1.bsk");
  return entry.xml();
}

function viewNamed(name: string, of: ProjectDocument = project): View {
  const found = of.views?.find((view) => view.name === name);
  if (found === undefined) throw new Error(`no view ${name}`);
  return found;
}

/** The project with one view, which is Summarized but for `view`. */
function withView(view: Partial<View>): ProjectDocument {
  const summarized = viewNamed("Summarized");
  return { ...project, views: [{ ...summarized, ...view }], defaultViewId: summarized.id };
}

t.test("merged lines name their items in bskItemRef, and modes have the names of EAI-Server", async (t) => {
  t.same(warnings, []);
  t.match(
    project.views?.map((view) => [
      view.name,
      view.mergeMode,
      view.showNonOffer,
      view.showNonOrder,
      view.showTexts,
    ]),
    [
      ["Standard", "None", true, true, false],
      ["WBK-Standard", "None", true, true, true],
      ["Detailed", "None", false, true, true],
      ["Compact", "Compact", true, true, true],
      ["Summarized", "SubArticles", false, true, true],
      ["Summarized-Compact", "ArticlesCompact", true, false, true],
      ["Flat list", "Articles", false, true, true],
    ],
  );
  const [ground] = viewNamed("Summarized").items;
  t.match(ground?.children?.slice(1, 3), [
    { basketItemIds: [id(11), id(12)], positionNumber: "1.1" },
    {
      basketItemIds: [id(20)],
      positionNumber: "1.2",
      children: [{ basketItemIds: [id(21)] }, { basketItemIds: [id(22)] }],
    },
  ]);
});

t.test("views stay as they are from file to project to file to project", async (t) => {
  const once = await readObk(await writeObk(project));
  t.same(once.warnings, []);
  t.same(once.project.views, project.views);
  t.same(once.project.defaultViewId, project.defaultViewId);
  const twice = await readObk(await writeObk(once.project));
  t.same(twice.project.views, project.views);
  const ids = [...walkItems(project.items)].map((item) => item.id);
  const lines = (below: fc.Arbitrary<ViewItem[]> | undefined): fc.Arbitrary<ViewItem[]> => {
    const line = fc.record(
      {
        id: fc.uuid(),
        basketItemIds: fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1, maxLength: 4 }),
        positionNumber: fc.constantFrom("", "1", "2.1", "A"),
        quantity: fc.constantFrom({ value: "1", unit: "C62" }, { value: "2.5", unit: "MTR" }),
        ...(below && { children: below }),
      },
      { requiredKeys: ["id", "basketItemIds", "positionNumber"], noNullPrototype: true },
    );
    return fc.array(line, { minLength: 1, maxLength: 4 });
  };
  const view = fc.record({
    mergeMode: fc.constantFrom(...new Set(project.views?.map((each) => each.mergeMode))),
    ...{ showTexts: fc.boolean(), showNonOffer: fc.boolean(), showNonOrder: fc.boolean() },
    ...{ hiddenDiscounts: fc.boolean(), items: lines(lines(lines(undefined))) },
  });
  await fc.assert(
    fc.asyncProperty(view, async (described) => {
      const before = withView(described);
      const { project: after, warnings: told } = await readObk(await writeObk(before));
      return told.length === 0 && isDeepStrictEqual(after.views, before.views);
    }),
    { numRuns: 60 },
  );
});

t.test("what is written has the form that EAI-Server gives it", async (t) => {
  const basket = await basketOf(project);
  const views = [...xmlElements(basket)].filter(({ name }) => /^view(\.4)?$/.test(name));
  t.same(
    views.map(({ name, attributes }) => [attributes["name"], name]),
    fileViews.map(({ name, merged }) => [name, merged === undefined ? "view" : "view.4"]),
  );
  const modes = [...xmlElements(basket, "displayMode")].map(({ attributes }) => attributes);
  const expanded = { expGroup: "1", expPlFolder: "1", expBskFolder: "0", expPartPl: "0", expAggr: "0" };
  const usual = { hiddenDiscounts: "0", setArticleMode: "2" };
  t.same(modes[0], { mode: "2", ...expanded, ...usual, setArticleMode: "0" }, "what is usual is left out");
  t.same(modes[4], {
    mode: "1",
    ...expanded,
    txtVisible: "1",
    nonOfferArtVisible: "0",
    mergeMode: "6",
    ...usual,
  });
  t.equal(modes[5]?.["nonOrderArtVisible"], "0");
  t.equal([...xmlElements(basket, "basketItem")].length, 0);

  const lines = views.map((view) =>
    [...xmlElements(view)].filter(({ attributes }) => attributes["viewId"] !== undefined),
  );
  const named = (name: string): XmlElement[] =>
    lines[fileViews.findIndex((view) => view.name === name)] ?? [];
  const references = (line: XmlElement): unknown[] =>
    line.children.filter(({ name }) => name === "bskItemRef").map(({ attributes }) => attributes["itemId"]);
  for (const line of lines.flat()) {
    const merged = line.name === "mergedArticle";
    t.equal(references(line).length > 0, merged, "no merged line without items, no reference elsewhere");
    t.equal(line.attributes["basketId"] === undefined, merged);
    t.equal(
      /^[A-Za-z0-9+/]{22}$/.test(line.attributes["digest"] ?? ""),
      merged,
      "an MD5 as the other checksums",
    );
  }
  const kinds = (name: string): unknown[] =>
    named(name)
      .slice(1)
      .map((line) => line.name);
  t.ok(kinds("Standard").includes("article") && !kinds("Standard").includes("mergedArticle"));
  t.notOk(
    kinds("Summarized").includes("article"),
    "every article is a merged line, also one that stands alone",
  );
  const several = named("Compact").filter(({ name }) => name === "mergedArticle");
  t.same(
    several.map(references),
    [
      [id(20), id(21), id(22)],
      [id(30), id(31), id(32)],
    ],
    "only where there are several",
  );
  t.equal(
    several[0]?.attributes["digest"],
    several[1]?.attributes["digest"],
    "equal composites, but for their number",
  );

  const digestOf = (name: string, item: string): unknown =>
    named(name).find((line) => references(line).includes(item))?.attributes["digest"];
  t.equal(digestOf("Summarized", id(11)), digestOf("Flat list", id(13)), "equal articles have one digest");
  t.not(digestOf("Summarized", id(11)), digestOf("Summarized", id(20)));
  t.same(
    named("Summarized").map(
      (line) => line.children.find(({ name }) => name === "posNr")?.attributes["value"],
    ),
    [
      undefined,
      "1",
      undefined,
      "1.1",
      "1.2",
      "1.2.1",
      "1.2.2",
      "1.3",
      "1.3.1",
      "1.3.2",
      "2",
      "2.1",
      "2.1.1",
      "2.1.2",
      "2.2",
      "3",
      "4",
      "5",
      "6",
    ],
  );
});

t.test("files that name items as earlier versions of the SDK did are read as they were", async (t) => {
  const old = await fileOfViews((basket) =>
    basket
      .replaceAll(/ digest='[^']*'/g, "")
      .replaceAll("bskItemRef itemId=", "basketItem id=")
      .replaceAll("ArtVisible", "Visible"),
  );
  t.notOk(Buffer.from(old).equals(await fileOfViews()));
  const read = await readObk(old);
  t.same(read.warnings, []);
  t.same(read.project.views, project.views);
});

t.test("lines that name nothing, something twice or something that is not there", async (t) => {
  const missing = id(404);
  const line = (number: number, content: string, attributes = ""): string =>
    `<mergedArticle viewId='${id(number)}' digest='d' ${attributes}>${content}<posNr value='${number}'/></mergedArticle>`;
  const reference = (item: string): string => `<bskItemRef itemId='${item}'/>`;
  const content = [
    line(1, ""),
    line(2, `${reference(id(11))}<basketItem id='${id(12)}'/>${reference(id(11).toUpperCase())}`),
    line(3, reference(missing)),
    line(4, reference(id(13)) + reference(missing)),
    line(5, `<bskItemRef/><bskItemRef itemId='nobody'/>${reference(id(61))}`),
    line(2, reference(id(62))),
    line(7, line(8, reference(id(71)))),
    `<mergedArticle>${reference(id(72))}<posNr value='9'/></mergedArticle>`,
    `<article viewId='${id(10)}' basketId='${missing}'><posNr value='10'/></article>`,
    `<folder viewId='${id(11)}'>${line(12, reference(id(50)))}</folder>`,
  ];
  const file = await fileOfViews((basket) =>
    basket.replace(
      /<view[ .].*<\/view\.4>/s,
      `<view id='${id(900)}' name='V'><viewConfig><displayMode mode='9' mergeMode='x'/>
</viewConfig><folder viewId='${id(901)}' basketId='${id(1000)}'>${content.join("\n")}</folder></view>`,
    ),
  );
  const read = await readObk(file);
  const [view] = read.project.views ?? [];
  const numbers = (lines: readonly ViewItem[] = []): unknown[] =>
    lines.map(({ positionNumber, basketItemIds, children }) => {
      const items = basketItemIds.map((each) => Number(each.slice(-12)));
      return children === undefined
        ? [positionNumber, ...items]
        : [positionNumber, ...items, numbers(children)];
    });
  t.same(numbers(view?.items), [
    ["2", 11, 12],
    ["4", 13],
    ["5", 61],
    ["2", 62],
    ["7", [["8", 71]]],
    ["9", 72],
    ["", [["12", 50]]],
  ]);
  t.match(view, { displayMode: "planning", mergeMode: "None" });
  const lineIds = [...walkNodes(resolveView(read.project, { viewId: id(900) }).nodes)].map((node) => node.id);
  t.equal(new Set(lineIds).size, 7, "each line has an id of its own");
  const merged = "basket/view/folder/mergedArticle";
  t.same(
    read.warnings.map(({ path, message, count = 1 }) => [path, message, count]),
    [
      ["basket/view/viewConfig/displayMode", 'the mode "9" is not known; the usual one takes its place', 1],
      [
        "basket/view/viewConfig/displayMode",
        'the mergeMode "x" is not known; the usual one takes its place',
        1,
      ],
      [merged, "a line of a view that names no item; only what is below it is read", 2],
      [`${merged}[2]/bskItemRef[2]`, "skipped: the line names this item already", 1],
      [`${merged}[3]`, "skipped: a line of a view names an item that is not in the file", 2],
      [`${merged}[5]/bskItemRef`, "skipped: a reference without the id of an item", 2],
      [`${merged}[6]`, "the id of an earlier line of the view; it gets another one", 1],
      ["basket/view/folder/article", "skipped: a line of a view names an item that is not in the file", 1],
      ["basket/config/defaultView", "skipped: a default view that is not in the file", 1],
    ],
  );
  const again = await readObk(await writeObk(read.project));
  t.same([again.project.views, again.warnings], [read.project.views, []], "what was repaired stays as it is");
});

t.test("a line about a composite or set and its parts has the quantity of these, not of the parts", (t) => {
  const lines = (...basketItemIds: string[]): unknown[] => {
    const items = [{ id: id(1), basketItemIds, positionNumber: "1" }];
    return resolveView(withView({ items }), { viewId: viewNamed("Summarized").id }).nodes.map(
      (node) => node.quantity,
    );
  };
  t.same(lines(id(20), id(21), id(22), id(30), id(31), id(32)), [{ value: "3", unit: "C62" }]);
  t.same(lines(id(21), id(20)), [{ value: "2", unit: "C62" }], "whatever comes first");
  t.same(lines(id(21), id(31)), [{ value: "6", unit: "C62" }], "parts of different composites add up");
  t.same(lines(id(40), id(41), id(42)), [{ value: "2", unit: "C62" }]);
  t.same(lines(id(2), id(41)), [{ value: "2", unit: "C62" }], "a folder has no quantity");
  t.end();
});
