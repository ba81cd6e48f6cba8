import {
  type ArticleItem,
  articleImages,
  builtInColumns,
  chooseText,
  descriptionTexts,
  type Item,
  type ProjectDocument,
  plainText,
  resolveView,
  textLanguages,
  type View,
  type ViewNode,
  type ViewRequest,
  variantLines,
  visibleFeatures,
} from "@slipway/sdk";
import { id } from "@slipway/sdk/testing";
import t from "tap";

function article(number: number, more: Partial<ArticleItem> = {}): ArticleItem {
  return {
    type: "article",
    id: id(number),
    articleKind: "article",
    quantity: { value: "1", unit: "C62" },
    manufacturerId: "M",
    seriesId: "S",
    baseArticleNumber: "A-1",
    useFinalArticleNumber: false,
    productDescription: { shortText: [{ lang: "en", value: "Chair" }] },
    features: [],
    productPrices: [],
    ...more,
  };
}

function pieces(count: string): ArticleItem["quantity"] {
  return { value: count, unit: "C62" };
}

function folder(number: number, children: Item[]): Item {
  return { type: "folder", id: id(number), name: [{ lang: "en", value: "Room" }], children };
}

function text(number: number): Item {
  return { type: "text", id: id(number), text: [{ lang: "en", value: "Note" }] };
}

function set(number: number, children: Item[], more: { collapsed?: boolean; count?: string } = {}): Item {
  const { collapsed = false, count = "1" } = more;
  return { type: "setArticle", id: id(number), quantity: pieces(count), collapsed, children };
}

function view(more: Partial<View> = {}): View {
  return {
    id: id(900),
    name: "Test",
    displayMode: "planning",
    mergeMode: "None",
    setArticleMode: "Expand",
    showTexts: true,
    showNonOffer: true,
    showNonOrder: true,
    hiddenDiscounts: false,
    expand: [],
    items: [],
    ...more,
  };
}

function project(items: Item[], more: Partial<ProjectDocument> = {}): ProjectDocument {
  return {
    formatVersion: "1",
    id: id(999),
    header: {},
    settings: {
      languages: ["en"],
      currency: "EUR",
      referenceCurrency: "EUR",
      exchangeRates: {},
      rounding: { halfWay: "even", interval: "0.01" },
    },
    items,
    ...more,
  };
}

/** Position, basket items and quantity of each line, indented by nesting: "2.1 #5+#6 x3". */
function outline(nodes: readonly ViewNode[], indent = ""): string[] {
  return nodes.flatMap((node) => {
    const items = node.items.map((item) => `#${Number(item.id.slice(-12))}`).join("+");
    const quantity = node.quantity === undefined ? "" : ` x${node.quantity.value}`;
    const frame = node.frame ? " frame" : "";
    const line = `${indent}${node.position} ${items}${quantity}${frame}`;
    return [line, ...outline(node.children, `${indent}  `)];
  });
}

function lines(document: ProjectDocument, request: ViewRequest = {}): string[] {
  return outline(resolveView(document, request).nodes);
}

function viewed(items: Item[], rules: Partial<View>): string[] {
  return lines(project(items, { views: [view(rules)], defaultViewId: id(900) }));
}

t.test("without a view the basket is listed as it is nested, with numbers by place", async (t) => {
  const items = [folder(1, [text(2), article(3)]), article(4, { nonOffer: true, nonOrder: true })];
  t.same(lines(project(items)), ["1 #1", "   #2", "  1.1 #3 x1", "2 #4 x1"]);
  t.equal(resolveView(project(items)).view, undefined);
});

t.test("the view of the request, the default view, and the view that every client knows", async (t) => {
  const hidden = view({ id: id(901), showTexts: false });
  const document = project([text(1), article(2)], { views: [view(), hidden], defaultViewId: id(901) });
  t.same(lines(document), ["1 #2 x1"], "the default view");
  t.same(lines(document, { viewId: id(900).toUpperCase() }), [" #1", "1 #2 x1"]);
  const standard = "5726009a-756d-11d6-9c21-00e029099a4b";
  t.same(lines(project([article(2)]), { viewId: standard }), ["1 #2 x1"], "no view of this name is needed");
  const unknown = (): unknown => resolveView(document, { viewId: id(77) });
  t.throws(unknown, {
    name: "RequestError",
    code: 422,
    id: "request-view-not-found",
    message: new RegExp(id(77)),
  });
});

t.test("a view hides texts, and articles that are not for offers or orders", async (t) => {
  const items = [
    text(1),
    article(2, { nonOffer: true, children: [article(3)] }),
    article(4, { nonOrder: true }),
    article(5),
  ];
  t.same(viewed(items, { showTexts: false, showNonOffer: false }), ["1 #4 x1", "2 #5 x1"]);
  t.same(viewed(items, { showNonOrder: false }), [" #1", "1 #2 x1", "  1.1 #3 x1", "2 #5 x1"]);
});

t.test("set modes: parts below the set, hidden, as the set says, or instead of it", async (t) => {
  const items = [
    set(1, [article(2), article(3, { quantity: pieces("2") })], { count: "3" }),
    set(4, [article(5)], { collapsed: true }),
  ];
  t.same(viewed(items, { setArticleMode: "Expand" }), [
    "1 #1 x3",
    "  1.1 #2 x3",
    "  1.2 #3 x6",
    "2 #4 x1",
    "  2.1 #5 x1",
  ]);
  t.same(viewed(items, { setArticleMode: "Collapse" }), ["1 #1 x3", "2 #4 x1"]);
  t.same(viewed(items, { setArticleMode: "Dynamic" }), ["1 #1 x3", "  1.1 #2 x3", "  1.2 #3 x6", "2 #4 x1"]);
  t.same(viewed(items, { setArticleMode: "BreakUp" }), ["1 #2 x3", "2 #3 x6", "3 #5 x1"]);
});

t.test("expanding folders and composites lists their content beside them", async (t) => {
  const items = [folder(1, [article(2, { articleKind: "aggregate", children: [article(3)] })]), article(4)];
  t.same(viewed(items, { expand: ["folders"] }), ["1 #2 x1", "  1.1 #3 x1", "2 #4 x1"]);
  t.same(viewed(items, { expand: ["folders", "aggregates"] }), ["1 #2 x1", "2 #3 x1", "3 #4 x1"]);
});

t.test("parts that stand beside their composite or set are listed below it", async (t) => {
  const part = article(2, { mainArticleId: id(3), quantity: pieces("2") });
  const main = article(3, { articleKind: "aggregate", quantity: pieces("2") });
  const items = [part, main, article(4, { setArticleId: id(5) }), set(5, [])];
  t.same(lines(project(items)), ["1 #3 x2", "  1.1 #2 x4", "2 #5 x1", "  2.1 #4 x1"]);
  const ring = [article(6, { mainArticleId: id(7) }), article(7, { mainArticleId: id(6) })];
  t.same(lines(project(ring)), ["1 #7 x1", "  1.1 #6 x1"], "items that claim each other lose nobody");
  const composite = article(9, { setArticleId: id(8), quantity: pieces("3") });
  const inSet = [article(10, { mainArticleId: id(9) }), composite, set(8, [], { count: "2" })];
  t.same(lines(project(inSet)), ["1 #8 x2", "  1.1 #9 x6", "    1.1.1 #10 x6"], "a part of a part");
});

t.test("merging adds up equal articles of one level", async (t) => {
  const items = [
    article(1, { quantity: pieces("2"), images: [{ tag: "default", asset: "one" }] }),
    article(2, { baseArticleNumber: "A-2" }),
    article(3, { quantity: pieces("0.5"), images: [{ tag: "default", asset: "two" }] }),
    folder(4, [article(5), article(6)]),
  ];
  const merged = ["1 #1+#3 x2.5", "2 #2 x1", "3 #4", "  3.1 #5+#6 x2"];
  t.same(viewed(items, { mergeMode: "Articles" }), merged);
  t.same(viewed(items, { mergeMode: "SubArticles" }), merged);
  t.same(viewed(items, { mergeMode: "Articles", expand: ["folders"] }), ["1 #1+#3+#5+#6 x4.5", "2 #2 x1"]);
});

t.test("articles that differ in what a reader sees or pays stay apart", async (t) => {
  const items = [
    article(1),
    article(2, { inactive: [{ kind: "optional" }] }),
    article(3, { fields: { [builtInColumns.externalItemNumber]: "R-1" } }),
    article(4),
    article(5, { fields: { [builtInColumns.articleImage]: "picture" } }),
  ];
  const discount = {
    itemId: id(4),
    level: 211,
    counter: 0,
    amount: { kind: "percentage", value: "-5" },
  } as const;
  const document = project(items, {
    views: [view({ mergeMode: "Articles" })],
    defaultViewId: id(900),
    conditions: [discount],
    assets: { picture: { mediaType: "image/png" } },
  });
  t.same(lines(document), ["1 #1+#5 x2", "2 #2 x1", "3 #3 x1", "4 #4 x1"]);
});

t.test("composites merge with their parts, in the same order where the mode is strict", async (t) => {
  const part = (number: number, name: string): ArticleItem =>
    article(number, { baseArticleNumber: name, quantity: pieces("2") });
  const composite = (number: number, parts: ArticleItem[]): ArticleItem =>
    article(number, { articleKind: "aggregate", quantity: pieces(String(number % 3 || 3)), children: parts });
  const items = [
    composite(10, [part(11, "P"), part(12, "Q")]),
    composite(20, [part(21, "P"), part(22, "Q")]),
    composite(30, [part(31, "Q"), part(32, "P")]),
  ];
  t.same(viewed(items, { mergeMode: "Composites" }), [
    "1 #10+#20+#30 x6",
    "  1.1 #11+#21+#32 x12",
    "  1.2 #12+#22+#31 x12",
  ]);
  t.same(viewed(items, { mergeMode: "CompositesStrict" }), [
    "1 #10+#20 x3",
    "  1.1 #11+#21 x6",
    "  1.2 #12+#22 x6",
    "2 #30 x3",
    "  2.1 #31 x6",
    "  2.2 #32 x6",
  ]);
  t.equal(viewed(items, { mergeMode: "Articles" }).length, 9, "composites are no plain articles");
  t.same(viewed(items, { mergeMode: "Compact" }), [
    "1 #10+#11+#12 x1",
    "2 #20+#21+#22 x2",
    "3 #30+#31+#32 x3",
  ]);
  t.same(viewed(items.slice(0, 2), { mergeMode: "ArticlesCompact" }), ["1 #10+#11+#12+#20+#21+#22 x3"]);
});

t.test("a view that lists its items counts as it is", async (t) => {
  const listed = view({
    showTexts: false,
    mergeMode: "Articles",
    items: [
      {
        id: id(800),
        basketItemIds: [id(50)],
        positionNumber: "",
        children: [{ id: id(801), basketItemIds: [id(3)], positionNumber: "A" }],
      },
      { id: id(802), basketItemIds: [id(1), id(2)], positionNumber: "7.5" },
      { id: id(803), basketItemIds: [id(4)], positionNumber: "9" },
      { id: id(804), basketItemIds: [id(1)], positionNumber: "10", quantity: pieces("8") },
    ],
  });
  const items = [article(1), article(2, { quantity: pieces("4") }), article(3), text(4)];
  const resolved = resolveView(project(items, { views: [listed] }), { viewId: id(900) });
  t.same(outline(resolved.nodes), ["A #3 x1", "7.5 #1+#2 x5", "10 #1 x8"], "texts are hidden, order is kept");
  t.same(resolved.lostItemIds, [id(50)], "what the basket does not have is named");
  t.same(
    resolved.nodes.map((node) => node.id),
    [id(801), id(802), id(804)],
  );
});

t.test("items filter by view item or by basket item", async (t) => {
  const listed = view({
    items: [
      {
        id: id(800),
        basketItemIds: [id(1)],
        positionNumber: "1",
        children: [
          { id: id(801), basketItemIds: [id(2), id(3)], positionNumber: "1.1" },
          { id: id(802), basketItemIds: [id(4)], positionNumber: "1.2" },
        ],
      },
      { id: id(803), basketItemIds: [id(5)], positionNumber: "2" },
    ],
  });
  const items = [folder(1, [article(2), article(3), article(4)]), article(5)];
  const document = project(items, { views: [listed], defaultViewId: id(900) });
  const whole = ["1 #1", "  1.1 #2+#3 x2", "  1.2 #4 x1", "2 #5 x1"];
  t.same(lines(document, { items: [] }), whole, "an empty list filters nothing");
  t.same(lines(document, { items: [id(802)] }), ["1 #1 frame", "  1.2 #4 x1"], "parents stay as frames");
  t.same(lines(document, { items: [id(800)] }), whole.slice(0, 3), "a listed folder brings its content");
  const merged = resolveView(document, { items: [id(3), id(77)], matchBasketItemIds: true });
  t.same(outline(merged.nodes), ["1 #1 frame", "  1.1 #2+#3 x2"], "any of the merged items will do");
  t.same([merged.filtered, merged.unknownItemIds], [true, [id(77)]]);
  const basketIds = resolveView(document, { items: [id(5)] });
  t.same([basketIds.nodes, basketIds.unknownItemIds], [[], [id(5)]], "basket ids are no view ids");
  const derived = project([folder(1, [article(2)])]);
  t.same(lines(derived, { items: [id(2)] }), ["1 #1 frame", "  1.1 #2 x1"], "then both are the same");
});

t.test("texts by language: exact tag, base language, no language, then the document's order", async (t) => {
  const texts = [
    { lang: "ja", value: "椅子" },
    { lang: "und", value: "chair" },
    { lang: "de", value: " " },
    { lang: "de_AT", value: "Sessel" },
    { lang: "EN-gb", value: "Chair" },
  ];
  const chosen = (...languages: string[]): string => chooseText(texts, languages).value;
  t.equal(chosen("en_GB", "de"), "Chair");
  t.equal(chosen("de"), "Sessel", "a text of blanks is none");
  t.equal(chosen("fr", "en"), "Chair");
  t.equal(chosen("fr"), "chair");
  t.equal(chooseText(texts.slice(0, 1), ["fr"]).value, "椅子", "better a foreign text than none");
  t.same(chooseText([], ["fr"]), { value: "", lang: undefined, unreadable: [] });
  const settings = { ...project([]).settings, languages: ["de_DE", "und", "en"] };
  t.same(textLanguages(project([], { settings }), "en_US"), ["de-de", "en", "en-us"]);
});

t.test("rich texts become plain ones, line by line", async (t) => {
  const plain = (format: "plain" | "html" | "iml" | "xml" | "json", value: string): string =>
    plainText({ lang: "en", value, format });
  t.equal(plain("plain", "one\r\ntwo \u0007& <b>\n\n\n\nthree\n"), "one\ntwo & <b>\n\nthree");
  t.equal(
    plain("html", "<p>Oak &amp; <b>steel</b></p><p title='a>b'>1 &lt; 2&#x20AC;<br>end"),
    "Oak & steel\n1 < 2€\nend",
  );
  t.equal(plain("html", "a<script>alert('</p>')</script>b<!-- c -->d < e"), "abd < e");
  t.equal(plain("iml", "<iml><p>First</p><p>Second &amp; last</p></iml>"), "First\nSecond & last");
  t.equal(
    plain("xml", "<?xml version='1.0'?><doc><line>a</line><line><![CDATA[<b>]]></line></doc>"),
    "a\n<b>",
  );
  t.equal(
    plain("json", '{"ops":[{"insert":"one\\n"},{"insert":"two","attributes":{"bold":true}}]}'),
    "one\ntwo",
  );
  const tree = {
    root: {
      children: [
        { type: "paragraph", children: [{ text: "a" }, { text: "b" }] },
        { type: "paragraph", children: [{ text: "c" }] },
      ],
    },
  };
  t.equal(plain("json", JSON.stringify(tree)), "ab\nc");
  t.equal(plain("json", "{}"), "");
  for (const [format, value] of [
    ["iml", "<p>one"],
    ["xml", "<a>&unknown;</a>"],
    ["json", "{not json"],
    ["json", '{"no":"text"}'],
    ["json", `${"[".repeat(5000)}${"]".repeat(5000)}`],
  ] as const) {
    t.throws(() => plain(format, value), { name: "UnreadableText" }, `${format} ${value.slice(0, 20)}`);
  }
});

t.test("a text that cannot be read gives way to the next best and is told of", async (t) => {
  const texts = [
    { lang: "de", value: "<p>kaputt", format: "iml" },
    { lang: "en", value: "Chair" },
  ] as const;
  const chosen = chooseText([...texts], ["de", "en"]);
  t.equal(chosen.value, "Chair");
  t.same(
    chosen.unreadable.map((error) => error.text.lang),
    ["de"],
  );
  t.same(chooseText([texts[0]], ["de"]).value, "");
});

t.test(
  "what a user wrote stands for the product's text, feature lines for missing feature texts",
  async (t) => {
    const item = article(1, {
      userDescription: {
        shortText: [{ lang: "en", value: "My chair" }],
        longText: [{ lang: "en", value: " " }],
      },
      productDescription: {
        shortText: [
          { lang: "en", value: "Chair" },
          { lang: "de", value: "Stuhl" },
        ],
        longText: [{ lang: "en", value: "A chair" }],
      },
      features: [
        {
          name: "COL",
          value: "01",
          nameText: [{ lang: "en", value: "Colour" }],
          valueText: [],
          visible: true,
        },
        { name: "INT", value: "x", nameText: [], valueText: [], visible: false },
      ],
    });
    const read = (field: "shortText" | "longText", ...languages: string[]): string =>
      chooseText(descriptionTexts(item, field, languages), languages).value;
    t.equal(read("shortText", "en"), "My chair");
    t.equal(
      read("shortText", "de"),
      "Stuhl",
      "a user's text in another language does not hide the product's",
    );
    t.equal(read("shortText", "fr"), "My chair");
    t.equal(read("longText", "en"), "A chair", "blanks replace nothing");
    const features = visibleFeatures(item, (texts) => chooseText(texts, ["en"]).value);
    t.same(variantLines("", features), ["Colour: 01"]);
    t.same(variantLines("Red\nLarge", features), ["Red", "Large"]);
  },
);

t.test("pictures: the preferred column with its fallbacks, tags, then built-in columns", async (t) => {
  const own = id(950);
  const item = article(1, {
    fields: {
      [builtInColumns.articleImage]: "article",
      [builtInColumns.catalogImage]: "catalog",
      [own]: "own",
    },
    images: [
      { tag: "default", asset: "front" },
      { tag: "side", asset: "side" },
    ],
  });
  const column = { id: id(951), type: "image", name: "Mine", fallbackColumnId: own } as const;
  const document = project([item], { columns: [column], assets: { side: { mediaType: "image/png" } } });
  const keys = (preferred: string, tag?: string): string[] =>
    articleImages(document, item, { column: preferred, tag }).map((image) => image.key);
  t.same(keys(builtInColumns.userImage), ["article", "front", "side", "catalog"], "user image falls back");
  t.same(keys(id(951), "side"), ["own", "side", "front", "article", "catalog"]);
  const [, side] = articleImages(document, item, { column: id(951), tag: "side" });
  t.same(side, { key: "side", source: "side", asset: { mediaType: "image/png" } });
  t.equal(articleImages(document, item, { column: id(951) })[0]?.asset, undefined);
});
