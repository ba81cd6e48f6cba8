/** The guide for authors of plugins: its tutorial is followed to the letter in a clean folder, its programs print what it says. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { followPage } from "../documentation/follow-page.js";
import { readPage } from "../documentation/pages.js";
import { hasProgram } from "../documentation/run-page.js";
import { freePort } from "../free-port.js";
import { cleanEnvironment, commandLine, repository } from "../start-host.js";

const home = await realpath(await mkdtemp(join(tmpdir(), "slipway-tutorial-")));
t.teardown(() => rm(home, { recursive: true, force: true }));

/** Programs of the concepts, where their types are checked as well. */
const concepts = join(repository, "test", "fixtures", "concepts");

const missing = ["bash", "curl", "npm"].filter((program) => !hasProgram(program));
const skip = missing.length > 0 && `this machine lacks ${missing.join(", ")}`;

t.test("each command prints what the tutorial says", { skip }, async (t) => {
  // The folder in which everything is typed: a clone that has been set up.
  const folder = join(home, "slipway");
  await mkdir(join(folder, "node_modules", ".bin"), { recursive: true });
  await symlink(commandLine, join(folder, "node_modules", ".bin", "slipway"));
  for (const name of ["config", "plugins"]) await symlink(join(repository, name), join(folder, name));

  const ports = await Promise.all([freePort(), freePort()]);
  const differences = await followPage(readPage("sdk/tutorial.md"), {
    folder,
    files: home,
    environment: {
      ...ownTerminal(),
      SLIPWAY_PORT: String(ports[0]),
      SLIPWAY_VAR: join(home, "var"),
      LANG: "C.UTF-8",
      NPM_CONFIG_USERCONFIG: join(home, "npmrc"),
    },
    here: new Map([
      ["/home/you/slipway/config", join(repository, "config")],
      ["/home/you", home],
      ["8080", String(ports[0])],
      ["8090", String(ports[1])],
    ]),
  });
  for (const { after, shown, printed } of differences) t.equal(printed, shown, after);
  t.strictSame(differences, []);
});

t.test("the programs of the concepts print what the page says", async (t) => {
  const { blocks } = readPage("sdk/concepts.md");
  const programs = blocks.filter(({ language }) => language === "ts");
  t.strictSame(programs.map(({ name }) => name).sort(), readdirSync(concepts).sort());
  for (const { name, content } of programs) {
    t.equal(content, readFileSync(join(concepts, name), "utf8"), name);
    const program = ["--import", "tsx", join(concepts, name)];
    const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: repository });
    const shown = blocks[blocks.findIndex((block) => block.name === name) + 1];
    t.equal(stdout, shown?.content, name);
  }
});

/** Without what npm is set to for whoever runs this, and tells the processes that it starts. */
function ownTerminal(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(cleanEnvironment()).filter(([name]) => !/^npm_/i.test(name)));
}
