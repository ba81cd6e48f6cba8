/** PDFs as no particular browser writes them: a tagged drawing in forms within forms. */
import { handWritten } from "./pdf-finisher-support.js";

export interface FormContent {
  /** How often the outer form shows the inner one. */
  shown: number;
  /** Forms around the inner one. */
  depth: number;
  /** What the outer form draws beside it. */
  loose: string;
  /** Whether the parent tree leads from the drawing to its element. */
  listed: boolean;
}

/** One page with one figure, which is drawn in a form. */
export function withFormContent({ shown, depth, loose, listed }: FormContent): Uint8Array {
  const first = 8;
  const outer = Array.from({ length: depth }, (_, index) =>
    form(
      index === depth - 1 ? `${loose} ${"/X Do ".repeat(shown)}` : "/X Do",
      `/Resources <</XObject <</X ${first + index + 1} 0 R>>>>`,
    ),
  );
  const inner = first + depth;
  return handWritten(
    [
      "<</Type /Catalog /Pages 2 0 R /Lang (en) /MarkInfo <</Marked true>> /StructTreeRoot 4 0 R>>",
      "<</Type /Pages /Count 1 /Kids [3 0 R]>>",
      `<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 7 0 R /Resources <</XObject <</X ${first} 0 R>>>>>>`,
      `<</Type /StructTreeRoot /K 5 0 R /ParentTree <</Nums [0 [${listed ? "6 0 R" : "null"}]]>> /ParentTreeNextKey 1>>`,
      "<</Type /StructElem /S /Document /P 4 0 R /K 6 0 R>>",
      `<</Type /StructElem /S /Figure /Alt (A bar) /P 5 0 R /Pg 3 0 R /K <</Type /MCR /Pg 3 0 R /Stm ${inner} 0 R /MCID 0>>>>`,
      stream("/X Do", ""),
      ...outer,
      form("/Figure <</MCID 0>> BDC 0 0 9 9 re f EMC", "/StructParents 0"),
      "<</Title (Figure)>>",
    ],
    `/Info ${inner + 1} 0 R`,
  );
}

function form(content: string, entries: string): string {
  return stream(content, `/Type /XObject /Subtype /Form /BBox [0 0 300 300] ${entries}`);
}

function stream(content: string, entries: string): string {
  return `<<${entries} /Length ${content.length}>>\nstream\n${content}\nendstream`;
}
