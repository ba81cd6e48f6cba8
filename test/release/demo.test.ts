/** `slipway demo` as somebody sees it who runs it for the first time. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import t from "tap";
import { cleanEnvironment, commandLine, inTime } from "../start-host.js";

/** What it prints until it serves; with what a browser gets at each of the pages that it names. */
async function runDemo(environment: Record<string, string>): Promise<{ output: string; pages: string[] }> {
  const folder = t.testdir({});
  const child = spawn(process.execPath, [commandLine, "demo", "--port", "0", "--var", folder], {
    env: { ...cleanEnvironment(), ...environment },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  const said = new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`The demo has ended: ${output}`)));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.includes("until you press Ctrl+C")) resolve();
    });
  });
  await inTime(child, "is not ready", () => output, said);
  const named = [...output.matchAll(/^ {2}(http:\S+\/)$/gm)].map(([, address = ""]) => address);
  const pages = await Promise.all(
    named.map(async (address) => `${(await fetch(address)).status} ${new URL(address).pathname}`),
  );
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
  return { output, pages };
}

t.test("it names its pages, the workbench first", async (t) => {
  const { output, pages } = await runDemo({});
  t.strictSame(pages, ["200 /workbench/", "200 /admin/", "200 /docs/"]);
  t.match(output, /Drop a project of your own in a browser/);
});

t.test("without the workbench it does not name it", async (t) => {
  const { output, pages } = await runDemo({ SLIPWAY_WORKBENCH: "false" });
  t.strictSame(pages, ["200 /admin/", "200 /docs/"]);
  t.notMatch(output, /workbench|\n\n\n/);
});
