/** The licences of bundled packages. Plain JavaScript, because it is part of the build. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The licence texts of the packages of bundled files, as the licences require. `inputs`: paths of these files. */
export function licenses(inputs) {
  const folders = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []);
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
      return `${name} ${version}: ${license}\n\n${file ? readFileSync(join(folder, file), "utf8").trim() : ""}\n`;
    })
    .join("\n\n");
}
