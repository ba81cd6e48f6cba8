/**
 * Where the browser comes from, and what is said when there is none. The search is tested by itself: it depends on the
 * environment of the process, which tests change here.
 */
import { chmodSync, existsSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { findBrowser } from "../../host/pdf/print/find-browser.js";
import {
  browserOf,
  job,
  newService,
  page,
  pageTexts,
  processesOf,
  startedService,
  varFolder,
} from "./pdf-support.js";

/** A starter script that stays in front of its program, as Debian's does. */
const starter = (program: string): string => `#!/bin/sh\n# starts the browser\n${program} "$@"\n`;

t.test("the browser", async (t) => {
  const saved = { ...process.env };
  // Which browser the tests are run with has nothing to do with how one is found.
  t.beforeEach(() => {
    delete process.env["PUPPETEER_EXECUTABLE_PATH"];
  });
  t.afterEach(() => {
    for (const name of ["PATH", "HOME", "PUPPETEER_EXECUTABLE_PATH", "PUPPETEER_CACHE_DIR"]) {
      if (saved[name] === undefined) delete process.env[name];
      else process.env[name] = saved[name];
    }
  });
  const programs = t.testdir();
  /** Tells a version as a browser does. */
  const real = join(programs, "chromium");
  symlinkSync(process.execPath, real);
  /** Does not start by itself. */
  const helpless = join(programs, "chromium-helpless");
  symlinkSync("/bin/false", helpless);

  t.test("a starter script is passed by, so that a signal meets the browser itself", async (t) => {
    const folder = t.testdir({ "chromium-headless-shell": starter(real) });
    const script = join(folder, "chromium-headless-shell");
    chmodSync(script, 0o755);
    const found = await findBrowser({ executable: script, cache: undefined, varDirectory: folder });
    t.equal(found.executable, real);
    t.match(found.version, /\d+\.\d+/);
  });

  t.test("a starter script stays whose program does not start without what it sets", async (t) => {
    const folder = t.testdir({ "chromium-headless-shell": `#!/bin/sh\n${helpless} || echo Shell 10.0\n` });
    const script = join(folder, "chromium-headless-shell");
    chmodSync(script, 0o755);
    const found = await findBrowser({ executable: script, cache: undefined, varDirectory: folder });
    t.match(found, { executable: script, version: "Shell 10.0" });
  });

  t.test("PATH is searched, puppeteer's cache before it", async (t) => {
    const folder = t.testdir({
      path: { "chromium-headless-shell": starter(real) },
      cache: {
        "chrome-headless-shell": {
          "linux-9.0.0": { inner: { "chrome-headless-shell": starter("/bin/false") } },
          "linux-10.0.0": { inner: { "chrome-headless-shell": "#!/bin/sh\necho Shell 10.0\n" } },
        },
      },
    });
    const shell = join(folder, "cache/chrome-headless-shell/linux-10.0.0/inner/chrome-headless-shell");
    for (const file of [shell, join(folder, "path/chromium-headless-shell")]) chmodSync(file, 0o755);
    process.env["PATH"] = `${join(folder, "path")}:${saved["PATH"] ?? ""}`;
    process.env["PUPPETEER_CACHE_DIR"] = join(folder, "nothing");
    const options = { executable: undefined, cache: undefined, varDirectory: folder };
    t.equal((await findBrowser(options)).executable, real);
    process.env["PUPPETEER_CACHE_DIR"] = join(folder, "cache");
    t.equal((await findBrowser(options)).executable, shell, "the newest one");
  });

  t.test("PUPPETEER_EXECUTABLE_PATH counts, and a wrong one stops the start", async (t) => {
    process.env["PUPPETEER_EXECUTABLE_PATH"] = "/nowhere/browser";
    const service = newService({ varDirectory: varFolder() });
    await t.rejects(service.start(), /PUPPETEER_EXECUTABLE_PATH.*\/nowhere\/browser/);
    await service.stop();
    const configured = newService({ varDirectory: varFolder(), pdf: { executable: "/bin/false" } });
    await t.rejects(configured.start(), /pdf\.executable.*\/bin\/false.*does not start/);
    await configured.stop();
  });

  t.test("one from npm is unpacked into a folder of the user's own", async (t) => {
    const cache = join(t.testdir(), "own");
    process.env["PATH"] = "";
    process.env["PUPPETEER_CACHE_DIR"] = cache;
    const found = await findBrowser({ executable: undefined, cache, varDirectory: cache });
    if (!found.executable.startsWith(cache)) {
      t.comment(`not shown here: ${found.executable} is installed, or the optional package is not`);
      return;
    }
    t.equal(statSync(cache).mode & 0o777, 0o700);
    t.strictSame(readdirSync(cache).length, 1, "nothing half unpacked is left");
    const again = await findBrowser({ executable: undefined, cache, varDirectory: cache });
    t.equal(again.executable, found.executable);
  });

  t.test(
    "without any: the service says where it looked and how to get one, and refuses with 503",
    async (t) => {
      process.env["PATH"] = "";
      const folder = t.testdir({ file: "" });
      process.env["PUPPETEER_CACHE_DIR"] = folder;
      const service = newService({
        varDirectory: folder,
        pdf: { browserCache: join(folder, "file", "cache") },
      });
      await service.start();
      const { state, detail } = service.health();
      if (state === "ready") {
        t.comment("not shown here: a browser is installed in one of the usual folders");
      } else {
        t.equal(state, "unavailable");
        for (const part of [
          "Tried",
          "npx puppeteer browsers install",
          "apt-get install",
          "npm install",
          "pdf.executable",
        ]) {
          t.match(detail, part);
        }
        await t.rejects(service.print(job(page("x"))), {
          code: 503,
          id: "plugin-unavailable",
          message: /no browser/,
        });
      }
      await service.stop();
    },
  );
});

t.test("two services share a folder, and each takes its own profile away", async (t) => {
  const varDirectory = varFolder();
  const first = await startedService({ varDirectory });
  const second = await startedService({ varDirectory });
  const left = readdirSync(join(varDirectory, "pdf")).filter((name) => name.startsWith("profile-"));
  t.equal(left.length, 2);
  t.strictSame(await pageTexts((await first.print(job(page("both print")))).content), ["both print"]);
  t.ok(processesOf(browserOf(varDirectory)).length > 0);
  await Promise.all([first.stop(), second.stop()]);
  for (const name of left) t.notOk(existsSync(join(varDirectory, "pdf", name)));
});
