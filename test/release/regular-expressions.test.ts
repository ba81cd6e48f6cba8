/**
 * No regular expression takes more than linear time, whatever text it is given: one text of a project would stop the host, or
 * all others of a plugin. An anchor at the end does not help: /\s+$/ begins anew at every blank of a run of them.
 */
import t from "tap";
import { type Expression, expressionsOfSources } from "../regular-expressions/expressions.js";
import { growth } from "../regular-expressions/growth.js";

// The form of the checker in JavaScript: it runs everywhere, and needs neither Java nor a program for each system.
process.env["RECHECK_BACKEND"] = "pure";
const { checkSync } = await import("recheck");

/** Milliseconds for one expression. A busy machine needs more than an idle one, where all but a few take less than a second. */
const patience = 60_000;

type MakeText = (size: number) => string;
const repeated =
  (part: string, end = ""): MakeText =>
  (size) =>
    part.repeat(size / part.length) + end;

/**
 * Expressions that the checker does not understand (lookaheads, backreferences) or takes seconds for (words and alternatives),
 * with texts that are made against them: for each loop some that stay in it, begin it again and again, and fail behind it.
 */
const fed: Record<string, MakeText[]> = {
  "/^Max open files\\s+(\\S+)/m": [repeated("Max open files"), repeated("\nMax open files"), repeated("\n")],
  "/^(?:\\/([^/]+))?\\/EAIWS\\/plugins\\/([^/]+)\\/(.+)$/": [
    repeated("/EAIWS/plugins/"),
    repeated("/"),
    repeated("/x", "\n"),
  ],
  "/^(?:\\/\\/|\\/\\*)# sourceMappingURL=.*$/m": [
    repeated("//# sourceMappingURL="),
    repeated("\n//# sourceMappingURL"),
  ],
  "/\\burl\\((\"|'|)(assets\\/[^\"'()\\s]+)(\"|'|)\\)/g": [
    repeated("url(assets/"),
    repeated("url('assets/x'"),
    repeated(" url(assets/x"),
  ],
  "/(?:[\\t\\n\\f\\r ]+|<!--(?:-?>|[\\s\\S]*?--!?>)|<[!?](?!--)[^>]*>)*/y": [
    repeated(" "),
    repeated("<!--"),
    repeated("<!-- --"),
    repeated("<!-->"),
    repeated("<!-- -->"),
    repeated("<!"),
    repeated("<!x>"),
    (size) => `<?${repeated("<?")(size)}`,
  ],
  "/<!--|-->|\\bimport(?=\\s*[(./])|\\beval(?=\\s*\\()/g": [
    (size) => `import${repeated(" ")(size)}`,
    (size) => `eval${repeated(" ")(size)}`,
    repeated("import "),
    repeated("eval "),
    repeated("<!-"),
  ],
  "/-->|(?<!\\.)\\b(?:import|eval)(?=\\s*\\()/": [
    (size) => `import${repeated(" ")(size)}`,
    (size) => `eval${repeated(" ")(size)}`,
    repeated("import "),
    repeated(".eval "),
    repeated("--"),
  ],
  "/^(?:ï»¿)?<\\?xml[^>]*?\\sencoding\\s*=\\s*[\"']([^\"']+)[\"']/": [
    (size) => `<?xml${repeated(" encoding")(size)}`,
    (size) => `<?xml${repeated(" encoding=")(size)}`,
    (size) => `<?xml encoding${repeated(" ")(size)}`,
    (size) => `<?xml encoding='${repeated(" encoding=")(size)}`,
    repeated("<?xml encoding='"),
  ],
  "/(<pageSetUpPr[^<>]*>)(<outlinePr[^<>]*>)/": [
    repeated("<pageSetUpPr"),
    repeated("<pageSetUpPr>"),
    repeated("<pageSetUpPr><outlinePr "),
  ],
};

/** Files with an expression that is made of more than constants. */
const computed = [
  "host/api/audited.ts", // of the name of a tag of operations
  "host/pdf/fonts/font-scripts.ts", // of the Unicode name of a script
  "sdk/runtime/plugin/schema-validity.ts", // patterns of schemas, which are made and not run
];

const { expressions, unknown } = expressionsOfSources();
const name = ({ source, flags }: Expression): string => `/${source}/${flags}`;

t.test("expressions are found wherever sources have them", async (t) => {
  const has = (source: string): boolean => expressions.some((each) => each.source === source);
  t.ok(has("^[A-Z]{3}$"), "the pattern of a schema");
  t.ok(has("\\d+"), "code of a template");
  t.ok(has("^\\u001e(\\d{1,15})\\u001f") || has("^\u001e(\\d{1,15})\u001f"), "one made of a text");
  t.same(unknown, computed);
});

t.test("what is quadratic is noticed", async (t) => {
  t.equal(verdict({ source: "[. ]+$", flags: "", places: [] }), "is 2nd degree polynomial");
  t.ok(growth((text) => text.replace(/ +x/g, ""), repeated(" ")) >= 10);
});

t.test("no expression is more than linear", async (t) => {
  for (const expression of expressions.filter(isUnbounded)) {
    if (Object.hasOwn(fed, name(expression))) continue;
    const found = verdict(expression);
    if (found !== undefined) t.fail(`${name(expression)} ${found}`, { places: expression.places });
  }
});

t.test("expressions that are not understood take linear time for texts made against them", async (t) => {
  for (const [key, texts] of Object.entries(fed)) {
    const expression = expressions.find((each) => name(each) === key);
    if (expression === undefined) {
      t.fail(`${key} is in no source any more`);
      continue;
    }
    const { source, flags } = expression;
    const all = new RegExp(source, flags.includes("g") || flags.includes("y") ? flags : `${flags}g`);
    for (const text of texts) {
      const measured = () => growth((given) => given.replace(all, ""), text);
      let times = measured();
      // A processor that slowed down in between makes one of them look so, and hardly all.
      for (let again = 0; times >= 10 && again < 5; again += 1) times = Math.min(times, measured());
      t.ok(times < 10, `${key} on ${JSON.stringify(text(60)).slice(0, 60)}`, { times });
    }
  }
});

/** Without a loop the length of a text plays no part at each place of it. */
function isUnbounded({ source }: Expression): boolean {
  const withoutLetters = source.replace(/\\./gs, "x").replace(/\[[^\]]*\]/g, "x");
  return /[*+]|\{\d+,\}/.test(withoutLetters);
}

/** Undefined for a linear one. */
function verdict({ source, flags }: Expression): string | undefined {
  const found = checkSync(unrolled(source), flags, { checker: "automaton", timeout: patience });
  if (found.status === "safe") return undefined;
  return found.status === "vulnerable"
    ? `is ${found.complexity.summary}`
    : "is not understood: add it to those that are fed, with texts against it";
}

/** The checker makes a state of each of so many repetitions; a loop without an end is as slow for any text, or slower. */
function unrolled(source: string): string {
  return source.replace(/\{(\d+)(?:,(\d+))?\}/g, (bounds, least: string, most?: string) =>
    Number(most ?? least) <= 8 ? bounds : Number(least) > 0 ? "+" : "*",
  );
}
