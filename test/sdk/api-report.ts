/** What the SDK promises, as API Extractor reads it from the build, in a form that a reviewer reads in a diff. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import { repository } from "../start-host.js";
import { namedSchemas } from "./named-schemas.js";

const sdk = join(repository, "sdk");

/** The entry points with a promise; the others are for hosts and tools. */
export const reportedEntries = [
  { entry: "dist/index.d.ts", file: join(sdk, "api", "sdk.api.md") },
  { entry: "dist/testing/index.d.ts", file: join(sdk, "api", "testing.api.md") },
];

export interface ApiReport {
  /** The committed file that it belongs into. */
  file: string;
  text: string;
  /** What the extractor finds wrong: comments that are missing or not well-formed, names that are not exported. */
  findings: string[];
}

/** Reports of all entries, from the build. */
export async function apiReports(): Promise<ApiReport[]> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-api-"));
  try {
    const reports: ApiReport[] = [];
    for (const { entry, file } of reportedEntries) reports.push(await report(folder, entry, file));
    const exported = new Set(reports.flatMap(({ text }) => exportedNames(text)));
    return reports.map((each) => ({ ...each, findings: each.findings.filter(isFault(exported)) }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function exportedNames(text: string): string[] {
  return [...text.matchAll(/^export .*?(?:const|function\*?|class|interface|type) (\w+)/gm)].map(
    ([, name = ""]) => name,
  );
}

/** A name that another entry exports is not forgotten. */
function isFault(exported: ReadonlySet<string>): (finding: string) => boolean {
  return (finding) => {
    const forgotten = /The symbol "(\w+)" .*\(ae-forgotten-export\)$/.exec(finding)?.[1];
    return forgotten === undefined || !exported.has(forgotten);
  };
}

/** Everything is public that an entry exports: there is no second list to keep. */
const unimportant = new Set(["ae-missing-release-tag"]);

async function report(folder: string, entry: string, file: string): Promise<ApiReport> {
  const configuration = ExtractorConfig.prepare({
    packageJsonFullPath: join(sdk, "package.json"),
    configObjectFullPath: join(sdk, "api-extractor.json"),
    configObject: {
      projectFolder: sdk,
      mainEntryPointFilePath: join(sdk, entry),
      newlineKind: "lf",
      compiler: { tsconfigFilePath: join(sdk, "tsconfig.json") },
      apiReport: {
        enabled: true,
        reportFolder: folder,
        reportTempFolder: folder,
        reportFileName: "report.api.md",
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        extractorMessageReporting: {
          default: { logLevel: ExtractorLogLevel.Warning, addToApiReportFile: false },
        },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.Warning } },
      },
    },
  });
  const findings: string[] = [];
  Extractor.invoke(configuration, {
    localBuild: true,
    messageCallback(message) {
      message.handled = true;
      const { category, messageId, sourceFilePath, sourceFileLine, text } = message;
      if (category === "console" || unimportant.has(messageId)) return;
      findings.push(`${relative(sdk, sourceFilePath ?? "")}:${sourceFileLine}: ${text} (${messageId})`);
    },
  });
  const written = await readFile(join(folder, "report.api.md"), "utf8");
  return { file, text: readable(written), findings: findings.sort() };
}

/** Without what every declaration says, and without what is among the findings. */
function readable(written: string): string {
  const declarations = written.slice(written.indexOf("```ts")).replaceAll(unsaid, "");
  return `${introduction}${namedSchemas(declarations)}`;
}

const unsaid = /^ *\/\/ (?:@public.*|\(undocumented\))\n/gm;

const introduction = `<!-- Written by "npm run api". What it shows is what README.md promises to keep. -->

`;
