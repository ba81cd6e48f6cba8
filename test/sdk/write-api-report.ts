/** `npm run api`: writes down what the SDK promises, for whoever reviews a change of it. Needs the build. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { apiReports } from "./api-report.js";

for (const { file, text, findings } of await apiReports()) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  for (const finding of findings) process.stderr.write(`${finding}\n`);
  if (findings.length > 0) process.exitCode = 1;
}
