/**
 * Archives, lists of files, signatures, and the commands for those who make plugins. Each part is tested by
 * itself: to offer every damaged archive and list to a host would take minutes.
 */

import { execFile } from "node:child_process";
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import t from "tap";
import { pluginChecks } from "../../host/cli/plugin-checks.js";
import { resolveConfiguration } from "../../host/configuration/resolve-configuration.js";
import {
  completeness,
  KnownHashes,
  makeKey,
  readIntegrity,
  requireTrust,
  signed,
  signedBy,
} from "../../host/plugins/packages/integrity.js";
import { packPlugin } from "../../host/plugins/packages/pack-plugin.js";
import { PluginPackage, removeUnpackedExcept, unpackedFolder } from "../../host/plugins/packages/packages.js";
import { StateRecord } from "../../host/plugins/plugin-state.js";
import type { Snapshot } from "../../host/plugins/snapshots/snapshot.js";
import { SnapshotStore } from "../../host/plugins/snapshots/snapshot-store.js";
import { admissible, Staging } from "../../host/plugins/snapshots/snapshots.js";
import { attemptContent, takeFingerprint } from "../../host/plugins/sources/source-content.js";
import { sdkVersion } from "../../host/system/installation.js";
import { checkTrustedKey } from "../../host/system/signing-keys.js";
import { engineMessage } from "../engine-message.js";
import {
  type HandmadeEntry,
  type HandmadeZipEntry,
  handmadeArchive,
  handmadeTar,
  handmadeZip,
  pax,
} from "../host/archive-support.js";
import { fixtures, sha256 } from "../host/plugins-support.js";
import { definition, writeFiles } from "../host/templates-support.js";
import { unpackArchive } from "../host/unpack-archive.js";
import { type EndedCommand, runCommand } from "../run-command.js";
import { failOnFault } from "../stage-faults.js";
import { repository } from "../start-host.js";

const megabyte = 1024 * 1024;
const limits = { bytes: 10 * megabyte, files: 20 };

/** A plugin with a package of its own, which is in the old module format. */
const withPackage = {
  "package.json": JSON.stringify({
    name: "@maker/with-package",
    version: "1.2.0",
    description: "Has a package of its own",
    private: true,
    type: "module",
    scripts: { test: "true" },
    engines: { slipway: "^1.0.0" },
    slipway: {
      plugin: "with-package",
      entry: "source/index.ts",
      config: "config/defaults.json",
      smoke: [{ path: "where" }],
    },
  }),
  "README.md": "# With a package",
  "notes.txt": "Not for anybody else.",
  config: { "defaults.json": '{ "greeting": "Hello" }' },
  source: {
    "index.ts": `import { definePlugin, route, Type } from "@slipway/sdk";
import where from "where";
export default definePlugin({
  config: Type.Object({ greeting: Type.String() }),
  setup: (_host, { greeting }) => ({
    routes: [
      route.get("where", { summary: "Says where", response: Type.Object({ text: Type.String() }), handler: () => ({ text: greeting + where() }) }),
    ],
  }),
});
`,
  },
  node_modules: {
    where: {
      "package.json": '{ "name": "where", "version": "1.0.0", "main": "index.js" }',
      "index.js": 'const path = require("node:path"); module.exports = () => path.sep;',
    },
  },
};

const folder = t.testdir({ "with-package": withPackage, out: {}, none: {} });
const plugin = join(folder, "with-package");
const out = join(folder, "out");

let count = 0;
const fresh = async (): Promise<string> => {
  count += 1;
  const path = join(folder, `fresh-${count}`);
  await mkdir(path);
  return path;
};

/** What an archive comes to: the files of its folder, or why it was refused. Nothing may be left of a refused one. */
async function unpacked(archive: Buffer, most = limits): Promise<string[] | string> {
  const root = await fresh();
  const file = join(root, "plugin.tgz");
  await writeFile(file, archive);
  try {
    await unpackArchive(file, join(root, "plugin"), most);
    return (await filesOf(join(root, "plugin"))).sort();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const left = await readdir(root);
    return left.length > 1 ? `left behind: ${left}` : `${error.name}: ${error.message}`;
  }
}

async function filesOf(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

const slipway = (...parameters: string[]): Promise<EndedCommand> =>
  runCommand(["plugin", ...parameters], { folder: out });

type Refused = [string, HandmadeEntry[], RegExp];

t.test("archives that could harm are refused, and nothing of them is left", async (t) => {
  const long = "x".repeat(99);
  const refused: Refused[] = [
    ["absolute path", [{ name: "/etc/passwd" }], /^Rejection: "\/etc\/passwd" is absolute$/],
    ["path upwards", [{ name: "package/../../x" }], /"package\/\.\.\/\.\.\/x" leads out of its folder/],
    ["path upwards in a pax header", [pax({ path: "package/../../x" }), { name: "package/x" }], /leads out/],
    [
      "path upwards in a long name",
      [{ name: "L", type: "L", content: "package/../../x\0" }, { name: "x" }],
      /leads out/,
    ],
    ["empty part", [{ name: "package//x" }], /has an empty part/],
    ["backslash", [{ name: "package\\..\\x" }], /backslash/],
    ["drive letter", [{ name: "C:/x" }], /colon/],
    ["control character", [{ name: "package/a\nb" }], /"package\/a\\nb" has characters/],
    ["NUL", [pax({ path: "package/a\0b" }), { name: "package/x" }], /has characters/],
    ["reversing character", [{ name: "package/a\u202eb" }], /has characters/],
    ["name that is no UTF-8", [{ name: Buffer.from("package/\xff", "latin1") }], /has characters/],
    ["symbolic link", [{ name: "package/x", type: "2", target: "/etc/passwd" }], /"package\/x" is a link/],
    ["hard link", [{ name: "package/x", type: "1", target: "package/package.json" }], /is a link/],
    ["file with a target", [{ name: "package/x", target: "/etc/passwd" }], /names the target of a link/],
    ["character device", [{ name: "package/x", type: "3" }], /is neither a file nor a folder/],
    ["block device", [{ name: "package/x", type: "4" }], /is neither a file nor a folder/],
    ["pipe", [{ name: "package/x", type: "6" }], /is neither a file nor a folder/],
    ["unknown kind", [{ name: "package/x", type: "Z" }], /is neither a file nor a folder/],
    ["same name", [{ name: "package/package.json" }], /"package\/package.json" is there twice/],
    ["other case", [{ name: "package/Package.JSON" }], /differs from "package\/package.json" only in case/],
    [
      "folder in another case",
      [{ name: "package/lib/a" }, { name: "package/LIB/b" }],
      /"package\/LIB\/b" differs/,
    ],
    ["other normalization", [{ name: "package/\u00e9" }, { name: "package/e\u0301" }], /or normalization/],
    ["folder that is a file", [{ name: "package/a" }, { name: "package/a/b" }], /as a file and as a folder/],
    ["file that is a folder", [{ name: "package/a/b" }, { name: "package/a" }], /as a file and as a folder/],
    ["long name", [pax({ path: `package/${"x".repeat(256)}` }), { name: "x" }], /more than 255 bytes/],
    [
      "long path",
      [pax({ path: `package/${`${long}/`.repeat(10)}x` }), { name: "x" }],
      /longer than 1000 bytes/,
    ],
    ["dot at the end", [{ name: "package/x." }], /ends with a dot/],
    ["second folder on top", [{ name: "other/x" }], /more beside the folder "package": the folder "other"/],
    ["file beside the folder", [{ name: "read.me" }], /more beside the folder "package": "read.me"; pack/],
    [
      "second plugin",
      [{ name: "other/package.json" }],
      /a package.json in each of the folder "package", the folder "other"; pack each/,
    ],
    ["folder and file", [{ name: "package", type: "0" }], /as a file and as a folder/],
    ["path upwards after a dot", [{ name: "./../x" }], /"\.\/\.\.\/x" leads out/],
    ["path upwards of a file of a system", [{ name: "package/../../._x" }], /leads out/],
    ["link named like a file of a system", [{ name: "package/._x", type: "2", target: "/etc" }], /is a link/],
    [
      "too many files",
      Array.from({ length: 20 }, (_, index) => ({ name: `package/${index}` })),
      /more than 20 files/,
    ],
    [
      "too many folders",
      [pax({ path: `package/${"a/".repeat(30)}x` }), { name: "x" }],
      /more than 20 folders/,
    ],
    [
      "size above the limit",
      [{ name: "package/x", size: 11 * megabyte }],
      /with "package\/x" the archive holds more than 10 MB/,
    ],
    [
      "size above the limit in a pax header",
      [pax({ size: "99999999999" }), { name: "package/x" }],
      /more than 10 MB/,
    ],
    [
      "large extended header",
      [{ name: "x", type: "x", content: Buffer.alloc(65 * 1024) }],
      /more than 64 KB/,
    ],
    [
      "many extended headers",
      Array.from({ length: 170 }, () => ({ name: "L", type: "L", content: Buffer.alloc(64 * 1024, 65) })),
      /more than 10 MB/,
    ],
    [
      "malformed extended header",
      [{ name: "x", type: "x", content: "99 path=x\n" }],
      /malformed extended header/,
    ],
    ["extended header with a wrong length", [{ name: "x", type: "x", content: "9 path=xyz\n" }], /malformed/],
    ["global header with a path", [pax({ path: "package/x" }, "g")], /global header that changes names/],
    ...["GNU.sparse.major", "GNU.sparse.name", "GNU.sparse.realsize"].map(
      (key): Refused => [key, [pax({ [key]: "1" }), { name: "package/x" }], /has a sparse file/],
    ),
    ["damaged header", [{ name: "package/x", damaged: true }], /no tar archive, or a damaged one/],
  ];
  for (const [name, entries, reason] of refused) {
    t.match(await unpacked(handmadeArchive(...entries)), reason, name);
  }
  const ends = handmadeTar([{ name: "package/package.json", content: "{}" }]);
  const trailing = /the archive has data after its end/;
  t.match(await unpacked(gzipSync(Buffer.concat([ends, Buffer.alloc(700), Buffer.from("x")]))), trailing);
  t.match(await unpacked(Buffer.concat([gzipSync(ends), Buffer.alloc(3 * megabyte)])), trailing);
  t.match(await unpacked(Buffer.concat([gzipSync(ends), Buffer.from("garbage")])), /Rejection: /);
  t.match(await unpacked(Buffer.from("no archive at all")), /it is no .tgz, .tar or .zip archive/);
  t.match(await unpacked(gzipSync("no tar archive")), /ends early/);
  t.match(await unpacked(gzipSync(Buffer.alloc(1024, "x"))), /no tar archive/);
  t.match(await unpacked(gzipSync(handmadeTar([]))), /no package.json, neither .*; it is empty$/);
  const deeper = [{ name: "package/lib/package.json", content: "{}" }];
  t.match(
    await unpacked(gzipSync(handmadeTar(deeper))),
    /no package.json.*; there is one in the folder "package\/lib"; pack that folder alone$/,
  );
  const within = [
    { name: "oex-1.0.0.tgz" },
    ...Array.from({ length: 8 }, (_, index) => ({ name: `${index}/x` })),
  ];
  t.match(await unpacked(handmadeTar(within)), /on top there is "oex-1\.0\.0\.tgz", .* and 4 more$/);
});

const manifestEntry = { name: "package/package.json", content: "{}" };

t.test("what macOS and Windows add to an archive is left out, with or without a folder on top", async (t) => {
  const tar = (...entries: HandmadeEntry[]): Promise<string[] | string> =>
    unpacked(gzipSync(handmadeTar(entries)));
  const macOs = [
    pax({ "LIBARCHIVE.xattr.com.apple.quarantine": "MDA4" }),
    { name: "._package", content: "x" },
    { name: "package/", type: "5" },
    { name: "package/._package.json", content: "x" },
    manifestEntry,
    { name: "package/lib/.DS_Store" },
    { name: "package/lib/._Icon\r" },
    { name: "package/Icon\r" },
    { name: "package/lib/x.js" },
  ];
  t.same(await tar(...macOs), ["lib/x.js", "package.json"]);
  const binary = Buffer.from("17 SCHILY.xattr.a=\xff\xfe\n", "latin1");
  const length = Buffer.from(`${binary.length} SCHILY.xattr.a=\xff\xfe\n`, "latin1");
  t.same(await tar({ name: "x", type: "x", content: length }, manifestEntry), ["package.json"]);
  const dots = [
    { name: "./._." },
    { name: "./", type: "5" },
    { name: "./._package.json" },
    { name: "./package.json", content: "{}" },
    { name: "./lib/", type: "5" },
    { name: "./lib/x.js" },
  ];
  t.same(await tar(...dots), ["lib/x.js", "package.json"]);
  t.same(await tar({ name: ".", type: "5" }, { name: "package.json" }, { name: "x.js" }), [
    "package.json",
    "x.js",
  ]);
  t.same(await tar({ name: "Thumbs.db" }, manifestEntry, { name: "package/DESKTOP.INI" }), ["package.json"]);
  t.same(await tar({ name: "package.json" }, { name: "lib/package.json" }, { name: "lib/x" }), [
    "lib/package.json",
    "lib/x",
    "package.json",
  ]);
  t.match(await tar({ name: "./package.json" }, { name: "package.json" }), /is there twice/);
  t.match(await tar({ name: "././package.json" }), /has an empty part/);
  t.match(await tar({ name: "Package.json" }), /no package.json.*on top there is "Package.json"/);
  const plain = handmadeTar(macOs);
  t.same(await unpacked(plain), ["lib/x.js", "package.json"], "a plain .tar");
  t.match(await unpacked(plain.subarray(0, 2000)), /ends early/);
  t.match(await unpacked(Buffer.concat([plain, Buffer.from("x")])), /data after its end/);
});

t.test("ZIP archives are unpacked like others", async (t) => {
  const file = 0o100644;
  const macOs = [
    { name: "package/", mode: 0o40755 },
    { ...manifestEntry, mode: file },
    { name: "__MACOSX/", mode: 0o40755 },
    { name: "__MACOSX/._package", mode: file },
    { name: "__MACOSX/package/._package.json", content: "x", mode: file },
    { name: "package/Größe.js", mode: file },
    { name: "package/.DS_Store", mode: file },
  ];
  t.same(await unpacked(handmadeZip(...macOs)), ["Größe.js", "package.json"], "names of macOS are UTF-8");
  const top = [
    { name: "package.json", content: "{}" },
    { name: "lib/x.js", method: 0 },
  ];
  t.same(await unpacked(handmadeZip(...top)), ["lib/x.js", "package.json"]);
  const marked = [manifestEntry, { name: "package/é", flags: 0x800 }];
  t.same(await unpacked(handmadeZip(...marked)), ["package.json", "é"]);
  const old = [manifestEntry, { name: Buffer.from("package/\x81", "latin1") }];
  t.same(await unpacked(handmadeZip(...old)), ["package.json", "ü"], "code page 437");
  const backslashes = [
    { name: "plugin\\" },
    { name: "plugin\\package.json", content: "{}" },
    { name: "plugin\\lib\\x.js" },
  ];
  t.same(await unpacked(handmadeZip(...backslashes)), ["lib/x.js", "package.json"]);
  const root = await fresh();
  const archive = join(root, "x.zip");
  await writeFile(archive, handmadeZip({ name: "package.json" }, { name: "tool", mode: 0o100777 }));
  await unpackArchive(archive, join(root, "x"), limits);
  t.equal((await stat(join(root, "x", "tool"))).mode & 0o7777, 0o755);
});

t.test("ZIP archives that could harm are refused, and nothing of them is left", async (t) => {
  const refused: [string, HandmadeZipEntry[], RegExp][] = [
    ["absolute path", [{ name: "/etc/passwd" }], /"\/etc\/passwd" is absolute/],
    ["path upwards", [{ name: "package/../../x" }], /leads out of its folder/],
    ["path upwards with backslashes", [{ name: "package\\..\\..\\x" }], /has a backslash/],
    ["drive letter", [{ name: "C:/x" }], /colon/],
    ["control character", [{ name: "package/a\nb", flags: 0x800 }], /has characters/],
    [
      "name that is no UTF-8",
      [{ name: Buffer.from("package/\xff", "latin1"), flags: 0x800 }],
      /has characters/,
    ],
    ["empty name", [{ name: "" }], /is empty/],
    [
      "symbolic link",
      [{ name: "package/x", mode: 0o120777, content: "/etc/passwd" }],
      /"package\/x" is a link/,
    ],
    ["link of Windows", [{ name: "package/x", attributes: 0x400 }], /is a link/],
    ["device", [{ name: "package/x", mode: 0o20644 }], /is neither a file nor a folder/],
    ["folder with content", [{ name: "package/x/", content: "x" }], /is a folder with content/],
    ["folder by its attributes", [{ name: "package/x", mode: 0o40755 }], /by its attributes/],
    ["same name", [manifestEntry], /is there twice/],
    ["other case", [{ name: "package/Package.JSON" }], /only in case/],
    ["second plugin", [{ name: "other/package.json" }], /a package.json in each of/],
    ["encrypted", [{ name: "package/x", flags: 1 }], /"package\/x" needs a password/],
    ["other method", [{ name: "package/x", method: 14 }], /is compressed by method 14; use Deflate/],
    ["wrong checksum", [{ name: "package/x", content: "x", damaged: true }], /damaged: its checksum differs/],
    [
      "larger than it says",
      [{ name: "package/x", content: "xxx", size: 1 }],
      /"package\/x" is damaged: too many/,
    ],
    ["smaller than it says", [{ name: "package/x", content: "xxx", size: 9 }], /"package\/x" is damaged: /],
    ["two names", [{ name: "package/x", localName: "package/y" }], /another name where its content is/],
    ["size above the limit", [{ name: "package/x", size: 11 * megabyte }], /archive holds more than 10 MB/],
    [
      "bomb",
      [{ name: "package/x", content: Buffer.alloc(100 * megabyte) }],
      /with "package\/x" the archive holds more than 10 MB/,
    ],
    [
      "many files",
      Array.from({ length: 20 }, (_, index) => ({ name: `package/${index}` })),
      /more than 20 files/,
    ],
    [
      "many files of a system",
      Array.from({ length: 80 }, (_, index) => ({ name: `__MACOSX/${index}` })),
      /more than 80 entries/,
    ],
  ];
  for (const [name, entries, reason] of refused)
    t.match(await unpacked(handmadeZip(manifestEntry, ...entries)), reason, name);
  const whole = handmadeZip(manifestEntry, { name: "package/x", content: "x".repeat(500) });
  t.match(await unpacked(Buffer.concat([whole, Buffer.from("x")])), /no ZIP archive, or a damaged one: /);
  t.match(await unpacked(handmadeZip()), /no package.json.*it is empty/);
  for (let length = 4; length < whole.length; length += 16)
    t.match(await unpacked(whole.subarray(0, length)), /^Rejection: /, `${length} bytes`);
});

t.test("an archive of another format is named", async (t) => {
  const starts: [string, string][] = [
    ["an xz archive", "fd377a585a00"],
    ["a bzip2 archive", "425a6839"],
    ["a 7z archive", "377abcaf271c"],
    ["a RAR archive", "526172211a0701"],
    ["a Zstandard archive", "28b52ffd"],
    ["one part of a ZIP archive of several", "504b0708"],
  ];
  for (const [name, start] of starts) {
    const archive = Buffer.concat([Buffer.from(start, "hex"), Buffer.alloc(700, "x")]);
    t.equal(await unpacked(archive), `Rejection: it is ${name}; pack it as .tgz, .tar or .zip`);
  }
});

t.test("an archive that is cut off anywhere is refused", async (t) => {
  const entries = [
    { name: "package/package.json", content: "{}" },
    pax({ path: "package/lib/x.js" }),
    { name: "x", content: "x".repeat(700) },
  ];
  const whole = handmadeTar(entries);
  for (let length = 0; length < whole.length; length += 256) {
    t.match(await unpacked(gzipSync(whole.subarray(0, length))), /the archive ends early/, `${length} bytes`);
  }
  const compressed = gzipSync(whole);
  for (let length = 0; length < compressed.length; length += 40) {
    t.match(
      await unpacked(compressed.subarray(0, length)),
      /the archive ends early/,
      `${length} compressed bytes`,
    );
  }
  t.same(await unpacked(compressed), ["lib/x.js", "package.json"]);
});

t.test("what grows when it is unpacked costs no more than the limit", async (t) => {
  const zeros = Buffer.alloc(100 * megabyte);
  const content = [
    { name: "package/package.json", content: "{}" },
    { name: "package/x", content: zeros },
  ];
  t.match(
    await unpacked(gzipSync(handmadeTar(content), { level: 1 })),
    /"package\/x" the archive holds more than 10 MB/,
  );
  const root = await fresh();
  const file = join(root, "plugin.tgz");
  await writeFile(
    file,
    gzipSync(
      Buffer.concat([handmadeTar([{ name: "package/package.json" }]), zeros.subarray(0, 20 * megabyte)]),
      { level: 1 },
    ),
  );
  await t.rejects(unpackArchive(file, join(root, "plugin"), limits), {
    message: "the archive holds more than 10 MB",
  });
});

t.test("archives of npm and of others are unpacked without their top folder", async (t) => {
  const root = await fresh();
  const long = `${"folder/".repeat(15)}${"x".repeat(60)}.js`;
  await mkdir(join(root, "source", "folder/".repeat(15)), { recursive: true });
  await writeFile(join(root, "source", long), "long");
  await writeFile(join(root, "source", "Größe.js"), "umlauts");
  await writeFile(join(root, "source", "tool"), "#!/bin/sh", { mode: 0o777 });
  await writeFile(
    join(root, "source", "package.json"),
    '{ "name": "packed", "version": "1.0.0", "bin": "tool" }',
  );
  await promisify(execFile)("npm", ["pack", "--silent", "--pack-destination", root, "./source"], {
    cwd: root,
  });
  const target = join(root, "target");
  t.match(await unpackArchive(join(root, "packed-1.0.0.tgz"), target, limits), /^[0-9a-f]{64}$/);
  t.same((await filesOf(target)).sort(), ["Größe.js", long, "package.json", "tool"].sort());
  t.equal(await readFile(join(target, long), "utf8"), "long");
  const mode = async (name: string): Promise<number> => (await stat(join(target, name))).mode & 0o7777;
  t.equal(await mode("tool"), 0o755);
  t.equal(await mode("package.json"), 0o644);

  const other = [
    pax({ comment: "0123456789" }, "g"),
    { name: "maker-plugin-1a2b3c/", type: "5", mode: 0o777 },
    { name: "maker-plugin-1a2b3c/package.json", mode: 0o6777 },
    { name: "maker-plugin-1a2b3c/lib/", type: "5" },
    { name: "maker-plugin-1a2b3c/lib/index.js", content: "x" },
  ];
  t.same(await unpacked(gzipSync(handmadeTar(other))), ["lib/index.js", "package.json"]);
});

t.test("an archive is unpacked once for each content", async (t) => {
  const root = join(await fresh(), "unpacked");
  const archive = join(folder, "once.tgz");
  await writeFile(archive, handmadeArchive({ name: "package/x", content: "one" }));
  const [one, again] = await Promise.all([
    unpackedFolder(archive, root, limits),
    unpackedFolder(archive, root, limits),
  ]);
  t.equal(one, again);
  const { ino } = await stat(one);
  t.equal(await unpackedFolder(archive, root, limits), one);
  t.equal((await stat(one)).ino, ino);
  await writeFile(archive, handmadeArchive({ name: "package/x", content: "two" }));
  const two = await unpackedFolder(archive, root, limits);
  t.equal(await readFile(join(one, "x"), "utf8"), "one");
  t.equal(await readFile(join(two, "x"), "utf8"), "two");
  await mkdir(join(root, ".unpacking-1-1.part"));
  await removeUnpackedExcept(root, new Set([two]));
  t.same(await readdir(root), [two.slice(root.length + 1)]);
  await t.resolves(removeUnpackedExcept(join(root, "nothing"), new Set()));
});

t.test("a packed plugin has its bundle and what people read, and is the same every time", async (t) => {
  const first = await packPlugin(plugin, { sdkVersion, out });
  t.equal(first.file, join(out, "maker-with-package-1.2.0.tgz"));
  const bytes = await readFile(first.file);
  t.equal(first.bytes, bytes.length);

  const copy = join(await fresh(), "elsewhere");
  await cp(plugin, copy, { recursive: true });
  await utimes(join(copy, "README.md"), 1, 1);
  const second = await packPlugin(copy, { sdkVersion, out: join(out, "other.tgz") });
  t.ok(bytes.equals(await readFile(second.file)), "the same plugin elsewhere makes the same bytes");
  t.equal(first.sha256, second.sha256);

  const target = join(await fresh(), "target");
  await unpackArchive(first.file, target, limits);
  t.same((await filesOf(target)).sort(), [
    "README.md",
    "config/defaults.json",
    "integrity.json",
    "package.json",
    "plugin.mjs",
  ]);
  t.equal((await filesOf(target)).length, first.files);
  t.same(JSON.parse(await readFile(join(target, "package.json"), "utf8")), {
    name: "@maker/with-package",
    version: "1.2.0",
    description: "Has a package of its own",
    type: "module",
    engines: { slipway: "^1.0.0" },
    slipway: {
      plugin: "with-package",
      aliases: [],
      entry: "plugin.mjs",
      config: "config/defaults.json",
      smoke: [{ method: "GET", path: "where" }],
    },
  });
  t.same(await completeness(target), { listed: true, waiting: undefined });
  t.notOk((await readdir(out)).some((name) => name.endsWith(".part")));
  t.match(gunzipSync(bytes).toString("latin1"), /ustar/);

  const broken = join(fixtures, "broken", "syntax-error");
  await t.rejects(packPlugin(broken, { sdkVersion, out }), {
    name: "Rejection",
    message: /index\.js:\d+:\d+: /,
  });
  await t.rejects(packPlugin(join(fixtures, "broken", "bad-manifest"), { sdkVersion, out }), {
    name: "Rejection",
    message: /`package\.json\.\w+` (?:is missing|must)/,
  });
  const clash = await fresh();
  await cp(plugin, clash, { recursive: true });
  const manifest = await readFile(join(clash, "package.json"), "utf8");
  await writeFile(join(clash, "integrity.json"), "{}");
  await writeFile(join(clash, "package.json"), manifest.replace("config/defaults.json", "integrity.json"));
  await t.rejects(packPlugin(clash, { sdkVersion, out }), {
    name: "Rejection",
    message: /"integrity\.json" is there twice/,
  });
  await t.rejects(
    packPlugin(plugin, { sdkVersion, out: join(out, "missing", "x") }),
    /neither an existing folder/,
  );
});

t.test("a packed plugin is complete when every file is there, byte by byte", async (t) => {
  const packed = await packPlugin(plugin, { sdkVersion, out });
  const source = join(await fresh(), "source");
  await unpackArchive(packed.file, source, limits);
  const target = await fresh();
  const hashes = new KnownHashes();
  const look = () => completeness(target, hashes);
  const take = (name: string) => cp(join(source, name), join(target, name), { recursive: true });

  t.same(await look(), { listed: false, waiting: undefined });
  const list = await readFile(join(source, "integrity.json"));
  await writeFile(join(target, "integrity.json"), list.subarray(0, 40));
  t.same(await look(), { listed: true, waiting: "integrity.json is not complete." });
  await take("integrity.json");
  t.same(await look(), { listed: true, waiting: "0 of 4 files are there." });
  await take("package.json");
  await take("config");
  t.same(await look(), { listed: true, waiting: "2 of 4 files are there." });
  await take("README.md");
  const code = await readFile(join(source, "plugin.mjs"));
  await writeFile(join(target, "plugin.mjs"), code.subarray(0, 100));
  t.same(await look(), { listed: true, waiting: "3 of 4 files are there." });
  const differs = "3 of 4 files are there; plugin.mjs differs from its entry in integrity.json.";
  await writeFile(join(target, "plugin.mjs"), Buffer.alloc(code.length));
  t.same(
    await look(),
    { listed: true, waiting: differs },
    "a file that has its size already and not its content",
  );
  await writeFile(join(target, "plugin.mjs"), Buffer.concat([code, Buffer.from("//")]));
  t.same(await look(), { listed: true, waiting: differs }, "a longer one");
  await take("plugin.mjs");
  t.same(await look(), { listed: true, waiting: undefined });
  t.same(await look(), { listed: true, waiting: undefined });
  const flipped = Buffer.from(code);
  flipped[10] = (flipped[10] ?? 0) ^ 1;
  await writeFile(join(target, "plugin.mjs"), flipped);
  t.same(await look(), { listed: true, waiting: differs }, "what changed since is seen");
  await take("plugin.mjs");

  await writeFile(join(target, ".hidden"), "");
  await writeFile(join(target, "plugin.mjs.part"), "");
  t.same(await look(), { listed: true, waiting: undefined }, "work in progress does not count");
  await mkdir(join(target, "lib"));
  await writeFile(join(target, "lib", "more.js"), "");
  await t.rejects(look(), { name: "Rejection", message: "lib/more.js is not in integrity.json" });
  await rm(join(target, "lib"), { recursive: true });
  await rm(join(target, "README.md"));
  t.same(await look(), { listed: true, waiting: "3 of 4 files are there." });
});

t.test("a list of files that is wrong is refused with the reason", async (t) => {
  const target = await fresh();
  const file = { size: 1, sha256: "0".repeat(64) };
  const list = (files: Record<string, unknown>, more = {}) => ({
    format: 1,
    files: { "package.json": file, ...files },
    ...more,
  });
  const refused: [unknown, RegExp][] = [
    [[], /`integrity\.json` must be/],
    [list({}, { format: 2 }), /integrity\.json\.format/],
    [list({}, { more: 1 }), /more/],
    [list({ x: { size: -1, sha256: "x" } }), /size` must be at least 0.*sha256` must match/],
    [list({}, { signature: { key: "k", value: "x" } }), /signature\.value/],
    [list({ "../x": file }), /the path "\.\.\/x" leads out of its folder/],
    [list({ "/x": file }), /absolute/],
    [list({ "a\\b": file }), /backslash/],
    [list({ x: file, X: file }), /only in case/],
    [list({ "x/y": file, x: file }), /as a file and as a folder/],
    [list({ "integrity.json": file }), /lists itself/],
    [{ format: 1, files: { x: file } }, /does not list package\.json/],
  ];
  for (const [content, reason] of refused) {
    await writeFile(join(target, "integrity.json"), JSON.stringify(content));
    await t.rejects(readIntegrity(target), { name: "Rejection", message: reason }, JSON.stringify(content));
    await t.rejects(completeness(target), { name: "Rejection", message: reason });
  }
  await rm(join(target, "integrity.json"));
  t.equal(await readIntegrity(target), undefined);
});

t.test(
  "a signature holds for exactly its files, name and version, and for the keys that are trusted",
  async (t) => {
    const keyFile = join(await fresh(), "key.pem");
    const own = await makeKey(keyFile);
    t.equal((await stat(keyFile)).mode & 0o777, 0o600);
    await t.rejects(makeKey(keyFile), { code: "EEXIST" });
    const { publicKey } = generateKeyPairSync("ed25519");
    const other = publicKey.export({ type: "spki", format: "pem" }).toString();

    const packed = await packPlugin(plugin, { sdkVersion, out, key: keyFile });
    t.equal(packed.signedBy, own.fingerprint);
    const target = join(await fresh(), "target");
    await unpackArchive(packed.file, target, limits);
    const { manifest } = await PluginPackage.read(target, sdkVersion);
    const integrity = await readIntegrity(target);
    if (integrity === undefined) throw new Error("There is no list of files.");
    const trust = (keys: Record<string, string>) => ({ required: true, keys });
    t.equal(requireTrust(manifest, integrity, trust({ another: other, ours: own.publicKey })), "ours");
    const refusal = (
      list: typeof integrity | undefined,
      keys: Record<string, string>,
      named = manifest,
    ): string => {
      t.equal(list === undefined ? undefined : signedBy(named, list, keys), undefined);
      t.equal(
        requireTrust(named, list, { required: false, keys }),
        undefined,
        "it is admitted where none is required",
      );
      try {
        return `trusted: ${requireTrust(named, list, trust(keys))}`;
      } catch (error) {
        return String(error);
      }
    };
    const { signature: _, ...unsigned } = integrity;
    t.match(refusal(undefined, { ours: own.publicKey }), /^Rejection: it is not signed; /);
    t.match(refusal(unsigned, { ours: own.publicKey }), /^Rejection: it is not signed; /);
    t.match(refusal(integrity, { another: other }), `signed by an unknown key (${own.fingerprint})`);
    t.match(refusal(integrity, {}), /signed by an unknown key/);
    const ours = { another: other, ours: own.publicKey };
    const unfit = /its signature by the key ours does not fit its files/;
    const { files } = integrity;
    const { "README.md": readme, ...fewer } = files;
    const entry = { size: 1, sha256: "0".repeat(64) };
    t.ok(readme);
    t.match(
      refusal({ ...integrity, files: { ...files, "plugin.mjs": entry } }, ours),
      unfit,
      "a changed file",
    );
    t.match(refusal({ ...integrity, files: { ...files, "more.js": entry } }, ours), unfit, "one more file");
    t.match(refusal({ ...integrity, files: fewer }, ours), unfit, "a removed file");
    t.match(refusal(integrity, ours, { ...manifest, version: "1.2.1" }), unfit, "another version");
    t.match(refusal(integrity, ours, { ...manifest, name: "other" }), unfit, "another name");

    t.equal(checkTrustedKey(own.publicKey), undefined);
    t.equal(checkTrustedKey(other), undefined);
    const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey.export({
      type: "spki",
      format: "pem",
    });
    const wrong = [
      "",
      "x",
      own.publicKey.slice(4),
      await readFile(keyFile, "utf8"),
      rsa.toString(),
      `${own.publicKey}!`,
    ];
    for (const key of wrong) t.match(checkTrustedKey(key), /^expected a public Ed25519 key/);
    await writeFile(join(out, "no-key.pem"), "no key");
    await t.rejects(
      packPlugin(plugin, { sdkVersion, out, key: join(out, "no-key.pem") }),
      /not a private Ed25519 key/,
    );
  },
);

/** Two modules and a package; which of them is asked is decided by names alone. */
const choosing = (version = "1.0.0"): Record<string, string> => ({
  "package.json": JSON.stringify({
    name: "chooser",
    version,
    type: "module",
    engines: { slipway: "^1.0.0" },
    slipway: { plugin: "chooser", entry: "index.js" },
  }),
  "index.js": 'import rule from "./rule"; import "./open.js"; import "./rule/index.js"; export default rule;',
  "rule/index.js": 'export default "checked";',
  "open.js": 'export default "open";',
});

t.test("where trust is required, nothing runs but what a signature covers", async (t) => {
  const root = await fresh();
  const keyFile = join(root, "key.pem");
  const { publicKey } = await makeKey(keyFile);
  const key = createPrivateKey(await readFile(keyFile, "utf8"));
  const store = new SnapshotStore(join(root, "snapshots"), join(repository, "sdk"));
  await store.open();
  const stagingWith = (trust: Record<string, unknown>): Staging => {
    const { plugins } = resolveConfiguration({
      file: undefined,
      environment: {},
      flags: {},
      workingFolder: repository,
    });
    const configuration = { ...plugins, trust: { required: true, keys: {}, ...trust } };
    return new Staging({ store, staged: () => undefined, configuration, sdkVersion, varDirectory: root });
  };
  const careful = stagingWith({ keys: { ours: publicKey } });
  const careless = stagingWith({ required: false });
  const stage = async (staging: Staging, place: string): Promise<Snapshot | string> => {
    const record = new StateRecord(place, { note: () => undefined, fault: failOnFault });
    const fingerprint = await takeFingerprint(place, 1000);
    const kind = place.endsWith(".tgz") ? "archive" : "folder";
    const outcome = await attemptContent(
      { path: place, kind, fingerprint, record, settled: true, changedWhileStaging: false },
      staging,
      limits.files,
    );
    if (outcome.kind === "staged") return outcome.snapshot;
    return outcome.kind === "refused" ? String(outcome.error) : outcome.kind;
  };
  const running = async (outcome: Snapshot | string): Promise<unknown> => {
    if (typeof outcome === "string") return outcome;
    const module: { default: unknown } = await import(`${pathToFileURL(outcome.entry).href}?${count++}`);
    return module.default;
  };
  const write = async (files: Record<string, string>): Promise<string> => {
    const folder = await fresh();
    await writeFiles(folder, files);
    return folder;
  };
  const withList = (files: Record<string, string>): Record<string, string> => {
    const entries = Object.entries(files).map(([path, text]) => [
      path,
      { size: Buffer.byteLength(text), sha256: sha256(Buffer.from(text)) },
    ]);
    const { name, version } = JSON.parse(files["package.json"] ?? "");
    const list = signed({ name, version }, { format: 1, files: Object.fromEntries(entries) }, key);
    return { ...files, "integrity.json": JSON.stringify(list) };
  };
  const archive = async (files: Record<string, string>): Promise<string> => {
    const file = join(await fresh(), "plugin.tgz");
    const entries = Object.entries(files).map(([path, content]) => ({ name: `package/${path}`, content }));
    await writeFile(file, gzipSync(handmadeTar(entries)));
    return file;
  };
  const kept = await archive(choosing());
  for (let round = 0; round < 20; round++) {
    await careful.unpack(kept);
    const sweeping = careful.sweep(new Set());
    const [unpacked] = await Promise.all([careful.unpack(kept), sweeping]);
    t.ok((await readdir(unpacked)).includes("index.js"), "what was on its way out is made anew");
  }
  const files = withList(choosing());
  const redirected = { ...files, "rule/package.json": '{ "main": "../open.js" }' };

  t.match(await stage(careful, await write(choosing())), /Rejection: it is not signed/);
  t.match(await stage(careful, await write(redirected)), /rule\/package\.json is not in integrity\.json/);
  t.match(await stage(careful, await archive(redirected)), /rule\/package\.json is not in integrity\.json/);

  // Links that come when the list has been checked already, and go before anybody looks again.
  const raced = await write(files);
  const late: Staging = Object.assign(Object.create(careful), {
    completeness: async (folder: string) => {
      const found = await careful.completeness(folder);
      await symlink("open.js", join(raced, "rule.js"));
      return found;
    },
  });
  t.equal(await stage(late, raced), "changed");
  await rm(join(raced, "rule.js"));
  const fromRace = await stage(careful, raced);
  t.equal(await running(fromRace), "checked", "what lay there for a moment left nothing in the store");
  t.ok(typeof fromRace !== "string" && fromRace.signedBy === "ours");
  const swapped = await write(files);
  const later: Staging = Object.assign(Object.create(careful), {
    completeness: async (folder: string) => {
      const found = await careful.completeness(folder);
      await rm(join(swapped, "open.js"));
      await symlink("rule/index.js", join(swapped, "open.js"));
      return found;
    },
  });
  t.match(await stage(later, swapped), /changed|Rejection: open\.js does not match/);
  t.same(
    await readdir(join(root, "unpacked")).then((names) => names.filter((name) => name.startsWith("."))),
    [],
  );

  // Before trust was required: the same files, put together in another way.
  const other = choosing("2.0.0");
  const unsigned = await write(other);
  await symlink("open.js", join(unsigned, "rule.js"));
  t.equal(await running(await stage(careless, unsigned)), "open");
  t.equal(await running(await stage(careful, await write(withList(other)))), "checked");
  // And with two packages whose files have changed places.
  const nested = (one: string, two: string): Record<string, string> => ({
    ...choosing("3.0.0"),
    "index.js": 'import own from "one"; import two from "./two/index.js"; export default own + two;',
    "node_modules/one/index.js": `export default "${one}";`,
    "two/index.js": 'export { default } from "one";',
    "two/node_modules/one/index.js": `export default "${two}";`,
  });
  t.equal(await running(await stage(careless, await write(nested("a", "b")))), "ab");
  t.equal(await running(await stage(careful, await write(withList(nested("b", "a"))))), "ba");

  // What is stored goes by the key, not by the name that it had.
  const { publicKey: replaced } = await makeKey(join(root, "other.pem"));
  const snapshot = fromRace;
  if (typeof snapshot === "string") throw new Error(snapshot);
  const admitted = (keys: Record<string, string>, of = snapshot) =>
    admissible(of, { sdkVersion, trust: { required: true, keys } });
  t.equal(admitted({ ours: publicKey }), undefined);
  t.equal(admitted({ renamed: publicKey }), undefined);
  t.match(
    admitted({ ours: replaced }),
    /signed with the key "ours", which this host does not trust any more/,
  );
  const stored = await store.find(snapshot);
  if (stored === undefined) throw new Error("It is not in the store.");
  t.match(admitted({ ours: replaced }, stored), /does not trust any more/);
  t.equal(admitted({ ours: publicKey }, stored), undefined);
});

t.test("the commands make a key, pack and sign, and check our own plugins", async (t) => {
  const made = await slipway("key", "maker.pem");
  t.match(made.output, /^[A-Za-z0-9+/=]{60}\n$/);
  t.equal(checkTrustedKey(made.output), undefined);
  const again = await slipway("key", "maker.pem");
  t.match(again, { code: 1, output: "", errors: /maker\.pem exists/ });

  const packed = await slipway("pack", plugin, "--out", "signed.tgz", "--sign", "maker.pem");
  t.match(packed, {
    code: 0,
    output: `${join(out, "signed.tgz")}\n`,
    errors: /signed with the key [0-9a-f]{16}/,
  });
  // What the one needs of the other is there: both are run.
  const installed = await fresh();
  const key = join(out, "maker.pem");
  await packPlugin(join(repository, "plugins", "reporter"), { sdkVersion, out: installed, key });
  const oex = await packPlugin(join(repository, "plugins", "oex"), { sdkVersion, out, key });
  const traces = join(folder, "traces");
  const spying = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(traces)}, "");`;
  await writeFiles(join(installed, "spy"), { ...choosing(), "index.js": spying });
  const trust = { required: true, keys: { maker: made.output.trim() } };
  await writeFile(join(out, "trust.json"), JSON.stringify({ plugins: { trust } }));
  const checked = await slipway("check", oex.file, "--plugins", installed, "--config", "trust.json");
  t.equal(checked.code, 0, checked.output);
  t.match(checked.output, /^ok {4}run +it was set up and probed, and answered its smoke requests \(1\)$/m);
  t.match(checked.output, /^ok {4}files +all are as integrity\.json lists them$/m);
  t.notMatch(checked.output, /^hint {2}run /m, "nothing that it uses is missing");
  await t.rejects(stat(traces), "what is not trusted does not run beside it");
  t.match(checked.output, /\nReady to ship\.\n$/);

  const refused = await slipway("check", join(fixtures, "broken", "syntax-error"));
  t.equal(refused.code, 1);
  t.match(refused.output, /^FAIL {2}bundle +index\.js:\d+:\d+: /m);
  t.notMatch(refused.output, /^\S+ +run /m, "what cannot be bundled is not run");
  t.match(refused.output, /\nOne thing has to be mended\.\n$/);
});

t.test("plugins that a host would refuse are told why", async (t) => {
  const configuration = resolveConfiguration({
    file: undefined,
    environment: {},
    // None of what is asked here is about other plugins.
    flags: { plugins: [join(folder, "none")] },
    workingFolder: repository,
  });
  const failures = async (plugin: string, settings = configuration): Promise<string[]> => {
    const failed: string[] = [];
    let ran = 0;
    for await (const { name, ok, detail } of pluginChecks(plugin, settings)) {
      if (name === "run") ran += 1;
      if (!ok) failed.push(`${name}: ${detail}`);
    }
    t.ok(ran > 0 || failed.length > 0, "either it was run or something kept it from that");
    return failed;
  };
  const broken = (name: string): string => join(fixtures, "broken", name);
  const [probe = ""] = await failures(broken("failing-probe"));
  t.match(probe, /^run: .*not fit today/);
  t.match(await failures(broken("wrong-engine")), [/^package\.json: .*\^99\.0\.0/]);
  t.match(await failures(broken("no-manifest")), [/^package\.json: /]);

  const trust = {
    ...configuration,
    plugins: { ...configuration.plugins, trust: { required: true, keys: {}, grants: {} } },
  };
  const packed = await packPlugin(plugin, { sdkVersion, out });
  const target = join(await fresh(), "target");
  await unpackArchive(packed.file, target, limits);
  await writeFile(join(target, "more.js"), "");
  t.match(await failures(target, trust), [/^files: more\.js is not in/, /^signature: it is not signed/]);
  const archive = join(out, "hostile.tgz");
  await writeFile(archive, handmadeArchive({ name: "../x" }));
  t.match(await failures(archive), [/^archive: "\.\.\/x" leads out/]);
});

t.test("a check names file, line and route of the cause, and imports that are not declared", async (t) => {
  const configuration = resolveConfiguration({
    file: undefined,
    environment: {},
    flags: { plugins: [join(folder, "none")] },
    workingFolder: repository,
  });
  const impatient = {
    ...configuration,
    plugins: { ...configuration.plugins, startTimeout: 3000 },
  };
  const checksOf = async (index: string, more: Record<string, string> = {}): Promise<string> => {
    const place = await fresh();
    await writeFiles(place, { ...choosing(), ...more, "index.js": index });
    const found: string[] = [];
    for await (const { name, detail } of pluginChecks(place, impatient)) found.push(`${name}: ${detail}`);
    return found.join("\n");
  };
  const sdk = 'import { definePlugin, route } from "@slipway/sdk";\n';
  const broken = await checksOf(`import ejs from "ejs";
${sdk}export default definePlugin({
  setup: () => ({ routes: ejs.nothing.at(0) }),
});`);
  const noMember = engineMessage("const { nothing } = {}; nothing.at(0)");
  t.match(`\n${broken}\n`, `\nrun: index.js:4:39: The plugin's setup failed: ${noMember}`);
  t.match(broken, /^bundle: index\.js imports ejs, which package\.json does not declare; the host's copy/m);
  t.notMatch(broken, /imports @slipway\/sdk/);
  const silent =
    'route.get("a", { summary: "Says nothing.", handler: () => 1 }), route.get("b", { handler: () => 1 })';
  const routes = (list: string) =>
    `${sdk}export default definePlugin({ setup: () => ({ routes: [${list}] }) });`;
  t.match(await checksOf(routes(silent)), /^run: .*Route 2 \(GET b\): summary is missing$/m);
  t.match(
    await checksOf(`setInterval(() => {}, 1000);\nawait new Promise(() => {});\n${routes("")}`),
    /^run: It was not ready after 3000 ms: its modules did not finish loading; a top-level `await`/m,
  );
  t.match(
    await checksOf(
      `${sdk}export default definePlugin({ setup: () => new Promise(() => setInterval(() => {}, 1000)) });`,
    ),
    /^run: It was not ready after 3000 ms: `setup` did not return\.$/m,
  );
  const templates = {
    "package.json": choosing()["package.json"]?.replace('"entry"', '"templates":"templates","entry"') ?? "",
    "templates/letter/template.json": definition("letter"),
    "templates/letter/report.ejs": "<p>\n<%= d. %>",
    "templates/offer/template.json": definition("offer"),
    "templates/offer/report.ejs": "<p>",
  };
  const tried = await checksOf(routes(""), templates);
  t.match(tried, /^template: letter: report\.ejs:2:8: /m);
  t.match(tried, /^template: offer can be used$/m);
  const native = { "native.node": "", "load.cjs": 'module.exports = require("./native.node");' };
  t.match(
    await checksOf('import "./load.cjs";', native),
    /^bundle: load\.cjs:1:26: native modules \(\.node\) cannot/m,
  );
});
