/**
 * Makes the plugin that `slipway plugin new --js` begins with from the one in TypeScript: types become JSDoc comments,
 * everything else stays as it is. Plain JavaScript, because it is part of the build.
 */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { isCurrent, replaceFile } from "./files.mjs";

const sdk = join(import.meta.dirname, "..");
const starter = join(sdk, "scaffold", "starter");
const made = join(sdk, "dist", "scaffold", "starter-javascript");

const modules = readdirSync(starter, { recursive: true }).filter((name) => name.endsWith(".ts"));
const contents = () => [
  ...modules.map((name) => [inJavaScript(name), javaScript(read(name))]),
  ["README.md", readme(read("README.md"))],
  // Written last: if it exists, the others exist too.
  ["package.json", manifest(read("package.json"))],
];

const sources = [...modules, "README.md", "package.json"].map((name) => join(starter, name));
if (!isCurrent(join(made, "package.json"), [import.meta.filename, ...sources]))
  for (const [name, text] of contents()) {
    mkdirSync(dirname(join(made, name)), { recursive: true });
    replaceFile(join(made, name), text);
  }

function read(name) {
  return readFileSync(join(starter, name), "utf8");
}

function inJavaScript(name) {
  return name.replace(/\.ts$/, ".js");
}

function manifest(text) {
  const { devDependencies, files, scripts, slipway, ...rest } = JSON.parse(text);
  const javaScript = {
    ...rest,
    slipway: { ...slipway, entry: inJavaScript(slipway.entry) },
    files: files.map(inJavaScript),
    scripts: { test: inJavaScript(scripts.test.replace(" --import tsx", "")) },
    devDependencies: { "@slipway/sdk": devDependencies["@slipway/sdk"] },
  };
  return `${JSON.stringify(javaScript, undefined, 2)}\n`;
}

function readme(text) {
  return text
    .replaceAll(".ts`", ".js`")
    .replace(/^npm run check .*\n/m, "")
    .replace(
      /^```\n(?=\n`slipway plugin dev)/m,
      "```\n\nNothing is compiled. Editors check types all the same, because of `// @ts-check` and the types of the SDK.\n",
    );
}

function javaScript(text) {
  const source = ts.createSourceFile("module.ts", text, ts.ScriptTarget.Latest, true);
  const imported = importedTypes(source);
  const edits = [];
  const replace = (start, end, by = "") => {
    edits.push({ start, end, by });
  };
  visit(source);
  // From the end, so that the positions of the others stay right.
  edits.sort((first, second) => second.start - first.start);
  const code = edits.reduce((done, { start, end, by }) => done.slice(0, start) + by + done.slice(end), text);
  return `// @ts-check\n${code}`;

  function visit(node) {
    if (ts.isImportDeclaration(node)) return removeTypes(node);
    if (ts.isTypeAliasDeclaration(node))
      return replace(node.getStart(), node.end, `/** @typedef {${typeText(node.type)}} ${node.name.text} */`);
    if (ts.isVariableStatement(node)) describe(node);
    if ((ts.isParameter(node) || ts.isVariableDeclaration(node) || ts.isArrowFunction(node)) && node.type)
      replace(node.type.pos - ":".length, node.type.end);
    ts.forEachChild(node, visit);
  }

  /** Removes an import of types, or the types among the imported names. */
  function removeTypes(node) {
    const { isTypeOnly, namedBindings } = node.importClause ?? {};
    if (isTypeOnly) return replace(node.getStart(), node.end + "\n".length);
    const names = namedBindings?.elements ?? [];
    names.forEach((name, index) => {
      if (!name.isTypeOnly) return;
      const next = names[index + 1];
      if (next) replace(name.pos, next.pos);
      else replace(names[index - 1].end, name.end);
    });
  }

  /** Adds the types of a variable, or of the parameters of its function, to the comment before the statement. */
  function describe(statement) {
    const [{ initializer, type }] = statement.declarationList.declarations;
    const parameters = initializer && ts.isArrowFunction(initializer) ? initializer.parameters : [];
    const tags = parameters
      .filter((each) => each.type)
      .map((each) => `@param {${typeText(each.type)}} ${nameOf(each)}`);
    if (type) tags.push(`@type {${typeText(type)}}`);
    if (tags.length === 0) return;
    const [comment] = ts.getJSDocCommentsAndTags(statement);
    const column = source.getLineAndCharacterOfPosition(statement.getStart()).character;
    const indent = " ".repeat(column);
    if (comment === undefined)
      return replace(statement.getStart(), statement.getStart(), `/** ${tags.join(" ")} */\n${indent}`);
    const lines = [comment.comment, ...tags].map((line) => `${indent} * ${line}\n`).join("");
    replace(comment.pos, comment.end, `/**\n${lines}${indent} */`);
  }

  /** A destructured parameter is named after its type. */
  function nameOf({ name, type }) {
    return ts.isIdentifier(name) ? name.text : type.getText().replace(/^./, (first) => first.toLowerCase());
  }

  /** A type for a comment, where imported types are named with their module. */
  function typeText(type) {
    return type.getText().replaceAll(/\w+/g, (word) => imported.get(word) ?? word);
  }
}

/** By name, such as `import("@slipway/sdk").Host` for `Host`. */
function importedTypes(source) {
  const imports = source.statements.filter(ts.isImportDeclaration);
  return new Map(
    imports.flatMap(({ importClause, moduleSpecifier }) =>
      (importClause?.namedBindings?.elements ?? [])
        .filter((name) => importClause.isTypeOnly || name.isTypeOnly)
        .map(({ name }) => [name.text, `import(${moduleSpecifier.getText()}).${name.text}`]),
    ),
  );
}
