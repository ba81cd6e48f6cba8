/** A document that has everything the checks look at, and edits that break it. */
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFObjectParser,
  PDFRawStream,
  type PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import { page } from "./pdf-support.js";

const picture =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const style = `<style>
@page { size: A5; margin: 15mm; @top-center { content: "Head & <foot>" } @bottom-right { content: counter(page) } }
.box { background: #eee; border: 1px solid #999 }
.pale { opacity: 0.5 }
blockquote { background: url(${picture}); border: 5px solid red }
th { border: 1px solid #999 }
tr { height: 20mm }
</style>`;

const row = "<tr><td rowspan=2>1</td><td>Chair</td><td></td></tr><tr><td></td><td>2.00</td></tr>";
const emptyRow = "<tr><td rowspan=2>2</td><td>Desk</td><td>3.00</td></tr><tr><td></td><td></td></tr>";

/** Headings, text, lists, tables over pages with empty cells and rows, pictures, links, something translucent. */
export const richDocument = page(
  `<h1>Quote</h1><p class="box">Text <em>with</em> <strong>weight</strong>, <span lang="de">Grüße</span></p>
<p><a href="https://example.com/">the <b>shop</b></a> and <a href="https://example.com/x"><img alt="its logo" src="${picture}"></a></p>
<h2>Lists</h2><ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul><ol><li>first</li></ol>
<img alt="" src="${picture}" width="20" height="20"><p class="pale">pale</p>
<figure><img alt="A chair" src="${picture}" width="20" height="20"><figcaption>Caption</figcaption></figure>
<svg role="img" aria-label="A bar" width="30" height="30"><rect width="30" height="30" fill="red"/></svg><hr>
<aside>Beside</aside><blockquote><p>Said</p></blockquote><h3>Table</h3>
<table><thead><tr><th scope="col">Pos</th><th scope="col">Text</th><th scope="col">Price</th></tr></thead>
<tbody>${row.repeat(6)}${emptyRow}<tr><td>3</td><td colspan="2">Wide</td></tr></tbody></table>
<table><tr><th scope="row">Sum</th><td>14.00</td></tr></table>`,
  style,
).replace("<title>Test", "<title>Quote &amp; &lt;more&gt;");

/** Changes a PDF; values are written as PDF writes them, such as `<< /S /Note >>`. */
export class PdfEdit {
  private constructor(readonly document: PDFDocument) {}

  static async of(pdf: Uint8Array): Promise<PdfEdit> {
    return new PdfEdit(await PDFDocument.load(pdf, { updateMetadata: false }));
  }

  get catalog(): PDFDict {
    return this.document.catalog;
  }

  get root(): PDFDict {
    return this.member(this.catalog, "StructTreeRoot");
  }

  /** The first page. */
  get page(): PDFDict {
    return this.document.getPage(0).node;
  }

  /** The first link. */
  get link(): PDFDict {
    return this.page.lookup(PDFName.of("Annots"), PDFArray).lookup(0, PDFDict);
  }

  /** What the links of the first page say. */
  linkDescriptions(): string[] {
    const links = this.page.lookup(PDFName.of("Annots"), PDFArray).asArray();
    return links.map((link) => {
      const text = this.document.context.lookup(link, PDFDict).lookup(PDFName.of("Contents"));
      return text instanceof PDFString || text instanceof PDFHexString ? text.decodeText() : "";
    });
  }

  /** References to the elements of a type, in the order of their numbers. */
  elements(type: string): PDFRef[] {
    return this.references((dictionary) => dictionary.get(PDFName.of("S")) === PDFName.of(type));
  }

  /** The first element of a type. */
  element(type: string): PDFDict {
    const [first] = this.elements(type);
    if (first === undefined) throw new Error(`There is no element ${type}`);
    return this.document.context.lookup(first, PDFDict);
  }

  /** Every dictionary that has the entry. */
  having(key: string): PDFDict[] {
    return this.references((dictionary) => dictionary.has(PDFName.of(key))).map((reference) =>
      this.document.context.lookup(reference, PDFDict),
    );
  }

  member(dictionary: PDFDict, key: string): PDFDict {
    return dictionary.lookup(PDFName.of(key), PDFDict);
  }

  /** Sets an entry; without a value removes it. */
  put(dictionary: PDFDict, key: string, value?: string): void {
    if (value === undefined) dictionary.delete(PDFName.of(key));
    else dictionary.set(PDFName.of(key), this.parsed(value));
  }

  /** Removes attributes of all elements. */
  removeAttributes(...keys: string[]): void {
    for (const element of this.having("A")) {
      const attributes = element.lookup(PDFName.of("A"));
      for (const each of attributes instanceof PDFArray ? attributes.asArray() : [attributes])
        for (const key of keys) this.document.context.lookupMaybe(each, PDFDict)?.delete(PDFName.of(key));
    }
  }

  /** Adds an annotation to the first page. */
  annotate(annotation: string): void {
    const before = this.page.lookup(PDFName.of("Annots"), PDFArray).asArray();
    this.put(this.page, "Annots", `[${before.join(" ")} ${this.add(annotation)}]`);
  }

  /** Adds an object to the file; gives the reference to it as text. */
  add(value: string): string {
    return this.document.context.register(this.parsed(value)).toString();
  }

  /** Adds a stream; gives the reference to it as text. */
  addStream(content: string, entries: string): string {
    const dictionary = this.parsed(entries);
    if (!(dictionary instanceof PDFDict)) throw new TypeError(`${entries} is no dictionary`);
    return this.document.context
      .register(PDFRawStream.of(dictionary, Buffer.from(content, "latin1")))
      .toString();
  }

  /** An element of the type that hangs below the first one of another type, as the last of its kids. */
  hang(type: string, parent: string, entries = ""): string {
    const [above] = this.elements(parent);
    const element = this.add(`<< /Type /StructElem /S /${type} /P ${above} ${entries} >>`);
    const dictionary = this.element(parent);
    const kids = dictionary.lookup(PDFName.of("K"));
    const before = kids instanceof PDFArray ? kids.asArray() : [dictionary.get(PDFName.of("K")) ?? ""];
    this.put(dictionary, "K", `[${before.join(" ")} ${element}]`);
    return element;
  }

  /** Rewrites the content of the first page, one character per byte. */
  content(change: (content: string) => string): void {
    const before = decoded(this.page.lookup(PDFName.of("Contents")));
    this.put(this.page, "Contents", this.addStream(change(before), "<< >>"));
  }

  /** Replaces the metadata. */
  metadata(change: (xml: string) => string): void {
    const xml = Buffer.from(decoded(this.catalog.lookup(PDFName.of("Metadata"))), "latin1").toString("utf8");
    const changed = Buffer.from(change(xml)).toString("latin1");
    this.put(this.catalog, "Metadata", this.addStream(changed, "<< /Type /Metadata /Subtype /XML >>"));
  }

  save(): Promise<Uint8Array> {
    return this.document.save({ addDefaultPage: false, updateFieldAppearances: false });
  }

  private references(fits: (dictionary: PDFDict) => boolean): PDFRef[] {
    return this.document.context
      .enumerateIndirectObjects()
      .flatMap(([reference, object]) => (object instanceof PDFDict && fits(object) ? [reference] : []));
  }

  private parsed(text: string): PDFObject {
    return PDFObjectParser.forBytes(Buffer.from(`${text} `, "latin1"), this.document.context).parseObject();
  }
}

function decoded(stream: PDFObject | undefined): string {
  if (!(stream instanceof PDFRawStream)) throw new TypeError("There is no stream");
  return Buffer.from(decodePDFRawStream(stream).decode()).toString("latin1");
}
