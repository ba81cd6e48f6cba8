import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import t from "tap";
import { engineMessage } from "../engine-message.js";
import { until } from "./plugins-support.js";
import {
  definition,
  failure,
  type LoggedLine,
  problems,
  render,
  renderBody,
  reportOnly,
  startTemplates,
  writeFiles,
} from "./templates-support.js";

t.test("a template becomes a complete document", async (t) => {
  const folder = t.testdir({
    order: {
      "template.json": definition("order", { name: { en: "Order", de: "Auftrag" } }),
      "report.ejs": '<h1><%= d.t("title") %></h1>',
      "style.css":
        'p { content: "</style><script>"; background: url(assets/dot.svg) } b { background: url("assets/none.svg") }',
      "header.ejs": '<!-- not <b>this</b> -->\n  <b title="a > b"><%= d.data.project.name %></b>\n',
      "footer.ejs":
        '<style>b {}</style>"Quoted" &amp; \\<br>second line\n<p>© <%= d.number("1000") %></p>\n\n',
      i18n: { "en.json": '{"title":"Order"}', "de.json": '{"title":"Auftrag"}' },
      assets: { "dot.svg": "<svg/>" },
    },
    plain: reportOnly("plain", "<p>x</p>"),
  });
  const service = await startTemplates(t, folder);
  const data = { project: { name: 'A & "B" </title>' } };
  const html = await render(service, "order", { data, locale: "de_DE" });
  const version = (await service.find("order", "de"))?.version;

  t.match(html, /^<!doctype html>\n<html lang="de-DE" dir="ltr">\n<head>\n<meta charset="utf-8">\n/);
  t.match(html, "<title>Auftrag – A &amp; &#34;B&#34; &lt;/title&gt;</title>");
  t.match(html, "<body>\n<h1>Auftrag</h1>\n</body>");
  t.match(html, '@top-center { content: "A & \\22 B\\22  \\3c /title\\3e "; white-space: pre-line }');
  t.match(
    html,
    '@bottom-center { content: "\\22 Quoted\\22  & \\5c \\a second line\\a \\a9  1.000"; white-space: pre-line }',
  );
  t.ok(html.indexOf("@page") < html.indexOf("p { content"), "the style sheet of the template comes last");
  t.equal(html.split("</style").length, 2, "a style sheet cannot end its element");
  t.match(html, `background: url("/templates/${version}/assets/dot.svg")`);
  t.match(html, 'url("assets/none.svg")', "only what is there gets an address");

  const bare = await render(service, "plain", { locale: "ar_EG" });
  t.match(bare, '<html lang="ar-EG" dir="rtl">');
  t.match(bare, "<title>Template plain</title>");
  t.notMatch(bare, "@page", "there are no margin boxes without header and footer");
});

t.test("templates of plugins serve behind those of the folders, from one version to the next", async (t) => {
  const folder = t.testdir({
    own: { offer: reportOnly("offer", "<p>own</p>") },
    first: { letter: reportOnly("letter", "<p>first</p>"), offer: reportOnly("offer", "<p>plugin</p>") },
    second: { letter: reportOnly("letter", "<p>second</p>"), note: reportOnly("note", "<p>note</p>") },
    broken: { letter: reportOnly("letter", "<p><%= d. %>") },
    other: { mine: reportOnly("letter", "<p>other</p>") },
  });
  // Only a plugin that is gone for this long loses its templates.
  const service = await startTemplates(t, join(folder, "own"), { settlingTime: 50 });
  const use = (...versions: [plugin: string, version: string][]): Promise<void> =>
    service.usePlugins(versions.map(([plugin, version]) => ({ plugin, folder: join(folder, version) })));
  const stateOf = (plugin: string, key: string) =>
    service.states().find((state) => state.plugin === plugin && state.key === key);

  await use(["Letters", "first"]);
  t.equal(await renderBody(service, "letter"), "<p>first</p>");
  t.equal(await renderBody(service, "offer"), "<p>own</p>");
  t.match(stateOf("Letters", "offer"), {
    version: undefined,
    error: /"offer" is already a key .* in offer$/,
  });
  const before = (await service.find("letter", "en"))?.version ?? "";

  await use(["Letters", "second"], ["Other", "other"]);
  t.equal(await renderBody(service, "letter"), "<p>second</p>", "at once");
  t.equal(await renderBody(service, "note"), "<p>note</p>");
  t.equal(await renderBody(service, "letter", { version: before }), "<p>first</p>", "what has begun goes on");
  t.match(stateOf("Other", "mine"), { error: /is already a key .* in letter of the plugin Letters$/ });

  await use(["Letters", "broken"], ["Other", "other"]);
  t.equal(await renderBody(service, "letter"), "<p>second</p>", "the last good one");
  t.match(stateOf("Letters", "letter"), { error: /^report\.ejs:1:11: / });

  await use(["Other", "other"]);
  await until(
    async () => (await service.find("letter", "en"))?.version === stateOf("Other", "letter")?.version,
  );
  t.equal(await renderBody(service, "letter"), "<p>other</p>", "its name is free");
  t.equal(stateOf("Letters", "letter"), undefined);
});

t.test("texts of the other direction keep their order", async (t) => {
  const hebrew = "\u05db\u05d9\u05e1\u05d0 (A-1)";
  const words = { of: "{number} of {name}", braces: "{missing}" };
  const folder = t.testdir({
    mixed: {
      "template.json": definition("mixed"),
      "report.ejs": [
        '<%= d.t("of", { number: "A-1", name: d.data.name }) %>',
        '<%= d.t("braces", { number: "A-1" }) %>|<%= d.t("of", { number: "", name: null }) %>',
        '<%= d.isolated(d.data.name) %>|<%= d.isolated("A-1") %>|<%= d.isolated(null) %>|<%= d.dir %>',
      ].join("\n"),
      i18n: { "en.json": JSON.stringify(words), "ar.json": JSON.stringify(words) },
    },
  });
  const service = await startTemplates(t, folder);
  const lines = async (locale: string, name: string) =>
    (await renderBody(service, "mixed", { data: { name }, locale })).split("\n");
  const apart = (text: string) => `\u2068${text}\u2069`;
  t.strictSame(await lines("en_GB", "Chair"), ["A-1 of Chair", "{missing}| of ", "Chair|A-1||ltr"]);
  t.strictSame(await lines("en_GB", hebrew), [
    `A-1 of ${apart(hebrew)}`,
    "{missing}| of ",
    `${apart(hebrew)}|A-1||ltr`,
  ]);
  t.strictSame(await lines("ar_EG", "Chair"), [
    `${apart("A-1")} of ${apart("Chair")}`,
    "{missing}| of ",
    `${apart("Chair")}|${apart("A-1")}||rtl`,
  ]);
  for (const letter of ["\u0627", "\ufb1d", "\ufe8d", "\u{1e900}", "\u{10800}"])
    t.equal((await lines("en_GB", letter))[0], `A-1 of ${apart(letter)}`);
  for (const letter of ["\u0939", "\u65e5", "\u{1f600}", "\ufeff", "\u20ac"])
    t.equal((await lines("en_GB", letter))[0], `A-1 of ${letter}`);
});

t.test("helpers and partials serve the body", async (t) => {
  const folder = t.testdir({
    helpers: {
      "template.json": definition("helpers"),
      "report.ejs": [
        '<%= "<a href=\'x\'>&\\"" %>|<%- "<b>" %>|<%= null %><%= undefined %>|<%= 0 %>',
        '<%= d.money("1349.13") %>|<%= d.money(d.data.value, "JPY") %>|<%= d.amount("-2.5") %>|<%= d.money(null) %>|',
        '<%= d.number("2.50") %>|<%= d.number(1234.5, { digits: 2 }) %>|<%= d.number(0.0000001) %>|<%= d.percent("20") %>',
        '<%= d.date("2024-07-18") %>|<%= d.date("2024-07-18T23:00:00-02:00", "long") %>|<%= d.date(null) %>',
        '<%= d.lines("a\\r\\nb\\n\\nc").join("/") %>|<%= d.lines(null).length %>',
        '<%= d.position({ position: "2.1" }) %>|<%= d.position(null) %>',
        '<%= d.image({ url: "/assets/abc" }) %>|<%= d.image(null) %>',
        '<%= d.asset("assets/a b.svg") %>',
        "<%= d.lang %>|<%= d.dir %>",
        "<% for (const item of d.data.items) { -%>",
        '<%- include("partials/item", { item }) -%>',
        "<% } -%>",
        '<%- include("partials/item.ejs", { item: { name: "last" } }) %>',
        "<!-- a comment --> import ('x') and eval ('y') <%= '<!-- -->' %>",
      ].join("\n"),
      partials: {
        "item.ejs":
          '[<%= d.item.name %> of <%= d.data.items.length %><%- include("partials/more", { more: 1 }) %>]',
        "more.ejs": " <%= d.more %><%= d.item.name %>",
      },
      assets: { "a b.svg": "<svg/>" },
    },
  });
  const service = await startTemplates(t, folder);
  const data = { currency: "GBP", value: "1349.5", items: [{ name: "one" }, { name: "<two>" }] };
  const body = await renderBody(service, "helpers", { data, locale: "de_DE", formatLocale: "en_GB" });
  const version = (await service.find("helpers", "de"))?.version;
  t.strictSame(body.split("\n"), [
    "&lt;a href=&#39;x&#39;&gt;&amp;&#34;|<b>||0",
    "GBP 1,349.13|JPY 1,350|-2.50||",
    "2.5|1,234.50|0|20%",
    "18/07/24|19 July 2024|",
    "a/b//c|0",
    "2.1|",
    "/assets/abc|",
    `/templates/${version}/assets/a%20b.svg`,
    "de|ltr",
    "[one of 2 1one][&lt;two&gt; of 2 1&lt;two&gt;][last of 2 1last]",
    "<!-- a comment --> import ('x') and eval ('y') &lt;!-- --&gt;",
  ]);
});

t.test("texts are found by region, language, English and the first language", async (t) => {
  const folder = t.testdir({
    texts: {
      ...reportOnly(
        "texts",
        '<%= ["a", "b", "c", "e"].map((key) => d.t(key, { n: "<1>", gone: null })).join("|") %>',
      ),
      i18n: {
        "aa.json": '{"c":"first {n} {other} {gone}."}',
        "de-CH.json": '{"a":"Züri"}',
        "de.json": '{"a":"Berlin","b":"deutsch"}',
        "en.json": '{"a":"London","b":"english {"}',
      },
    },
  });
  const lines: LoggedLine[] = [];
  const service = await startTemplates(t, folder);
  t.equal(
    await renderBody(service, "texts", { locale: "de_CH", lines }),
    "Züri|deutsch|first &lt;1&gt; {other} .|e",
  );
  t.equal(
    await renderBody(service, "texts", { locale: "de", lines }),
    "Berlin|deutsch|first &lt;1&gt; {other} .|e",
  );
  t.equal(
    await renderBody(service, "texts", { locale: "sv", lines }),
    "London|english {|first &lt;1&gt; {other} .|e",
  );
  const beginning = async (locale: string) =>
    (await render(service, "texts", { locale, lines })).slice(16, 46);
  t.equal(await beginning("de_AT"), '<html lang="de-AT" dir="ltr">\n');
  t.match(await beginning("ar_EG"), '<html lang="en" dir="ltr">', "the language that its texts are in");
  const missing = lines.filter((line) => line.message.includes("no text for some keys"));
  t.strictSame(missing, [
    {
      level: "warn",
      message: "A template has no text for some keys.",
      fields: { key: "texts", missing: ["e"] },
    },
  ]);
  const advice = "add it, or a report in this language has it in another one";
  t.strictSame(service.states()[0]?.warnings, [
    `i18n/aa.json: no text for "a", "b"; ${advice}`,
    `i18n/de.json: no text for "c"; ${advice}`,
    `i18n/en.json: no text for "c"; ${advice}`,
  ]);
});

t.test("a number takes the plural form of the language that its text is in", async (t) => {
  const folder = t.testdir({
    counts: {
      ...reportOnly(
        "counts",
        '<%= [1, "2", 5, 1200, "1.5"].map((n) => d.count("chairs", n, { of: "<3>" })).join("|") %>|<%= d.count("plain", 2) %>',
      ),
      i18n: {
        "en.json": JSON.stringify({
          "chairs.one": "a chair of {of}",
          "chairs.other": "{count} chairs of {of}",
          plain: "Also {count}",
        }),
        "pl.json": JSON.stringify({
          "chairs.one": "{count} krzesło {of}",
          "chairs.few": "{count} krzesła {of}",
          "chairs.many": "{count} krzeseł {of}",
          "chairs.other": "{count} krzesła! {of}",
          plain: "Też {count}",
        }),
        "cs.json": '{"chairs.one":"{count} {of}","chairs.few":"{count}","chairs.two":"2 {fo}"}',
      },
    },
  });
  const service = await startTemplates(t, folder);
  t.equal(
    await renderBody(service, "counts", { locale: "en_GB" }),
    "a chair of &lt;3&gt;|2 chairs of &lt;3&gt;|5 chairs of &lt;3&gt;|1,200 chairs of &lt;3&gt;|1.5 chairs of &lt;3&gt;|Also 2",
  );
  t.equal(
    await renderBody(service, "counts", { locale: "pl_PL" }),
    "1 krzesło &lt;3&gt;|2 krzesła &lt;3&gt;|5 krzeseł &lt;3&gt;|1\u{a0}200 krzeseł &lt;3&gt;|1,5 krzesła! &lt;3&gt;|Też 2",
  );
  t.equal(
    await renderBody(service, "counts", { locale: "cs_CZ" }),
    "1 &lt;3&gt;|2|5 chairs of &lt;3&gt;|1\u{a0}200 chairs of &lt;3&gt;|1,5 chairs of &lt;3&gt;|Also 2",
  );
  t.strictSame(service.states()[0]?.warnings, [
    'i18n/cs.json: no text for "chairs.many", "chairs.other", "plain"; add it, or a report in this language has it in another one',
    'i18n/cs.json: "chairs.two" is never used, because the plural forms of the language are one, few, many, other; remove it',
    'i18n/cs.json: "chairs.few" lacks {of}, unlike i18n/en.json; use the same placeholders in all languages',
    'i18n/cs.json: "chairs.two" lacks {of} and has {fo}, unlike i18n/en.json; use the same placeholders in all languages',
  ]);
});

t.test("a word of a template replaces the shared one with all its plural forms", async (t) => {
  const folder = t.testdir({
    _words: {
      i18n: { "en.json": '{"unit.one":"day","unit.other":"days","box":"box","set.one":"a","set.other":"b"}' },
    },
    own: {
      ...reportOnly(
        "own",
        '<%= ["unit", "box", "set"].flatMap((key) => [d.count(key, 1), d.count(key, 2)]).join("|") %>',
        { shared: ["_words"] },
      ),
      i18n: { "en.json": '{"unit":"d","box.one":"one box","box.other":"boxes","set.one":"A"}' },
    },
  });
  t.equal(await renderBody(await startTemplates(t, folder), "own"), "d|d|one box|boxes|A|b");
});

t.test("the list and the options come in the language of the client", async (t) => {
  const categories = [
    {
      key: "layout",
      label: { en: "Layout", de: "Gestaltung" },
      fields: [
        {
          key: "size",
          label: { en: "Size" },
          type: "int",
          default: -1,
          options: [
            { key: "-1", label: { en: "none", de: "keine" } },
            { key: "20", label: { fr: "vingt" } },
          ],
        },
        { key: "prices", label: { de: "Preise", en: "Prices" }, type: "boolean", default: true },
        { key: "note", label: { en: "Note" }, type: "string" },
      ],
    },
  ];
  const folder = t.testdir({
    "folder-name": reportOnly("zulu", "x", {
      aliases: ["old-name"],
      name: { en: "Zulu", de: "Sulu" },
      description: { en: "A report" },
      category: { key: "sales", name: { en: "Sales", de: "Vertrieb" } },
      version: "2.1",
      sortWeight: -5,
      accessibility: true,
      options: { categories },
    }),
    b: reportOnly("bravo", "x"),
    a: reportOnly("alpha", "x"),
    ".hidden": reportOnly("hidden", "x"),
    "README.md": "not a template",
  });
  const service = await startTemplates(t, folder);
  t.equal(problems(service), "");
  const list = await service.list("de_DE", false);
  t.strictSame(
    list.map(({ key }) => key),
    ["zulu", "alpha", "bravo"],
    "by weight, then by key",
  );
  t.strictSame(list[0], {
    category: { key: "sales", name: "Vertrieb" },
    description: "A report",
    key: "zulu",
    name: "Sulu",
    pageBreaksDisabled: false,
    properties: [],
    sortWeight: -5,
    source: "server",
    templateKey: "zulu",
    version: "2.1",
    views: [],
  });
  const found = await service.find("old-name", "de_AT");
  t.match(found, { accessibility: true, scripts: false, version: /^[0-9a-f]{64}$/, record: { key: "zulu" } });
  t.strictSame(found?.options, {
    attachments: {},
    categories: [
      {
        key: "layout",
        label: "Gestaltung",
        fields: [
          {
            key: "size",
            label: "Size",
            type: "int",
            default: -1,
            options: [
              { key: "-1", label: "keine" },
              { key: "20", label: "vingt" },
            ],
          },
          { key: "prices", label: "Preise", type: "boolean", default: true },
          { key: "note", label: "Note", type: "string" },
        ],
      },
    ],
  });
  t.equal(await service.find("Zulu", "de"), undefined, "keys are case sensitive");
  t.equal(await renderBody(service, "old-name"), "x", "an alias can be rendered");
});

t.test("everything that is wrong with a template is said, with file and line", async (t) => {
  const field = (changes: object) => ({ key: "k", label: { en: "K" }, type: "int", ...changes });
  const options = (...fields: object[]) => ({
    options: { categories: [{ key: "c", label: { en: "C" }, fields }] },
  });
  const folder = t.testdir({
    "01": { "report.ejs": "" },
    "02": { "template.json": "{", "report.ejs": "" },
    "03": reportOnly("x y", "", { name: {}, colour: "red", sortWeight: "1", aliases: ["ok", 5] }),
    "04": reportOnly("four", "", {
      aliases: ["a", "a", "four"],
      ...options(
        field({ default: "1" }),
        field({ key: "l", default: 3, options: [{ key: "4", label: { en: "4" } }] }),
        field({ key: "m", options: [{ key: "x", label: { en: "X" } }] }),
        field({ key: "n", type: "boolean", options: [{ key: "true", label: { en: "T" } }] }),
        field({ key: "n", type: "string", default: 1 }),
      ),
    }),
    "05": { "template.json": definition("five") },
    "06": {
      ...reportOnly("six", "\n\n<% if (d.data.a { %>\nx\n<% } %>"),
      "header.ejs": "one\ntwo <%= d.x",
      "footer.ejs": "<p>\n<%\n  const a = 1;\n  const a = 2;\n%>",
      partials: { "p.ejs": "a\n<% for (;;) { %>\nb\n" },
      i18n: { "de.json": '{"a":1,"b":"x"}', "english.json": "{}", "fr.json": "[" },
    },
    "07": reportOnly("seven", "", { allowUnsafeVelocityAccess: true }),
    "08": reportOnly("eight", "<% } catch (e) {} }); globalThis.x = 1; (function () { try { %>"),
    "09": reportOnly("nine", 'x\n<% import("node:fs") %>'),
    "10": reportOnly("ten", "x\n<% eval('1') %>"),
    "13": reportOnly("thirteen", "x", { page: { size: { width: 0, height: 90 } } }),
    "14": reportOnly("fourteen", "x", {
      page: { size: { width: 60, height: 90 }, orientation: "landscape" },
    }),
    "11": {
      "template.json": definition("eleven").replace(/^\{/, '{\n"name": { "en": "a", "en": "b" },\n'),
      "report.ejs": "x",
    },
    "12": {
      ...reportOnly("twelve", "x", { shared: ["_texts"] }),
      i18n: { "de.json": '{ "a": "a" }', "en.json": '{\n"b": "b",\n"c": 2 }' },
    },
    _texts: { i18n: { "de.json": '{\n"a": 5\n}', "en.json": "{}" } },
  });
  const service = await startTemplates(t, folder);
  t.strictSame(await service.list("en", false), []);
  const errors = service.states().map(({ error }) => (error ?? "").split("\n"));
  t.match(errors[0], ["template.json: the file is missing"]);
  t.match(errors[1], [/^template\.json:1:\d+: not valid JSON: /]);
  for (const expected of [
    /^template\.json:1: `key` .*"x y"/,
    /^template\.json:1: `name` /,
    /^template\.json:1: `colour` is not a known field/,
    /^template\.json:1: `sortWeight` must be an integer, but is "1"/,
    /^template\.json:1: `aliases\[1\]` must be a string, but is 5/,
  ]) {
    t.ok(
      errors[2]?.some((line) => expected.test(line)),
      String(expected),
    );
  }
  const fields = "template.json:1: `options.categories[0].fields";
  t.strictSame(errors[3], [
    'template.json:1: `aliases` has the name "a" twice',
    'template.json:1: `aliases` has the name "four" twice',
    'template.json:1: `options.categories` has the field "n" twice',
    `${fields}[0].default\` must be a whole number, but is "1"`,
    `${fields}[1].default\` must be the key of one of its choices, but is 3`,
    'template.json:1: The keys of `options.categories[0].fields[2].options` must be whole numbers, but one is "x"',
    `${fields}[3].options\` has no meaning for a field of type "boolean"; leave it out`,
    `${fields}[4].default\` must be a text, but is 1`,
  ]);
  t.strictSame(errors[4], ["report.ejs: the file is missing"]);
  t.match(errors[5], [
    'i18n/de.json:1: the keys "a" must have texts',
    'i18n/english.json: its name must be one such as "de.json" or "de-CH.json"',
    /^i18n\/fr\.json:1:\d+: not valid JSON: /,
  ]);
  t.strictSame(errors[10], [
    'template.json:2: "en" is there twice',
    'template.json:3: "name" is there twice',
  ]);
  t.strictSame(errors[11], [
    '_texts/i18n/de.json:2: the keys "a" must have texts',
    'i18n/en.json:3: the keys "c" must have texts',
  ]);
  t.match(errors[6], [/allowUnsafeVelocityAccess: the host's configuration does not permit it for "seven"/]);
  t.match(errors[7], [/^report\.ejs:1:4: /]);
  t.match(errors[8], [/^report\.ejs:2:4: import is refused/]);
  t.match(errors[9], [/^report\.ejs:2:4: eval is refused/]);
  t.match(errors[12], [/^template\.json:1: `page\.size` must be one of the allowed forms/]);
  t.match(errors[13], [
    "template.json:1: `page.orientation` has no meaning beside a size in millimetres; leave it out",
  ]);

  await rm(join(folder, "06", "i18n"), { recursive: true });
  await service.list("en", true);
  t.match(service.states()[5]?.error?.split("\n").sort(), [
    /^footer\.ejs:4:9: .*'a'/,
    'header.ejs:2:5: no end for the tag that begins with "<%= d.x"',
    /^partials\/p\.ejs:3: ./,
    /^report\.ejs:3:17: ./,
  ]);
});

t.test("a failing template names key, file, line and message, and nothing of the host", async (t) => {
  const thrower = (code: string) => `one\n\n<p>\n<% ${code} %></p>`;
  const folder = t.testdir({
    partial: {
      ...reportOnly("partial", '<%- include("partials/outer") %>'),
      partials: { "outer.ejs": 'x\n<%- include("partials/inner") %>', "inner.ejs": thrower("d.gone.name") },
    },
    caught: reportOnly("caught", 'a\n<% try { include("none") } catch {} %>\n<%= d.gone.name %>'),
    include: reportOnly("include", 'a\n<%- include("../other/report") %>'),
    asset: reportOnly("asset", 'a\n<%= d.asset("report.ejs") %>'),
    money: reportOnly("money", '\n<%= d.money("1,5", "EUR") %>'),
    odd: reportOnly("odd", "<% throw { toString() { throw 1 } } %>"),
    text: reportOnly("text", "\n<% throw 'a text' %>"),
    header: { ...reportOnly("header", "x"), "header.ejs": "\n<%= d.gone.name %>" },
    recursion: {
      ...reportOnly("recursion", '<%- include("again") %>'),
      "again.ejs": '\n<%- include("again") %>',
    },
    frozen: reportOnly("frozen", "\n<% d.data.items.push(1) %>"),
  });
  const service = await startTemplates(t, folder);
  t.equal(problems(service), "");
  const noName = engineMessage("const { gone } = {}; gone.name");
  const expected: Record<string, [file: string, line: number | undefined, message: RegExp | string]> = {
    partial: ["partials/inner.ejs", 4, noName],
    caught: ["report.ejs", 3, noName],
    include: ["report.ejs", 2, /^include: the template has no file "\.\.\/other\/report\.ejs"$/],
    asset: ["report.ejs", 2, /^asset: the template has no file "report\.ejs"$/],
    money: ["report.ejs", 2, /decimal number as text such as "1052\.40", received "1,5"/],
    odd: ["report.ejs", 1, /an error without a message/],
    text: ["report.ejs", 2, /^a text$/],
    header: ["header.ejs", 2, noName],
    recursion: ["again.ejs", 2, /^include: nested deeper than 250$/],
    frozen: ["report.ejs", 2, engineMessage("Object.freeze([]).push(1)")],
  };
  for (const [key, [file, line, message]] of Object.entries(expected)) {
    const error = await failure(service, key, { data: { items: [] } });
    t.match(error, { code: 500, id: "template-error", type: "template", cause: [message], scopes: [] }, key);
    t.strictSame(error.additionalInformation, { templateKey: key, file, ...(line && { line }) }, key);
    t.ok(error.message.includes(`"${key}"`) && error.message.includes(`${file}:${line}: `), error.message);
    t.notMatch(
      JSON.stringify(error),
      /node:|file:\/\/|\/host\/|\/work\/|\/tmp\/|\\n\s+at /,
      "no stack, no path",
    );
  }
  t.match(await failure(service, "text", { data: "{" }), {
    id: "template-error",
    message: /at data: .*JSON/,
  });
  t.match(await failure(service, "text", { locale: "de_DE", formatLocale: "german" }), {
    code: 400,
    id: "request-bad-request",
    message: '`formatLocale` must be a locale such as "de_DE", but is "german".',
  });
  t.match(await failure(service, "text", { version: "0".repeat(64) }), {
    code: 404,
    id: "request-template-not-found",
  });
});

t.test("a changed template takes effect, a broken one does not, and what began goes on", async (t) => {
  const folder = t.testdir({ live: reportOnly("live", "first"), other: reportOnly("other", "other") });
  const lines: LoggedLine[] = [];
  const service = await startTemplates(t, folder, { watch: true, settlingTime: 50 }, lines);
  const versionOf = async (key: string) => (await service.find(key, "en"))?.version;
  /** Waits for what the watch brings; the time limit of the test ends it otherwise. */
  const until = async (condition: () => Promise<boolean> | boolean) => {
    while (!(await condition())) await pause(20);
  };
  const first = await versionOf("live");

  await writeFile(join(folder, "live", "report.ejs"), "second");
  await until(async () => (await versionOf("live")) !== first);
  t.equal(await renderBody(service, "live"), "second");
  t.equal(
    await renderBody(service, "live", { version: first ?? "" }),
    "first",
    "the replaced version still renders",
  );

  await writeFile(join(folder, "live", "report.ejs"), "<% broken( %>");
  await until(() => problems(service) !== "");
  t.match(problems(service), /^report\.ejs:1: /);
  t.equal(await renderBody(service, "live"), "second", "the last good version keeps serving");
  t.ok(
    lines.some(({ level, fields }) => level === "error" && /report\.ejs:1/.test(String(fields["reason"]))),
  );

  await writeFile(join(folder, "live", "report.ejs"), "first");
  await until(() => problems(service) === "");
  t.equal(await versionOf("live"), first, "equal content is the same version");

  await writeFiles(join(folder, ".incoming"), reportOnly("moved", "moved in"));
  await rename(join(folder, ".incoming"), join(folder, "moved"));
  await until(async () => (await versionOf("moved")) !== undefined);
  t.equal(await renderBody(service, "moved"), "moved in");

  const other = await versionOf("other");
  await rm(join(folder, "other"), { recursive: true });
  await until(async () => (await versionOf("other")) === undefined);
  t.equal(await renderBody(service, "other", { version: other ?? "" }), "other", "what began can finish");
});

t.test("what tools do to a folder besides saving", async (t) => {
  const folder = t.testdir({
    live: { ...reportOnly("live", "live"), i18n: { "en.json": "{}" }, assets: {} },
    busy: reportOnly("busy", "busy"),
  });
  const lines: LoggedLine[] = [];
  const service = await startTemplates(t, folder, { watch: true, settlingTime: 50 }, lines);
  const versionOf = async (key: string) => (await service.find(key, "en"))?.version;
  const first = await versionOf("live");

  for (const name of ["4913", "#report.ejs#", "i18n/#en.json#", "i18n/en.json___jb_tmp___", "i18n/Thumbs.db"])
    await writeFile(join(folder, "live", name), "left behind");
  await service.list("en", true);
  t.equal(problems(service), "");
  t.equal(await versionOf("live"), first, "what editors leave behind is no part of a template");

  await rename(join(folder, "live"), join(folder, "renamed"));
  while (!service.states().some((state) => basename(state.folder) === "renamed" && state.version === first))
    await pause(5);
  t.equal(service.states().length, 2);
  t.strictSame(
    lines.filter(({ level }) => level === "error"),
    [],
    "a folder with another name is no conflict with itself",
  );

  let isBusy = true;
  const writing = (async () => {
    while (isBusy) {
      await writeFile(join(folder, "busy", "notes.txt"), String(performance.now()));
      await pause(5);
    }
  })();
  await writeFile(join(folder, "renamed", "report.ejs"), "changed");
  while ((await versionOf("live")) === first) await pause(5);
  isBusy = false;
  await writing;
  t.equal(await renderBody(service, "live"), "changed", "what never comes to rest keeps no other from it");

  await symlink("nothing", join(folder, "renamed", "assets", "a"));
  await service.list("en", true);
  t.equal(problems(service), "assets/a: a link that leads nowhere.");
  await rm(join(folder, "renamed", "assets", "a"));
  await symlink("b", join(folder, "renamed", "assets", "b"));
  await service.list("en", true);
  t.equal(problems(service), "assets/b: cannot be read (ELOOP).");
});

t.test("asked to reload, the folder is read again", async (t) => {
  const folder = t.testdir({ one: reportOnly("one", "1") });
  const service = await startTemplates(t, folder);
  await writeFiles(join(folder, "two"), reportOnly("two", "2"));
  await writeFile(join(folder, "one", "report.ejs"), "changed");
  t.equal((await service.list("en", false)).length, 1, "without the watch nothing changes by itself");
  t.strictSame(
    (await service.list("en", true)).map(({ key }) => key),
    ["one", "two"],
  );
  t.equal(await renderBody(service, "one"), "changed");
  await Promise.all([service.list("en", true), service.list("en", true), service.list("en", true)]);
  t.equal(await renderBody(service, "two"), "2");

  await rename(folder, `${folder}-away`);
  t.teardown(() => rm(`${folder}-away`, { recursive: true, force: true }));
  t.equal((await service.list("en", true)).length, 2, "a folder that cannot be listed unloads nothing");
});

t.test("of two templates with one name the first stays", async (t) => {
  const folder = t.testdir({
    b: reportOnly("shared", "b"),
    c: reportOnly("other", "c", { aliases: ["alias"] }),
  });
  const service = await startTemplates(t, folder);
  await writeFiles(join(folder, "a"), reportOnly("shared", "a"));
  await writeFiles(join(folder, "d"), reportOnly("alias", "d"));
  await service.list("en", true);
  t.match(problems(service), 'template.json: "shared" is already a key or an alias of the template in b');
  t.match(problems(service), 'template.json: "alias" is already a key or an alias of the template in c');
  t.equal(await renderBody(service, "shared"), "b");
  t.equal(await renderBody(service, "alias"), "c");

  await rm(join(folder, "b"), { recursive: true });
  await writeFile(join(folder, "c", "template.json"), definition("other"));
  await service.list("en", true);
  t.equal(problems(service), "");
  t.equal(await renderBody(service, "shared"), "a", "a name that is free again is taken");
  t.equal(await renderBody(service, "alias"), "d");
});

t.test("nothing outside of a template's assets can be reached", async (t) => {
  const folder = t.testdir({
    "secret.svg": "secret",
    good: {
      ...reportOnly("good", "x"),
      assets: { "a.svg": "<svg>a</svg>", deep: { "b.woff2": "b" }, ".c": "c" },
    },
    escape: { ...reportOnly("escape", "x"), assets: { "in.svg": t.fixture("symlink", "../report.ejs") } },
  });
  await symlink(join(folder, "secret.svg"), join(folder, "escape", "assets", "out.svg"));
  const service = await startTemplates(t, folder);
  t.equal(problems(service), "assets/out.svg: a link that leads out of the folder.");
  await rm(join(folder, "escape", "assets", "out.svg"));
  await mkdir(join(folder, "escape", "assets", "folder"));
  await service.list("en", true);
  t.equal(problems(service), "");

  const version = (await service.find("good", "en"))?.version ?? "";
  const text = async (path: string, of = version) => {
    const found = await service.asset(of, path);
    return found && [found.mediaType, Buffer.from(found.content).toString()];
  };
  t.strictSame(await text("assets/a.svg"), ["image/svg+xml", "<svg>a</svg>"]);
  t.strictSame(await text("assets/deep/b.woff2"), ["font/woff2", "b"]);
  const escapeVersion = (await service.find("escape", "en"))?.version;
  t.strictSame(await text("assets/in.svg", escapeVersion), ["image/svg+xml", "x"], "a link inside is a file");
  for (const path of [
    "report.ejs",
    "template.json",
    "assets/../template.json",
    "assets/../../secret.svg",
    "../secret.svg",
    join(folder, "secret.svg"),
    "assets/.c",
    "assets/",
    "assets",
    "",
    "__proto__",
    "assets/a.svg\0",
    "assets//a.svg",
    "assets%2Fa.svg",
  ]) {
    t.equal(await text(path), undefined, JSON.stringify(path));
  }
  t.equal(await text("assets/a.svg", "good"), undefined, "a version is a hash");

  await rm(join(folder, "good", "assets"), { recursive: true });
  t.strictSame(await text("assets/a.svg"), ["image/svg+xml", "<svg>a</svg>"], "the version keeps its files");
});
