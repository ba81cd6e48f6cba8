/**
 * Files that plugins bring: which ones, in an archive and in a snapshot. The part is tested by itself: a host for each hostile
 * folder would take minutes.
 */
import { mkdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import { packPlugin } from "../../../host/plugins/packages/pack-plugin.js";
import type { Origin } from "../../../host/plugins/packages/packages.js";
import { StateRecord } from "../../../host/plugins/plugin-state.js";
import type { Snapshot } from "../../../host/plugins/snapshots/snapshot.js";
import { SnapshotStore } from "../../../host/plugins/snapshots/snapshot-store.js";
import { stagePlugin } from "../../../host/plugins/snapshots/staging.js";
import { sdkVersion } from "../../../host/system/installation.js";
import { sha256 } from "../../host/plugins-support.js";
import { writeFiles } from "../../host/templates-support.js";
import { unpackArchive } from "../../host/unpack-archive.js";
import { failOnFault } from "../../stage-faults.js";
import { repository } from "../../start-host.js";

const manifest = (assets: unknown, templates?: string): string =>
  JSON.stringify({
    name: "letters",
    version: "1.0.0",
    type: "module",
    engines: { slipway: "^1.0.0" },
    slipway: { plugin: "Letters", entry: "./index.ts", config: "config.json", assets, templates },
  });

const files = {
  "index.ts": "export default 1;",
  "config.json": "{}",
  "README.md": "# Letters",
  "certificate.ejs": "<p>",
  ".hidden.ejs": "",
  "saved.ejs~": "",
  "assets/logo.png": "png",
  "assets/logo@2x (new).png": "png",
  "assets/fonts/a/sans.woff2": "font",
  "assets/fonts/a/sans.txt": "licence",
  "assets/node_modules/no/index.js": "",
};

/** A folder with these files besides, and what its globs come to: the names of the archive's assets, or the refusal. */
async function opened(t: Test) {
  const folder = t.testdir({ plugin: {}, snapshots: {} });
  const plugin = join(folder, "plugin");
  await writeFiles(plugin, files);
  const store = new SnapshotStore(join(folder, "snapshots"), join(repository, "sdk"));
  await store.open();
  let count = 0;
  const pack = async (assets: unknown, templates?: string): Promise<string[] | string> => {
    await writeFile(join(plugin, "package.json"), manifest(assets, templates));
    count += 1;
    const archive = join(folder, `${count}.tgz`);
    const target = join(folder, `unpacked-${count}`);
    try {
      await packPlugin(plugin, { sdkVersion, out: archive });
      await unpackArchive(archive, target, { bytes: 100_000_000, files: 2000 });
      const { files } = JSON.parse(await readFile(join(target, "integrity.json"), "utf8"));
      const packed = await stage(target);
      t.strictSame(
        packed.assets,
        (await stage(plugin)).assets,
        "an archive has the assets of the folder that it was made of",
      );
      for (const { path, sha256: hash } of packed.assets) t.equal(files[path]?.sha256, hash, path);
      return packed.assets.map(({ path }) => path);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "Rejection") throw error;
      await t.rejects(stage(plugin), { name: "Rejection", message: error.message });
      return error.message;
    }
  };
  const stage = (source: string, origin: Origin = { signedBy: undefined }): Promise<Snapshot> =>
    stagePlugin(source, new StateRecord(source, { note: () => undefined, fault: failOnFault }), {
      store,
      sdkVersion,
      trust: async () => origin,
    });
  return { plugin, pack, stage, store };
}

t.test("globs choose files, in the folder as in its archive", async (t) => {
  const { pack } = await opened(t);
  const logos = ["assets/logo.png", "assets/logo@2x (new).png"];
  const fonts = ["assets/fonts/a/sans.txt", "assets/fonts/a/sans.woff2"];
  const cases: [string[], string[]][] = [
    [["certificate.ejs"], ["certificate.ejs"]],
    [
      ["assets/**", "certificate.ejs"],
      [...fonts, ...logos, "certificate.ejs"],
    ],
    [["assets/*"], logos],
    [
      ["assets/logo?*.png", "*.ejs"],
      ["assets/logo@2x (new).png", "certificate.ejs"],
    ],
    [["**/*.woff2", "**/fonts/**/sans.t?t"], fonts],
    [["assets/*/*/*.txt"], ["assets/fonts/a/sans.txt"]],
    [["**"], ["README.md", ...fonts, ...logos, "certificate.ejs", "config.json"]],
  ];
  for (const [globs, expected] of cases) t.strictSame(await pack(globs), expected, globs.join(" "));
  t.strictSame(await pack([]), []);
});

t.test("globs that cannot be meant are refused by name", async (t) => {
  const { pack } = await opened(t);
  const cases: [unknown, RegExp][] = [
    [
      ["certificate.ejs", "letters/*.ejs"],
      /^slipway\.assets: "letters\/\*\.ejs" matches no file of the plugin$/,
    ],
    [["a", "b"], /"a", "b" match no file/],
    [["index.ts"], /"index\.ts" matches no file/],
    [["package.json"], /"package\.json" matches no file/],
    [["assets"], /"assets" matches no file/],
    [
      [".hidden.ejs", "assets/node_modules/**"],
      /"\.hidden\.ejs", "assets\/node_modules\/\*\*" match no file/,
    ],
    [["../plugin/**"], /assets\[0\]: the glob "\.\.\/plugin\/\*\*" leads out of its folder/],
    [["assets/../../*"], /leads out of its folder/],
    [["/etc/passwd"], /the glob "\/etc\/passwd" is absolute/],
    [["C:/windows"], /is absolute/],
    [["assets\\logo.png"], /has a backslash/],
    [["./assets/**"], /has an empty part/],
    [["assets//logo.png"], /has an empty part/],
    [[""], /is empty/],
    [["*.{png,jpg}"], /has other wildcards than \*, \? and \*\*/],
    [["!assets/**"], /has other wildcards/],
    [["assets/**.png"], /has \*\* beside other characters/],
    [["a".repeat(201)], /is longer than 200 characters/],
    [["a\u0000"], /has characters that a file name cannot have/],
    [Array(101).fill("**"), /slipway\.assets` must not have more than 100 items/],
    ["assets/**", /slipway\.assets` must be an array/],
  ];
  for (const [assets, message] of cases)
    t.match(await pack(assets), message, JSON.stringify(assets).slice(0, 80));
});

t.test("templates are a folder with templates", async (t) => {
  const { plugin, pack } = await opened(t);
  await writeFiles(join(plugin, "reports", "own"), { "notes.txt": "" });
  const none = 'slipway.templates: "reports/own" has no folder with a template.json in it';
  t.equal(await pack(undefined, "reports/own"), none);
  await writeFiles(join(plugin, "reports", "own"), { "offer/template.json": "{}", "_shared/style.css": "" });
  const files = ["_shared/style.css", "notes.txt", "offer/template.json"].map(
    (path) => `reports/own/${path}`,
  );
  t.strictSame(await pack(["*.ejs"], "reports/own"), ["certificate.ejs", ...files]);
  for (const [templates, message] of [
    ["../reports", /slipway\.templates: the folder "\.\.\/reports" leads out of its folder/],
    ["reports/*", /has wildcards/],
    ["/reports", /is absolute/],
    ["reports/", /has an empty part/],
  ] as const)
    t.match(await pack(undefined, templates), message);
});

t.test("a glob made to take long takes no time that counts", async (t) => {
  const { plugin, pack } = await opened(t);
  await mkdir(join(plugin, "long"));
  await writeFile(join(plugin, "long", "a".repeat(250)), "");
  const hostile = `**/**/**/**/${"*a".repeat(90)}b`;
  t.match(await pack(["**", hostile]), /matches no file/);
});

t.test(
  "links lead nowhere else, and amounts have limits",
  { skip: process.platform === "win32" },
  async (t) => {
    const { plugin, pack } = await opened(t);
    const secret = join(plugin, "..", "secret.txt");
    await writeFile(secret, "secret");
    const place = join(plugin, "assets", "place");
    const linked = async (to: string, globs = ["assets/**"]): Promise<unknown> => {
      await symlink(to, place);
      const result = await pack(globs);
      await rm(place);
      return result;
    };
    t.equal(await linked(secret), "assets/place is a link out of the plugin's folder");
    t.equal(await linked("../../secret.txt"), "assets/place is a link out of the plugin's folder");
    t.equal(await linked(".."), "assets/place is a link to a folder, which no asset can be in");
    t.match(await linked("..", ["assets/*/*.ejs"]), /is a link to a folder/);
    t.equal(await linked("nothing"), "assets/place is a link to nothing");
    t.ok((await linked("logo.png"))?.toString().includes("assets/place"), "inside it is a file like others");
    t.strictSame(
      await linked(secret, ["certificate.ejs"]),
      ["certificate.ejs"],
      "what no glob matches is not read",
    );

    await writeFile(join(plugin, "assets", "huge.bin"), "");
    await truncate(join(plugin, "assets", "huge.bin"), 64 * 1024 * 1024);
    t.match(
      await pack(["assets/**"]),
      /^with assets\/.*, which "assets\/\*\*" matches, the assets have more than 64 MB$/,
    );
    await rm(join(plugin, "assets", "huge.bin"));
    await writeFiles(plugin, Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`many/${at}`, ""])));
    t.match(
      await pack(["many/*"]),
      /^with many\/\d+, which "many\/\*" matches, there are more than 1000 assets$/,
    );
  },
);

t.test("a snapshot has the files as they were, and knows when they are damaged", async (t) => {
  const { plugin, stage, store } = await opened(t);
  await writeFile(join(plugin, "package.json"), manifest(["assets/**"]));
  const first = await stage(plugin);
  const logo = join(first.assetFolder, "assets", "logo.png");
  t.strictSame(first.assets.at(-2), {
    path: "assets/logo.png",
    bytes: 3,
    sha256: sha256(Buffer.from("png")),
  });
  await writeFile(join(plugin, "assets", "logo.png"), "new");
  const second = await stage(plugin);
  t.not(second.sourceHash, first.sourceHash, "another file is another content");
  t.equal(await readFile(logo, "utf8"), "png");
  t.equal(await readFile(join(second.assetFolder, "assets", "logo.png"), "utf8"), "new");
  await writeFile(join(plugin, "assets", "logo.png"), "png");
  t.strictSame(await stage(plugin), first);

  for (const harm of [() => writeFile(logo, "odd"), () => rm(logo)]) {
    await harm();
    t.equal(await store.find(first), undefined);
    t.strictSame(await stage(plugin), first, "it is made again");
    t.equal(await readFile(logo, "utf8"), "png");
  }
});

t.test("a signature covers them", async (t) => {
  const { plugin, stage } = await opened(t);
  await writeFile(join(plugin, "package.json"), manifest(["certificate.ejs"]));
  const names = ["package.json", "index.ts", "config.json"];
  const hashes = names.map(async (name) => [name, sha256(await readFile(join(plugin, name)))] as const);
  const listed = new Map(await Promise.all(hashes));
  const signed = (files: ReadonlyMap<string, string>): Promise<Snapshot> =>
    stage(plugin, { signedBy: "maker", files });
  await t.rejects(signed(listed), /certificate\.ejs is not in the plugin's list of files/);
  listed.set("certificate.ejs", sha256(Buffer.from("other")));
  await t.rejects(signed(listed), /certificate\.ejs does not match the plugin's list of files/);
  listed.set("certificate.ejs", sha256(Buffer.from("<p>")));
  t.equal((await signed(listed)).assets.length, 1);
});
