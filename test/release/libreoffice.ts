/**
 * LibreOffice, for what only another program can prove of a file. It is the one that `SLIPWAY_LIBREOFFICE` names, or the
 * system's, or it is fetched once from the system's package archive.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { type BroughtProgram, broughtLibreOffice } from "./libreoffice-packages.js";

const run = promisify(execFile);

/** Milliseconds, for all files of one conversion; a busy machine is no reason to fail. */
const patience = 180_000;

/** What to convert to; comma-separated values come as one file for each sheet. */
export type Conversion = "pdf" | "csv" | "xlsx";

const filters: Readonly<Record<Conversion, string>> = {
  pdf: "pdf:calc_pdf_Export",
  // Comma, quotes, UTF-8, as shown, all sheets.
  csv: "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1",
  xlsx: "xlsx:Calc MS Excel 2007 XML",
};

/** What became of some files. */
export interface Converted {
  /** By name. */
  files: Map<string, Uint8Array>;
  /** What the program said about what it could not do; empty when all went well. */
  complaints: string;
}

export interface LibreOffice {
  /** As the program says it. */
  version: string;
  /** Converts files, by name, in one process with a profile of its own. All formulas are calculated anew. */
  convert(files: ReadonlyMap<string, Uint8Array>, to: Conversion): Promise<Converted>;
}

/** The program, or in a sentence why there is none and what to do about it; that is also told on standard error. */
export async function findLibreOffice(environment = process.env): Promise<LibreOffice | string> {
  const found = await program(environment);
  if (typeof found === "string") {
    process.stderr.write(`Tests with LibreOffice are left out. ${found}\n`);
    return found;
  }
  const { stdout } = await run(found.program, ["--version"], {
    env: { ...process.env, ...found.environment },
  });
  return { version: stdout.trim(), convert: (files, to) => convert(found, files, to) };
}

async function program({
  SLIPWAY_LIBREOFFICE,
  PATH = "",
}: NodeJS.ProcessEnv): Promise<BroughtProgram | string> {
  if (SLIPWAY_LIBREOFFICE !== undefined) {
    if (existsSync(SLIPWAY_LIBREOFFICE)) return { program: SLIPWAY_LIBREOFFICE, environment: {} };
    return `SLIPWAY_LIBREOFFICE names "${SLIPWAY_LIBREOFFICE}", which is not there.`;
  }
  const installed = PATH.split(delimiter)
    .flatMap((folder) => ["soffice", "libreoffice"].map((name) => join(folder, name)))
    .find((path) => existsSync(path));
  if (installed !== undefined) return { program: installed, environment: {} };
  const brought = await broughtLibreOffice();
  if (typeof brought !== "string") return brought;
  return `LibreOffice is not installed, and ${brought}. Install it (apt-get install libreoffice-calc-nogui), or name its program in SLIPWAY_LIBREOFFICE.`;
}

async function convert(
  { program, environment }: BroughtProgram,
  files: ReadonlyMap<string, Uint8Array>,
  to: Conversion,
): Promise<Converted> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-office-"));
  const [input, output, profile] = ["input", "output", "profile"].map((name) => join(folder, name));
  if (input === undefined || output === undefined || profile === undefined) throw new Error("unreachable");
  try {
    await Promise.all([input, output, join(profile, "user")].map((each) => mkdir(each, { recursive: true })));
    await writeFile(join(profile, "user", "registrymodifications.xcu"), settings);
    for (const [name, content] of files) await writeFile(join(input, name), content);
    const complaints = await office(
      spawn(
        program,
        [
          `-env:UserInstallation=file://${profile}`,
          "--headless",
          "--norestore",
          "--convert-to",
          filters[to],
          "--outdir",
          output,
          ...[...files.keys()].map((name) => join(input, name)),
        ],
        // A group of its own: the program is a script that starts others.
        { env: { ...process.env, ...environment }, detached: true, stdio: ["ignore", "pipe", "pipe"] },
      ),
    );
    const converted = new Map<string, Uint8Array>();
    for (const name of (await readdir(output)).sort())
      converted.set(name, await readFile(join(output, name)));
    return { files: converted, complaints };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Resolves with what it complained about; rejects when it fails or takes too long. */
async function office(child: ChildProcess): Promise<string> {
  const { stdout, stderr, pid } = child;
  if (stdout === null || stderr === null || pid === undefined) throw new Error("LibreOffice does not start");
  const timer = setTimeout(() => process.kill(-pid, "SIGKILL"), patience);
  try {
    const ended = new Promise<number | null>((resolve, reject) => {
      child.on("exit", resolve);
      child.on("error", reject);
    });
    const [said, complained, code] = await Promise.all([text(stdout), text(stderr), ended]);
    if (code !== 0) throw new Error(`LibreOffice ended with ${code}: ${said}${complained}`);
    return `${said}\n${complained}`
      .split("\n")
      .filter((line) => /error|warning|could not|fail/i.test(line) && !/javaldx/.test(line))
      .join("\n");
  } finally {
    clearTimeout(timer);
  }
}

/** Calculates all formulas when a file is opened: what the file says of their results does not count. */
const settings = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
`;
