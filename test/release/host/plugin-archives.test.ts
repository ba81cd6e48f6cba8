/** Archives of plugins as admins have them: dropped into the folder of a running host, uploaded, and checked. */
import { readdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import t from "tap";
import { handmadeTar, handmadeZip } from "../../host/archive-support.js";
import type { PluginState } from "../../host/host-answers.js";
import { until } from "../../host/plugins-support.js";
import { runCommand } from "../../run-command.js";
import { type StartedHost, startHost } from "../../start-host.js";

const folder = t.testdir({ plugins: {}, archives: {}, templates: {} });
const plugins = join(folder, "plugins");

let host: StartedHost;
t.before(async () => {
  host = await startHost({
    plugins: [plugins],
    templates: [join(folder, "templates")],
    configuration: { plugins: { settlingTime: 50 } },
  });
});
t.teardown(() => host.stop());

/** The files of a plugin below `top`, which ends with "/" or is empty. */
function files(plugin: string, top: string): { name: string; content: string }[] {
  const manifest = {
    name: plugin.toLowerCase(),
    version: "1.0.0",
    type: "module",
    engines: { slipway: "^1.0.0" },
    slipway: { plugin, entry: "index.js" },
  };
  const code = `import { definePlugin, route } from "@slipway/sdk";
export default definePlugin({
  setup: () => ({ routes: [route.get("name.json", { summary: "Its name.", handler: () => ({ name: "${plugin}" }) })] }),
});`;
  return [
    { name: `${top}package.json`, content: JSON.stringify(manifest) },
    { name: `${top}index.js`, content: code },
  ];
}

async function states(): Promise<PluginState[]> {
  const body: { plugins: PluginState[] } = Object(await (await fetch(`${host.url}/api/plugins`)).json());
  return body.plugins;
}

/** As a file manager does on the same drive. */
async function drop(dropped: Record<string, Buffer>): Promise<void> {
  for (const [name, content] of Object.entries(dropped)) {
    await writeFile(join(plugins, ".dropped"), content);
    await rename(join(plugins, ".dropped"), join(plugins, name));
  }
}

t.test("archives in the folder are told by their bytes, and each is a plugin or has a reason", async (t) => {
  const macOs = [{ name: "._two" }, { name: "two/._index.js" }, ...files("Two", "two/")];
  const xz = Buffer.concat([Buffer.from("fd377a585a00", "hex"), Buffer.alloc(100)]);
  const noPlugin = /^the archive has no package\.json, .* on top there is "notes\.txt"$/;
  const refused: [string, Buffer, RegExp][] = [
    ["a.tar.xz", xz, /^it is an xz archive; pack it as \.tgz, \.tar or \.zip$/],
    ["b.zip", xz, /^it is an xz archive/],
    ["c.7z", Buffer.from("377abcaf271c0004", "hex"), /^it is a 7z archive/],
    ["d.rar", Buffer.from("Rar!\x1a\x07\x01\x00", "latin1"), /^it is a RAR archive/],
    ["e.tar.bz2", Buffer.from("BZh91AY&SY"), /^it is a bzip2 archive/],
    ["f.tar.zst", Buffer.from("28b52ffd00", "hex"), /^it is a Zstandard archive/],
    ["g.js", Buffer.from("export default 1;"), /^it is a single file; a plugin is a folder or an archive/],
    ["h.ts", Buffer.from("export default 1;"), /^it is a single file/],
    ["i.tgz", Buffer.from("<!DOCTYPE html>"), /^it is a web page or XML, not an archive; download/],
    ["j.zip", handmadeZip({ name: "notes.txt" }), noPlugin],
    ["k.tar", handmadeTar([{ name: "notes.txt" }]), noPlugin],
    [
      "l.zip",
      handmadeZip(...files("A", "a/"), ...files("B", "b/")),
      /a package\.json in each of the folder "a"/,
    ],
    [
      "repository-main.zip",
      handmadeZip({ name: "repository-main/README.md" }, ...files("R", "repository-main/plugin/")),
      /there is one in the folder "repository-main\/plugin"; pack that folder alone$/,
    ],
    ["m.zip", handmadeZip(...files("M", ""), { name: "x", flags: 1 }), /^"x" needs a password$/],
    ["n.zip", handmadeZip(...files("N", "n/"), { name: "n/../../x" }), /leads out of its folder$/],
  ];
  const ignored = ["README.md", ".DS_Store", "Thumbs.db", "desktop.ini", "o.zip.part", "p.zip.crdownload"];
  await drop({
    "one.ZIP": handmadeZip(...files("One", "")),
    "two.tar": handmadeTar(macOs),
    "three.tgz": handmadeZip(...files("Three", "three-1.0.0/"), { name: "__MACOSX/three/._x" }),
    "without-ending-1.0.0": gzipSync(handmadeTar(files("Ten", ""))),
    LICENSE: Buffer.from("Free."),
    ...Object.fromEntries(refused.map(([name, content]) => [name, content])),
    ...Object.fromEntries(ignored.map((name) => [name, Buffer.from("x")])),
  });
  await until(async () => {
    const found = await states();
    const decided = found.filter(({ stage }) => stage === "live" || stage === "rejected");
    return decided.length === 4 + refused.length;
  });
  const found = new Map((await states()).map((state) => [state.folder, state]));
  for (const [name, , reason] of refused) t.match(found.get(name), { stage: "rejected", reason }, name);
  for (const name of ["one.ZIP", "two.tar", "three.tgz", "without-ending-1.0.0"])
    t.match(found.get(name), { stage: "live" }, name);
  t.equal(found.size, 4 + refused.length, "nothing else has a state");
  for (const plugin of ["One", "Two", "Three", "Ten"]) {
    const answer = await fetch(`${host.url}/EAIWS/plugins/${plugin}/name.json`);
    t.strictSame(await answer.json(), { name: plugin });
  }
});

t.test("archives of all formats can be uploaded, and keep the ending of their format", async (t) => {
  const archives: [string, string, Buffer][] = [
    ["Four", "application/zip", handmadeZip(...files("Four", ""))],
    ["Five", "application/gzip", handmadeTar(files("Five", "./"))],
    ["Six", "application/octet-stream", gzipSync(handmadeTar(files("Six", "")))],
  ];
  for (const [plugin, type, body] of archives) {
    const answer = await fetch(`${host.url}/api/plugins`, {
      method: "POST",
      headers: { "Content-Type": type },
      body: Uint8Array.from(body),
    });
    t.match(await answer.json(), { plugin: { name: plugin, stage: "live" } });
  }
  const again = await fetch(`${host.url}/api/plugins`, {
    method: "POST",
    headers: { "Content-Type": "application/x-tar" },
    body: Uint8Array.from(handmadeTar(files("Four", "package/"))),
  });
  t.match(await again.json(), { code: 409, id: "plugin-conflict" }, "one version in two formats");
  const names = await readdir(plugins);
  for (const name of ["four-1.0.0.zip", "five-1.0.0.tar", "six-1.0.0.tgz"]) t.ok(names.includes(name), name);
});

t.test("commands take them, too", async (t) => {
  const archive = join(folder, "archives", "seven.zip");
  await writeFile(archive, handmadeZip(...files("Seven", "seven/")));
  const options = { folder };
  const added = await runCommand(["plugin", "add", archive, "--url", host.url], options);
  t.match(added, { code: 0, output: /^Seven@1\.0\.0 is live/ });
  t.ok((await readdir(plugins)).includes("seven-1.0.0.zip"));
  const checked = await runCommand(
    ["plugin", "check", archive, "--plugins", join(folder, "templates")],
    options,
  );
  t.match(checked, { code: 0, output: /^ok +archive +seven\.zip can be unpacked$/m });
  const code = join(plugins, "g.js");
  const refused = await runCommand(["plugin", "check", code], options);
  t.match(refused, { code: 1, output: /it is no \.tgz, \.tar or \.zip archive, or a damaged one/ });
});
