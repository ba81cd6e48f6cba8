/**
 * Fonts for further scripts: `slipway fonts` adds and removes them, and reports use them at once. The list of scripts is also tested
 * by itself, against the style sheet that names its fonts.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { checkAccessibility, checkArchive } from "@slipway/sdk/testing";
import t from "tap";
import { create } from "tar";
import { fontScripts } from "../../../host/pdf/fonts/font-scripts.js";
import { freePort } from "../../free-port.js";
import { job, page, pageTexts, startedService, varFolder } from "../../host/pdf-support.js";
import { type EndedCommand, runCommand } from "../../run-command.js";
import { repository } from "../../start-host.js";

const vendor = join(repository, "node_modules", "@expo-google-fonts");
const folder = mkdtempSync(join(tmpdir(), "slipway-fonts-test-"));
t.teardown(() => rmSync(folder, { recursive: true }));

const fonts = (parameters: string[], environment: Record<string, string> = {}): Promise<EndedCommand> =>
  runCommand(["fonts", ...parameters], { folder, environment });

/** The archive of a package, as `npm pack` makes it. */
const packed = (name: string): Promise<Buffer> =>
  buffer(create({ cwd: join(vendor, name), gzip: true, prefix: "package", portable: true }, ["."]));

const hebrew = "כיסא משרדי";
const thai = "ภาษาไทย เก้าอี้";
const arabic = "مكتب قابل للتعديل";

t.test(
  "a running host prints a script as boxes until its fonts are added, and again once they are removed",
  async (t) => {
    const varDirectory = varFolder();
    const service = await startedService({ varDirectory });
    t.teardown(() => service.stop());
    const html = page(`<h1>${hebrew} 42</h1><p>${thai}</p><p>${arabic}</p>`);
    const print = () => service.print(job(html, { tagged: true, archivable: true }));
    const missing = {
      id: "font-glyph-missing",
      message: /slipway fonts add hebrew arabic thai$/,
      additionalInformation: { scripts: ["hebrew", "arabic", "thai"] },
    };
    const before = await print();
    t.match(
      before.errors.find(({ id }) => id === "font-glyph-missing"),
      missing,
    );

    const added = await fonts(["add", "Hebr", "ar", "THAI", "--from", vendor, "--var", varDirectory]);
    t.equal(added.code, 0, added.errors);
    const after = await print();
    t.strictSame(after.errors, []);
    t.strictSame([checkAccessibility(after.content), checkArchive(after.content)], [[], []]);
    const text = (await pageTexts(after.content)).join(" ");
    const letters = (of: string): string[] => [...new Set(of.replaceAll(/\s/g, ""))].sort();
    for (const script of [hebrew, thai.replaceAll("ำ", ""), arabic])
      t.strictSame(
        letters(script).filter((letter) => !text.includes(letter)),
        [],
        "every letter can be found",
      );
    t.notMatch(text, /[\0\ufb1d-\ufdff\ufe70-\ufefc]/u, "letters are not told by their forms");

    const removed = await fonts(["remove", "hebrew", "ar", "thai", "--var", varDirectory]);
    t.equal(removed.code, 0, removed.errors);
    t.match(
      (await print()).errors.find(({ id }) => id === "font-glyph-missing"),
      missing,
    );
  },
);

t.test("the language of a document says which East Asian fonts it lacks", async (t) => {
  const service = await startedService({ varDirectory: varFolder() });
  t.teardown(() => service.stop());
  const scripts = async (language: string, text: string): Promise<unknown> => {
    const html = page(`<p>${text}</p>`).replace('lang="en"', `lang="${language}"`);
    return (await service.print(job(html))).errors[0]?.additionalInformation?.["scripts"];
  };
  t.strictSame(await scripts("en", "椅子"), ["chinese-simplified"]);
  t.strictSame(await scripts("en", "椅子テ"), ["japanese"]);
  t.strictSame(await scripts("ja-JP", "椅子"), ["japanese"]);
  t.strictSame(await scripts("zh-TW", "椅子"), ["chinese-traditional"]);
  t.strictSame(await scripts("ko", "椅子 의자"), ["korean"]);
  t.strictSame(await scripts("de", "👩‍👩‍👧 ✓ 𝔘"), ["symbols", "emoji"]);
  t.strictSame(await scripts("de", "\u{16a0}"), [], "runes: no font is known");
});

t.test(
  "list tells what can be printed; archives, folders and folders of them are taken, licences stay with the fonts",
  async (t) => {
    const varDirectory = join(folder, "listed");
    const archive = join(folder, "thai.tgz");
    writeFileSync(archive, await packed("noto-sans-thai"));
    t.match(await fonts(["add", "--from", archive, "--var", varDirectory]), { code: 0 });
    t.match(await fonts(["add", "--from", join(vendor, "noto-sans-hebrew"), "--var", varDirectory]), {
      code: 0,
    });
    const listed = await fonts(["list", "--json", "--var", varDirectory]);
    const { scripts } = JSON.parse(listed.output);
    const of = (name: string): unknown => scripts.find(({ script }: { script: string }) => script === name);
    t.match(of("thai"), { printable: true, from: "added", licence: "OFL-1.1", bytes: Number });
    t.match(of("hebrew"), { printable: true, packages: [/^@expo-google-fonts\/noto-sans-hebrew@\d/] });
    t.match(of("devanagari"), { printable: true, from: "Slipway" });
    t.match(of("japanese"), { printable: false });
    t.match(
      readFileSync(join(varDirectory, "fonts", "thai", "LICENSE-noto-sans-thai"), "utf8"),
      /SIL OPEN FONT/i,
    );
    t.match((await fonts(["list", "--var", varDirectory])).output, /^thai +yes +added +\d/m);
    const elsewhere = join(folder, "elsewhere");
    t.match(await fonts(["add", "he", "--from", vendor, "--folder", elsewhere]), { code: 0 });
    t.strictSame(readdirSync(elsewhere), ["hebrew"], "another folder");
  },
);

t.test("what fails changes nothing, and says what to do", async (t) => {
  const varDirectory = join(folder, "failing");
  const place = join(varDirectory, "fonts");
  const nothing = (): string[] => (existsSync(place) ? readdirSync(place) : []);
  const add = (parameters: string[], environment: Record<string, string> = {}) =>
    fonts(["add", ...parameters, "--var", varDirectory], {
      npm_config_cache: join(folder, "npm-cache"),
      npm_config_fetch_retries: "0",
      ...environment,
    });
  const refused = async (
    parameters: string[],
    message: RegExp,
    code = 1,
    environment = {},
  ): Promise<void> => {
    const ended = await add(parameters, environment);
    t.match(ended, { code, output: "", errors: message });
    t.strictSame(nothing(), [], parameters.join(" "));
  };
  const broken = join(folder, "broken.tgz");
  writeFileSync(broken, (await packed("noto-sans-thai")).subarray(0, 20_000));
  await refused(["--from", broken], /broken\.tgz cannot be used: the archive ends early/);
  await refused(["--from", join(folder, "none.tgz")], /no readable archive or folder/);
  await refused(["japanese", "--from", vendor], /lacks packages; expected @expo-google-fonts\/noto-sans-jp/);
  await refused(["hebrew", "klingon"], /no script "klingon"/, 2);
  await refused([], /Name one or more scripts: hebrew, arabic/, 2);
  await refused(["he", "--all-scripts"], /not both/, 2);
  await refused(["thai"], /there is no npm on this machine.*--from/, 1, { PATH: folder });
  const unreachable = { npm_config_registry: `http://127.0.0.1:${await freePort()}/` };
  await refused(["thai"], /noto-sans-thai .* cannot be fetched: .*ECONNREFUSED.*--from/s, 1, unreachable);
  t.match(await fonts(["remove", "thai", "--var", varDirectory]), {
    code: 1,
    errors: /no added fonts for thai/,
  });
});

t.test("a registry that gives another archive than the known one is not believed", async (t) => {
  const archive = await packed("noto-sans-hebrew");
  const { version = "" } = fontScripts.find(({ name }) => name === "thai")?.packages[0] ?? {};
  const server = createServer((request, response) => {
    if (request.url?.endsWith(".tgz")) return response.end(archive);
    const name = "@expo-google-fonts/noto-sans-thai";
    const { port } = server.address() as AddressInfo;
    const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
    const dist = { tarball: `http://127.0.0.1:${port}/thai.tgz`, integrity };
    response.setHeader("Content-Type", "application/json");
    const versions = { [version]: { name, version, dist } };
    return response.end(JSON.stringify({ name, versions, "dist-tags": { latest: version } }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.teardown(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  const varDirectory = join(folder, "deceived");
  const ended = await fonts(["add", "thai", "--var", varDirectory], {
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: join(folder, "npm-cache"),
  });
  t.match(ended, { code: 1, errors: /another archive than the one that is known.*Nothing was added/s });
  t.notOk(existsSync(join(varDirectory, "fonts")));
});

t.test("the common style sheet names every font of the list, for its bold", (t) => {
  const style = readFileSync(join(repository, "templates", "_standard", "style.css"), "utf8");
  const missing = fontScripts
    .flatMap(({ families }) => families)
    .filter((each) => !style.includes(`"${each}"`));
  t.strictSame(missing, []);
  t.end();
});
