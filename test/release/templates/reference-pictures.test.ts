/** How every shipped template looks in every language: a small project here, a large one in all languages before a release. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { difference, tolerance } from "../../templates/page-pictures.js";
import {
  languages,
  pictureFolder,
  pictureName,
  projects,
  sameAsReference,
} from "../../templates/reference-pictures.js";
import { shippedTemplates } from "../../templates/shipped-templates.js";

t.test("shipped templates look as their reference pictures", (t) => sameAsReference(t, "demo", languages));

t.test("no picture is left over", async (t) => {
  const expected = (await shippedTemplates()).flatMap((key) =>
    languages.flatMap((language) =>
      Object.keys(projects).map((project) => pictureName(key, language, project)),
    ),
  );
  t.strictSame((await readdir(pictureFolder)).sort(), expected.sort());
});

t.test("the comparison sees what people would see: another language, for one", async (t) => {
  for (const key of await shippedTemplates()) {
    const english = await readFile(join(pictureFolder, `${key}-en-demo.png`));
    t.equal(await difference(english, english), 0);
    t.ok(
      (await difference(english, await readFile(join(pictureFolder, `${key}-de-demo.png`)))) > tolerance,
      key,
    );
  }
});
