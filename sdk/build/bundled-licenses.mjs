/** The licences of bundled packages. Plain JavaScript, because it is part of the build. */
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

/**
 * The licence texts of the packages of bundled files, as the licences require: the file of the package, or what its bundled
 * files begin with, also where they are by others. `inputs`: paths of these files.
 */
export function licenses(inputs) {
  const folders = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []);
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
      const text = file ? readFileSync(join(folder, file), "utf8").trim() : notices(inputs, folder);
      return `${name} ${version}: ${license}\n\n${text}\n`;
    })
    .join("\n\n");
}

function notices(inputs, folder) {
  const ofPackage = inputs.filter((input) => input.startsWith(folder + sep));
  const comments = ofPackage.map((input) => firstComment(readFileSync(input, "utf8").trimStart()));
  const legal = comments.filter((comment) => comment !== undefined && /licen[cs]e|copyright/i.test(comment));
  return [...new Set(legal)].join("\n\n");
}

/** The comment that a text begins with, without its marks. */
function firstComment(text) {
  const end = text.indexOf("*/", 2);
  if (!text.startsWith("/*") || end < 0) return undefined;
  return text.slice(text.startsWith("/**") ? 3 : 2, end).trim();
}
