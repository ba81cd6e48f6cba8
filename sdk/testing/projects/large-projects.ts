/** Projects that are more than a person would enter. */
import type { ProjectDocument } from "../../project/document.js";
import type { ItemDescription } from "./item-description.js";
import { pngPicture } from "./png-picture.js";
import { projectOf } from "./project-of.js";

/** Articles of one folder. */
const folderSize = 50;

/**
 * So many articles in folders of fifty, numbered "A-1", "A-2" and so on, each with a text and a feature, every tenth with a
 * discount of 10 %. They cost EUR 1.00, 2.00 and so on to 100.00, then 1.00 again. With `pictures`, so many different
 * ones go around among them.
 */
export function manyArticles(count: number, options: { pictures?: number } = {}): ProjectDocument {
  const pictures = Array.from({ length: options.pictures ?? 0 }, (_, index) =>
    pngPicture({ colour: index.toString(16).padStart(6, "0") }),
  );
  const articles = Array.from({ length: count }, (_, index): ItemDescription => {
    const picture = pictures[index % Math.max(pictures.length, 1)];
    return {
      ...{ article: `A-${index + 1}`, text: `Article ${index + 1}`, features: { Colour: "black" } },
      sales: `${(index % 100) + 1}.00`,
      ...(index % 10 === 9 ? { discount: "10" } : {}),
      ...(picture === undefined ? {} : { picture }),
    };
  });
  const folders = Array.from({ length: Math.ceil(count / folderSize) }, (_, index): ItemDescription => {
    const items = articles.slice(index * folderSize, (index + 1) * folderSize);
    return { folder: `Folder ${index + 1}`, items };
  });
  return projectOf({ name: `${count} articles`, items: folders });
}

/** One article of EUR 1.00 in so many folders, one inside of the other. Hosts take 97 folders and refuse a project with more. */
export function deepFolders(depth: number): ProjectDocument {
  let items: ItemDescription[] = [{ article: "DEEP", text: "At the bottom", sales: "1.00" }];
  for (let level = depth; level > 0; level--) items = [{ folder: `Level ${level}`, items }];
  return projectOf({ name: `${depth} folders`, items });
}
