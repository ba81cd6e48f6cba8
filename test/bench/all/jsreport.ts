/** jsreport, installed once for each user, outside of the project, whose dependencies it is none of. */
import { execFile } from "node:child_process";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { atEnd } from "../measuring/clean-up.js";

const run = promisify(execFile);
/** Milliseconds; it has hundreds of packages. */
const installationLimit = 10 * 60_000;

export const jsreportVersion = "4.14.2";
/** It needs a newer Node.js than Slipway does. */
const nodeVersion = "22.23.3";
const nodePackage = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

export interface InstalledJsreport {
  folder: string;
  /** The program that runs it. */
  node: string;
  nodeVersion: string;
}

/** Rejects with what npm said, where it cannot be installed. */
export async function installJsreport(): Promise<InstalledJsreport> {
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "slipway-bench");
  const folder = join(cache, `jsreport-${jsreportVersion}`);
  const installed = { folder, node: join(folder, "node_modules", nodePackage, "bin", "node"), nodeVersion };
  if (await isComplete(folder)) return installed;
  process.stderr.write(`installing jsreport ${jsreportVersion} into ${folder}\n`);
  // Renamed when complete: what was broken off is not taken for it.
  const begun = `${folder}-${process.pid}`;
  const ending = new AbortController();
  const remove = atEnd(async () => {
    ending.abort();
    await rm(begun, { recursive: true, force: true, maxRetries: 5 });
  });
  try {
    await mkdir(begun, { recursive: true });
    await writeFile(join(begun, "package.json"), JSON.stringify({ private: true }));
    const packages = [`jsreport@${jsreportVersion}`, `${nodePackage}@${nodeVersion}`];
    const flags = ["--save-exact", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    await run("npm", ["install", ...flags, ...packages], {
      cwd: begun,
      timeout: installationLimit,
      signal: ending.signal,
    });
    await rm(folder, { recursive: true, force: true });
    await rename(begun, folder);
  } catch (error) {
    // The command, and what npm says first.
    const reason = String(error).split("\n").slice(0, 3).join(" ");
    throw new Error(`jsreport ${jsreportVersion} could not be installed: ${reason}`);
  } finally {
    await remove();
  }
  return installed;
}

async function isComplete(folder: string): Promise<boolean> {
  const manifests = ["jsreport", nodePackage].map((name) =>
    readFile(join(folder, "node_modules", name, "package.json"), "utf8").then(
      (text) => Reflect.get(JSON.parse(text), "version"),
      () => undefined,
    ),
  );
  const [jsreport, node] = await Promise.all(manifests);
  return jsreport === jsreportVersion && node === nodeVersion;
}
