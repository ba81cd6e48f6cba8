import { execFile } from "node:child_process";
import { SaxesParser } from "saxes";

/** Milliseconds for one file; it starts slowly. */
const timeout = 300_000;
const maxBuffer = 64 * 1024 * 1024;

/**
 * The faults that veraPDF finds by a profile such as "3a" or "ua1"; empty if the file conforms. Throws if the program
 * does not run or checks nothing.
 */
export async function veraPdfFailures(program: string, file: string, profile: string): Promise<string[]> {
  const options = ["--flavour", profile, "--format", "mrr", "--maxfailuresdisplayed", "1", file];
  const report = await new Promise<string>((resolve, reject) => {
    execFile(program, options, { timeout, maxBuffer }, (error, stdout, stderr) => {
      // It exits with 1 for files that do not conform.
      if (stdout.includes("validationReport")) resolve(stdout);
      else reject(new Error(`${program} did not check the file: ${stderr.trim() || String(error)}`));
    });
  });
  return failedRules(report, program);
}

function failedRules(report: string, program: string): string[] {
  const failures: string[] = [];
  let checks = 0;
  let description: string | undefined;
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes }) => {
    if (name === "details") checks += Number(attributes["passedChecks"]) + Number(attributes["failedChecks"]);
    if (name === "rule" && attributes["status"] !== "passed")
      failures.push(`${attributes["clause"]}-${attributes["testNumber"]}`);
    if (name === "description" && failures.length > 0) description = "";
  });
  parser.on("text", (text) => {
    if (description !== undefined) description += text;
  });
  parser.on("closetag", ({ name }) => {
    if (name !== "description" || description === undefined) return;
    failures.push(`${failures.pop()}: ${description.trim()}`);
    description = undefined;
  });
  parser.write(report).close();
  if (!(checks > 0)) throw new Error(`${program} checked nothing.`);
  return failures;
}
