/** The build makes the starter in JavaScript from the one in TypeScript: they differ in types alone. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import t from "tap";
import { repository } from "../start-host.js";

const typescript = join(repository, "sdk", "scaffold", "starter");
const javascript = join(repository, "sdk", "dist", "scaffold", "starter-javascript");

const modules = namesIn(typescript).filter((name) => name.endsWith(".ts"));
const inJavaScript = (name: string): string => name.replace(/\.ts$/, ".js");

t.test("each module is there in both, with the same code and the same comments", async (t) => {
  t.ok(modules.length > 4, "modules were found");
  for (const name of modules) {
    const [one, other] = [read(typescript, name), read(javascript, inJavaScript(name))];
    t.equal(await code(other), await code(one), name);
    t.strictSame(comments(other), comments(one), name);
  }
});

t.test("the other files of the one in JavaScript are those that name languages", (t) => {
  t.strictSame(namesIn(javascript), [...modules.map(inJavaScript), "README.md", "package.json"].sort());

  const manifest: StarterManifest = JSON.parse(read(typescript, "package.json"));
  const { devDependencies, files, scripts, slipway, ...rest } = manifest;
  t.strictSame(JSON.parse(read(javascript, "package.json")), {
    ...rest,
    slipway: { ...slipway, entry: inJavaScript(slipway.entry) },
    files: files.map(inJavaScript),
    scripts: { test: inJavaScript(scripts.test.replace(" --import tsx", "")) },
    devDependencies: { "@slipway/sdk": devDependencies["@slipway/sdk"] },
  });

  const page = read(typescript, "README.md").replace(/^npm run check .*\n/m, "");
  const own = read(javascript, "README.md").replace(/^Nothing is compiled\. .*\n\n/m, "");
  t.equal(own, page.replaceAll(".ts`", ".js`"));
  t.end();
});

interface StarterManifest {
  slipway: { entry: string };
  files: string[];
  scripts: { test: string };
  devDependencies: Record<string, string>;
}

/** Without types, comments and layout. */
async function code(text: string): Promise<string> {
  const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: true } };
  const options = { loader: "ts", format: "esm", minifyWhitespace: true, tsconfigRaw } as const;
  return (await transform(text, options)).code;
}

/** Their texts, without those parts that are for a compiler. */
function comments(text: string): string[] {
  const found = text.match(/^ *(?:\/\/.*|\/\*\*[\s\S]*?\*\/)/gm) ?? [];
  return found
    .map((each) =>
      each
        .split("\n")
        .map((line) => line.replace(/^ *(?:\/\/|\/\*\*|\*(?!\/))? */, "").replace(/ *\*\/$/, ""))
        .filter((line) => line !== "" && !line.startsWith("@"))
        .join(" "),
    )
    .filter((each) => each !== "");
}

function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function read(folder: string, name: string): string {
  return readFileSync(join(folder, name), "utf8");
}
