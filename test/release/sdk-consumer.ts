/** An author's project that has nothing but the packed SDK and what that says to need, as the compiler sees it. */
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import ts from "typescript";
import { repository } from "../start-host.js";
import { addDependencies, type InstalledPackage } from "./installed-packages.js";

const source = `import { definePlugin, type Host, type ProjectDocument, resolveView, route, SessionId, Type, walkNodes } from "@slipway/sdk";
import { createTestHost, projectOf } from "@slipway/sdk/testing";

export const count = (project: ProjectDocument): number => [...walkNodes(resolveView(project).nodes)].length;

export const plugin = definePlugin({
  config: Type.Object({ greeting: Type.String({ default: "Hello" }) }),
  setup: (host: Host, { greeting }) => ({
    routes: [
      route.post("hello.json", {
        summary: "Greets the items of a project.",
        body: Type.Object({ sessionId: SessionId }),
        response: Type.Object({ text: Type.String() }),
        session: "required",
        handler: async ({ session }) => ({
          text: \`\${host.now().getUTCFullYear()}: \${greeting}, \${count(await session.project())} items!\`,
        }),
      }),
    ],
  }),
});

const host = await createTestHost({ plugin });
const session = await host.openSession(projectOf({ name: "One" }));
const { status } = await host.post("hello.json", { sessionId: session.id });
export const code: number = status;
// @ts-expect-error The types are there: nothing of it is "any".
export const wrong: string = status;
`;

const resolutions = [
  { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 },
  { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
];

/** What the compiler says, for each way to resolve modules; optional peers are not installed. */
export async function consumerMistakes(sdk: InstalledPackage): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-consumer-"));
  try {
    const packages = join(folder, "node_modules");
    await cp(sdk.folder, join(packages, "@slipway", "sdk"), { recursive: true });
    await addDependencies([sdk], folder, new Set());
    await mkdir(join(packages, "@types"), { recursive: true });
    await symlink(join(repository, "node_modules", "@types", "node"), join(packages, "@types", "node"));
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    const files = new Map([
      [join(folder, "consumer.ts"), source],
      [join(folder, "example.ts"), await example(sdk)],
    ]);
    for (const [file, content] of files) await writeFile(file, content);
    return resolutions.map((resolution, at) => mistakes([...files.keys()], resolution, at === 0));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the page of the package begins with. */
async function example({ folder }: InstalledPackage): Promise<string> {
  const page = await readFile(join(folder, "README.md"), "utf8");
  return /^```ts\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? "There is no example";
}

/** What the compiler says of the folder of a plugin, with the types that `npm install` would bring from this repository. */
export async function pluginMistakes(folder: string): Promise<string[]> {
  const types = join(dirname(folder), "node_modules", "@types");
  await mkdir(types, { recursive: true });
  for (const name of ["node", "archiver", "yauzl"]) {
    const link = join(types, name);
    if (!existsSync(link)) await symlink(join(repository, "node_modules", "@types", name), link);
  }
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
  const nodeNext = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
  return mistakes(
    files,
    { ...nodeNext, verbatimModuleSyntax: true, exactOptionalPropertyTypes: true },
    false,
  );
}

/**
 * As without `skipLibCheck`, the declarations of the SDK are checked as well, once: the files are the same for each way.
 * Those of other packages are their own; TypeBox' alone would take ten seconds.
 */
function mistakes(files: string[], resolution: ts.CompilerOptions, ofSdk: boolean): string[] {
  const program = ts.createProgram(files, {
    ...resolution,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts"],
    strict: true,
    noEmit: true,
    types: ["node"],
  });
  const checked = program
    .getSourceFiles()
    .filter(({ fileName }) => files.includes(fileName) || (ofSdk && /\/@slipway\/sdk\//.test(fileName)));
  if (ofSdk && checked.length < 100) return ["the declarations of the SDK were not found"];
  return [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...checked.flatMap((each) => [
      ...program.getSyntacticDiagnostics(each),
      ...program.getSemanticDiagnostics(each),
    ]),
  ].map(
    ({ file: of, messageText }) => `${of?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
  );
}
