/** Reports that take what no report may take. */
import { engineMessage } from "../engine-message.js";

/** Files of a template besides its definition, and what the error says after "failed at ". */
export interface Excess {
  files: Readonly<Record<string, string>>;
  message: RegExp | string;
}

function report(
  text: string,
  message: RegExp | string,
  others: Readonly<Record<string, string>> = {},
): Excess {
  return { files: { "report.ejs": text, ...others }, message };
}

/** Hangs in the second line. */
function endless(code: string): Excess {
  return report(`\n<% ${code} %>`, /report\.ejs:2: it was not finished after \d+ ms\.$/);
}

const loop = "for (;;) {}";

/** With a `timeLimit` of a second or so. */
export const endlessReports: Readonly<Record<string, Excess>> = {
  "a loop": endless(loop),
  "a loop that catches": endless("for (;;) { try { for (;;) {} } catch {} finally {} }"),
  "a loop in a partial": report("<p>\n<%- include('inner') %>", /inner\.ejs:3: it was not finished/, {
    "inner.ejs": `1\n2\n<% ${loop} %>`,
  }),
  "a loop after a partial": report(
    `<%- include("inner") %>\n\n<% ${loop} %>`,
    /report\.ejs:3: it was not finished/,
    {
      "inner.ejs": "inner",
    },
  ),
  "a loop in the header": report("x", /header\.ejs:2: it was not finished/, {
    "header.ejs": `\n<% ${loop} %>`,
  }),
  "a getter that a helper reads": endless(`d.image({ get url() { ${loop} } })`),
  "a text that is escaped": report(
    `\n<%= { toString() { ${loop} } } %>`,
    /report\.ejs:2: it was not finished/,
  ),
  "a pattern": endless(`/^(a+)+$/.test("a".repeat(60) + "b")`),
  "an order": endless(`[2, 1].sort(() => { ${loop} })`),
  "a reviver": endless(`JSON.parse("[1]", () => { ${loop} })`),
  "a line that lies": report(
    `<% began(() => 77); __line = { valueOf() { ${loop} } }; ${loop} %>`,
    /report\.ejs: it was not finished/,
  ),
  "async code": report("<% (async () => { for (;;) await null; })() %>x", /report\.ejs: it was not finished/),
  "a thenable": report(
    `<% (async () => { await { then() { ${loop} } }; })() %>x`,
    /report\.ejs: it was not finished/,
  ),
};

const tooLong = /report\.ejs(?::1)?: the output has more than 100000 characters/;
const tooMuch = /needs more than 64 MB of memory/;

/** With an `outputLimit` of 100000 and a `memoryLimit` of 64. */
export const excessiveReports: Readonly<Record<string, Excess>> = {
  "an endless text": report("<% for (;;) { %>0123456789<% } %>", tooLong),
  "a long text, escaped": report('<%= "<".repeat(100001) %>', tooLong),
  "a long text": report('<%- "x".repeat(2 ** 28) %>', tooLong),
  "a partial twice": report('<%- include("big") %><%- include("big") %>', tooLong, {
    "big.ejs": '<%= "x".repeat(60000) %>',
  }),
  "a partial in itself": report(
    '<% const level = d.level ?? 0; %>0123456789<% for (const _ of level < 40 ? [1, 2] : []) { %><%- include("report", { level: level + 1 }) %><% } %>',
    tooLong,
  ),
  "a partial in itself without an end": report(
    '<%- include("report") %>',
    /report\.ejs:1: include: nested deeper/,
  ),
  "a text put into the output": report('<% __output = "x".repeat(2 ** 28) %>', tooLong),
  "a text after the check was taken away": report(
    '<% exceeded = () => undefined; %><%- "x".repeat(2 ** 28) %>',
    tooLong,
  ),
  "a text that says it is short": report(
    '<% __output = { length: 0, toString: () => "x".repeat(2 ** 28) }; d.asset("none") %>',
    /report\.ejs:1: asset: /,
  ),
  "a line that is no number": report(
    "<% __line = { then: () => {} }; null.x %>",
    `report.ejs: ${engineMessage("null.x")}`,
  ),
  "an error with a place of its own": report(
    '<% rethrow(new Error("mine"), "77") %>',
    /report\.ejs: mine\.$/,
  ),
  "a text that doubles": report(
    "\n<% let text = 'x'; for (;;) text += text; %>",
    `report.ejs:2: ${engineMessage("let text = 'x'; for (;;) text += text;")}`,
  ),
  "a large number": report(
    "\n<% 2n ** (2n ** 64n) %>",
    `report.ejs:2: ${engineMessage("2n ** (2n ** 64n)")}`,
  ),
  "a header": report("x", /header\.ejs: the output has 60000 characters; a margin may have 20000/, {
    "header.ejs": '<%= "x".repeat(60000) %>',
  }),
  "a stack": report(
    "\n<% const dive = () => dive() + 1; dive(); %>",
    `report.ejs:2: ${engineMessage("const dive = () => dive() + 1; dive();")}`,
  ),
  arrays: report("<% const all = []; for (;;) all.push(new Array(1000).fill(all.length)); %>", tooMuch),
  "arrays that are joined": report(
    '<% const all = []; for (;;) all.push(new Array(1000).fill("x".repeat(1000)).join("")); %>',
    tooMuch,
  ),
  "a map": report("<% const all = new Map(); for (let at = 0; ; at++) all.set({ at }, at); %>", tooMuch),
  closures: report(
    "<% let last = () => 0; for (;;) { const before = last; const held = [1, 2, 3]; last = () => [before, held]; } %>",
    tooMuch,
  ),
};
