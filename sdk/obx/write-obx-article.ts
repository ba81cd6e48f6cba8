/** The OBX of one article, as part of another document. */
import type { PositionItem, ProjectDocument } from "../project/document.js";
import { allSteps } from "../steps.js";
import { StreamingXmlWriter } from "../xml/streaming-xml-writer.js";
import { onlyItem } from "./select-items.js";
import { startWriting } from "./write-context.js";
import { cutBufferSteps } from "./write-obx.js";

/**
 * An article with its sub-articles as a whole OBX without XML declaration, in one line, for embedding (OEX reference,
 * section 14). Quantities are not written and so count as 1; prices, alternative marks, and descriptions that a user
 * gave an article are left out. A user article keeps its descriptions: it has no others. The text has no CDATA section
 * and no `]]>`, so that it can stand in one.
 */
export function writeObxArticle(project: ProjectDocument, item: PositionItem): string {
  const writer = new StreamingXmlWriter();
  allSteps(
    cutBufferSteps(
      writer,
      startWriting(project, onlyItem(item), { asFragment: true, listPricesOnly: true }),
      [item],
    ),
  );
  return writer.take();
}
