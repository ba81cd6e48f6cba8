/**
 * The syntax that the strict check of templates lets through on the engine that runs. Uses the part itself: each piece of
 * code is a file of a template.
 */
import { compileFunction } from "node:vm";
import { type Node, parse } from "acorn";
import t, { type Test } from "tap";
import type { TemplateProblem } from "../../host/templates/template-problem.js";
import { isKnownToEngine } from "../engine-message.js";
import { candidates } from "./template-syntax-candidates.js";
import { failure, problems, renderBody, reportOnly, startTemplates } from "./templates-support.js";

const noImport = "import is refused: a template loads no code";
const noEval = "eval is refused: a template runs no code in texts";
const noComment = "comments of HTML are refused in code";
const noTagged = "comments of HTML, import and eval are refused in a template literal with a tag";

/** Text of a file, line, column and message; no message: the parser's own. */
const refused: [text: string, line: number, column: number, message?: string][] = [
  ['a\n b <%= import("node:process") %>', 2, 8, noImport],
  ['a\n b <%= import.source("node:process") %>', 2, 8, noImport],
  ['<%\n  d.x;\n  import.defer("node:process");\n%>', 3, 3, noImport],
  ['<%= import . source ("node:process") %>', 1, 5, noImport],
  ['<%= import\n.\nsource("node:process") %>', 1, 5, noImport],
  ['<%= import/* a */./* b */source/* c */("node:process") %>', 1, 5, noImport],
  ['<%= import// a\n.source("node:process") %>', 1, 5, noImport],
  ['<%= import/**/("node:process") %>', 1, 5, noImport],
  ['<%= [...import("node:process")] %>', 1, 9, noImport],
  [`<%= \`\n$${'{ import("node:process") }`'} %>`, 2, 4, noImport],
  ["<%= import.meta %>", 1, 5, noImport],
  ["<%= import.meta.url %>", 1, 5, noImport],
  ["<% import x from 'node:process' %>", 1, 4, noImport],
  ["<% import source x from 'node:process' %>", 1, 4, noImport],
  ['<%= im\\u0070ort("node:process") %>', 1, 5],
  ["é😀 <%_ with (d) {} _%>", 1, 8],
  ["<% if (d) with (d) t('x') %>", 1, 11],
  ['x <% eval("1") %> <%= d.x %>', 1, 6, noEval],
  ['<%= d.x %> <%- eval/**/("1") %>', 1, 16, noEval],
  ['<%= (eval)("1") %>', 1, 5, noEval],
  ['<%= eval?.("1") %>', 1, 5, noEval],
  ['<%= ev\\u0061l("1") %>', 1, 5, noEval],
  ["<% ({ eval() {} }) %>", 1, 7, "eval is refused as the name of a function"],
  ["<% ({ import () {} }) %>", 1, 7, "import is refused as the name of a function"],
  ["<%= 1 <!-- 2\n%>", 1, 7, noComment],
  ["<%\n--> x\n%>", 2, 1, noComment],
  ["<%\n/* a\n*/ --> x\n%>", 3, 4, noComment],
  ["<% for (let i = 3; i-->0;) {} %>", 1, 21, '"-->" is refused in code: write "-- >"'],
  ["<% debugger %>", 1, 4, "debugger is refused"],
  ["<% debugger %> <% debugger %>", 1, 4, "debugger is refused"],
  ["<%% debugger %%> <%# debugger %> debugger <% debugger; %>", 1, 46, "debugger is refused"],
  ["<%#!x%><%#! x %><% #! x\n %>", 1, 21],
  ["<% using x = d %>", 1, 4, "using is refused"],
  ["<%= String.raw`a\n<!--` %>", 2, 1, noTagged],
  ["<%= String.raw`import ('x')` %>", 1, 16, noTagged],
  ["<% let d = 1 %>", 1, 8],
  ["<%= d.a d.b %>", 1, 9],
  ["<% } catch {} }); (function () { try { %>", 1, 4],
];

t.test("what is refused is told with line and column", async (t) => {
  const found = await problemsOf(
    t,
    refused.map(([text]) => text),
  );
  for (const [index, [text, line, column, message]] of refused.entries())
    t.match(found.get(index), { line, column, ...(message !== undefined && { message }) }, text);
});

t.test("texts and comments may hold what code may not", async (t) => {
  const texts = [
    '"<!-- a --> import("',
    "'import.source(\"x\") eval(1)'",
    "`<!-- $" + "{1} --> import ('x') eval ('y')`",
    '"\\<!--" + "\\\\<!--" + "--\\>" + "\\import(" + "\\u0065val("',
    '"a\\\n<!--"',
    "({ 'import(': '-->' })['import(']",
    "String(/<!--|-->|import\\(x\\)|(?<!--)y/.test('<!--'))",
    "'a'.replace(/^(?<!--)(?:a|import(1)|eval(2))/, 'b')",
    "String.raw`\\x3c important evaluation`",
    "`$" + "{`<!--`}-->`",
    "((texts) => texts[0])`a`",
    'typeof { import: 1, eval: 2 }.import + "." + { import: (x) => x }.import("<!--")',
    "1 // <!-- import('x') eval('y') -->\n",
    "1 /* <!-- import('x')\n eval('y') --> */",
  ];
  const known: unknown[] = texts.map((text) => compileFunction(`return ${text}`)());
  const report = `${texts.map((text) => `<%- ${text} %>`).join("|")}|\n<%\n/* <!--\n*/ let text = "\\\n-->";\nd.gone.x %>`;
  const folder = t.testdir({
    texts: reportOnly("texts", texts.map((text) => `<%- ${text} %>`).join("|")),
    lines: reportOnly("lines", report),
  });
  const service = await startTemplates(t, folder);
  t.equal(problems(service), "");
  t.equal(await renderBody(service, "texts"), known.join("|"));
  const line = report.slice(0, report.indexOf("<%\n/*")).split("\n").length;
  const failed = await failure(service, "lines");
  t.match(failed.message, /gone|undefined/);
  t.equal(Number(failed.additionalInformation?.["line"]) >= line, true, "lines stay");
});

/** Kinds of syntax that a template may have, by their names in ESTree. */
const allowed = new Set(
  `Program BlockStatement EmptyStatement ExpressionStatement LabeledStatement IfStatement SwitchStatement SwitchCase
  ForStatement ForInStatement ForOfStatement WhileStatement DoWhileStatement BreakStatement ContinueStatement
  ReturnStatement ThrowStatement TryStatement CatchClause VariableDeclaration:var VariableDeclaration:let
  VariableDeclaration:const VariableDeclarator FunctionDeclaration FunctionExpression ArrowFunctionExpression
  YieldExpression AwaitExpression ClassDeclaration ClassExpression ClassBody MethodDefinition PropertyDefinition
  StaticBlock Identifier PrivateIdentifier Literal TemplateLiteral TemplateElement TaggedTemplateExpression
  ThisExpression Super ArrayExpression ObjectExpression Property SpreadElement RestElement ArrayPattern ObjectPattern
  AssignmentPattern AssignmentExpression UnaryExpression UpdateExpression BinaryExpression LogicalExpression
  ConditionalExpression SequenceExpression CallExpression NewExpression MemberExpression ChainExpression
  MetaProperty:new.target`.split(/\s+/),
);

t.test("on this engine, exactly the syntax on the list passes", async (t) => {
  const compiled = [...new Set(candidates)].filter(
    (code) => !/<%|%>/.test(code) && isKnownToEngine(`"use strict"; ${code}\n`),
  );
  const found = await problemsOf(
    t,
    compiled.map((code) => `<% ${code} %>`),
  );
  const wrong = compiled.flatMap((code, index) => {
    const isListed = kindsOf(code)?.every((kind) => allowed.has(kind)) ?? false;
    return found.has(index) === isListed ? [`${isListed ? "refused" : "passes"}: ${code}`] : [];
  });
  t.strictSame(wrong, []);
  for (const code of ["import('x')", "import('x', { with: {} })"])
    t.match(found.get(compiled.indexOf(code)), { line: 1, column: 4, message: noImport });
  t.match(found.get(compiled.indexOf("debugger")), { line: 1, column: 4 });
  const passed = new Set(compiled.flatMap((code, index) => (found.has(index) ? [] : (kindsOf(code) ?? []))));
  t.strictSame([...passed].sort(), [...allowed].sort(), "there is a piece of code for each kind");
});

/** Problems of files with these texts, by their index. */
async function problemsOf(t: Test, texts: readonly string[]): Promise<Map<number, TemplateProblem>> {
  const filesOfTemplate = 400;
  const folders: Record<string, Record<string, string | Record<string, string>>> = {};
  for (let from = 0; from < texts.length; from += filesOfTemplate) {
    const files = texts
      .slice(from, from + filesOfTemplate)
      .map((text, index) => [`${from + index}.ejs`, text]);
    folders[`t${from}`] = { ...reportOnly(`t${from}`, "x"), parts: Object.fromEntries(files) };
  }
  const service = await startTemplates(t, t.testdir(folders), { timeLimit: 60_000 });
  const all = service.states().flatMap((state) => state.problems);
  return new Map(all.map((problem) => [Number.parseInt(problem.file.slice("parts/".length), 10), problem]));
}

/** The kinds of syntax in code; undefined where the parser does not know it. */
function kindsOf(code: string): string[] | undefined {
  if (/<!--|-->/.test(code)) return ["comment of HTML"];
  try {
    const program = parse(code, { ecmaVersion: "latest", sourceType: "commonjs", strict: true });
    const kinds: string[] = [];
    // Calls this for each value within the program.
    JSON.stringify(program, (_, value: unknown) => {
      if (isNode(value)) kinds.push(kindOf(value));
      return typeof value === "bigint" ? String(value) : value;
    });
    return kinds;
  } catch {
    return undefined;
  }
}

function kindOf(node: Node): string {
  const { type } = node;
  if (type === "VariableDeclaration") return `${type}:${Reflect.get(node, "kind")}`;
  if (type === "MetaProperty") {
    const [meta, property] = ["meta", "property"].map((name) => Reflect.get(Reflect.get(node, name), "name"));
    return `${type}:${meta}.${property}`;
  }
  const callee: unknown = Reflect.get(node, "callee");
  const isEval = type === "CallExpression" && isNode(callee) && Reflect.get(callee, "name") === "eval";
  return isEval ? `${type}:eval` : type;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
