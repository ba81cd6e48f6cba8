import {
  isKind,
  isName,
  type PdfDictionary,
  type PdfObject,
  type PdfPage,
  type PdfReference,
  type PdfStream,
  pdfArray,
  pdfDictionary,
  pdfName,
} from "@slipway/sdk/runtime/pdf";
import { type ContentOwner, contentWithArtifacts } from "./content-artifacts.js";
import { Decoration } from "./decoration.js";
import { MovedContent } from "./moved-content.js";
import type { PageContents } from "./page-contents.js";
import type { TaggedStructure } from "./tagged-structure.js";

/** Fast rather than small: pages are most of what has to be packed again. */
const packing = 2;
const deepestForm = 8;

/** Puts everything on the pages of a tagged document that is not in the structure into artifacts. */
export function markArtifacts(structure: TaggedStructure, pages: PdfPage[], contents: PageContents): void {
  const marking = new PageMarking(structure, contents);
  for (const page of pages) marking.page(page);
  marking.finish();
}

/** A content stream with marks, and what is known of it. */
interface MarkedContent {
  page: PdfReference;
  /** In which the structure looks for the marks: the page, or a form. */
  stream: PdfReference;
  /** Elements by identifier. */
  owners: PdfObject[];
  resources: PdfDictionary | undefined;
}

class PageMarking {
  private readonly decoration: Decoration;
  private readonly moved: MovedContent;
  private readonly markedForms = new Map<PdfStream, boolean>();
  private readonly doneForms = new Set<PdfStream>();

  constructor(
    private readonly structure: TaggedStructure,
    private readonly contents: PageContents,
  ) {
    this.decoration = new Decoration(structure);
    this.moved = new MovedContent(structure);
  }

  page({ reference, dictionary }: PdfPage): void {
    // A page may have all its tags in forms, or no tags.
    const owners = this.structure.owners(dictionary.entries.get("StructParents")) ?? [];
    const { file } = this.structure;
    const resources = file.dictionary(dictionary.entries.get("Resources"));
    const content = contentWithArtifacts(
      this.contents.take(dictionary),
      this.owner({ page: reference, stream: reference, owners, resources }),
    );
    if (content !== undefined) {
      const stream = { kind: "stream", dictionary: pdfDictionary(), data: content, packing } as const;
      dictionary.entries.set("Contents", file.add(stream));
    }
    this.forms(reference, owners, resources, 0);
  }

  finish(): void {
    this.moved.apply();
  }

  private owner({ page, stream, owners, resources }: MarkedContent): ContentOwner {
    const { structure } = this;
    return {
      identifierOf: (name) => {
        const identifier = this.resource(resources, "Properties", name)?.entries.get("MCID");
        return typeof identifier === "number" ? identifier : undefined;
      },
      isMarkedForm: (name) => {
        const form = this.form(resources, name);
        return form !== undefined && this.isMarked(form, 0);
      },
      isPicture: (name) => isPicture(this.object(resources, name)),
      isArtifact: (identifier, isWordless) => {
        const element = structure.element(owners[identifier]);
        if (element === undefined || !this.decoration.isArtifact(element, page, isWordless)) return false;
        owners[identifier] = null;
        this.moved.remove(element, { stream, identifier });
        return true;
      },
    };
  }

  /**
   * Content of forms, which Chromium makes for what is translucent, blended or masked. Later versions number it by form;
   * earlier ones with the page's, where a reader looks for it in the page itself: such a form needs its own list of
   * owners.
   */
  private forms(
    page: PdfReference,
    owners: PdfObject[],
    resources: PdfDictionary | undefined,
    depth: number,
  ): void {
    const { structure } = this;
    const { file } = structure;
    const objects = file.dictionary(resources?.entries.get("XObject"));
    for (const [name, reference] of objects?.entries ?? []) {
      const form = this.form(resources, name);
      if (form === undefined || !isKind(reference, "reference") || depth > deepestForm) continue;
      if (!this.isMarked(form, 0) || this.doneForms.has(form)) continue;
      this.doneForms.add(form);
      const inner = file.dictionary(form.dictionary.entries.get("Resources")) ?? resources;
      const listed = structure.owners(form.dictionary.entries.get("StructParents"));
      const owner =
        listed === undefined
          ? this.listing({ page, stream: page, owners, resources: inner }, form, reference)
          : this.owner({ page, stream: reference, owners: listed, resources: inner });
      const content = contentWithArtifacts(file.content(form), owner);
      if (content !== undefined) {
        form.data = content;
        form.packing = packing;
        for (const key of ["Filter", "DecodeParms"]) form.dictionary.entries.delete(key);
      }
      this.forms(page, owners, inner, depth + 1);
    }
  }

  /** Gives a form its own list of owners, which is filled while its content is read. */
  private listing(marked: MarkedContent, form: PdfStream, reference: PdfReference): ContentOwner {
    const { structure } = this;
    const { page, stream, owners } = marked;
    const own: PdfObject[] = [];
    form.dictionary.entries.set("StructParents", structure.addParents(pdfArray(own)));
    const owner = this.owner(marked);
    return {
      ...owner,
      isArtifact: (identifier, isWordless) => {
        if (owner.isArtifact(identifier, isWordless)) return true;
        const element = structure.element(owners[identifier]);
        if (element === undefined) return false;
        while (own.length < identifier) own.push(null);
        own[identifier] = element.reference;
        owners[identifier] = null;
        this.moved.replace(element, { stream, identifier }, contentOfForm(page, reference, identifier));
        return false;
      },
    };
  }

  private isMarked(form: PdfStream, depth: number): boolean {
    const known = this.markedForms.get(form);
    if (known !== undefined) return known;
    this.markedForms.set(form, false);
    const { file } = this.structure;
    const resources = file.dictionary(form.dictionary.entries.get("Resources"));
    const objects = file.dictionary(resources?.entries.get("XObject"));
    const isMarked =
      Buffer.from(file.content(form)).includes("MCID") ||
      [...(objects?.entries.keys() ?? [])].some((name) => {
        const inner = this.form(resources, name);
        return inner !== undefined && depth < deepestForm && this.isMarked(inner, depth + 1);
      });
    this.markedForms.set(form, isMarked);
    return isMarked;
  }

  private form(resources: PdfDictionary | undefined, name: string): PdfStream | undefined {
    const object = this.object(resources, name);
    return object !== undefined && isName(object.dictionary.entries.get("Subtype"), "Form")
      ? object
      : undefined;
  }

  private object(resources: PdfDictionary | undefined, name: string): PdfStream | undefined {
    const { file } = this.structure;
    const object = file.resolve(file.dictionary(resources?.entries.get("XObject"))?.entries.get(name));
    return isKind(object, "stream") ? object : undefined;
  }

  private resource(
    resources: PdfDictionary | undefined,
    category: string,
    name: string,
  ): PdfDictionary | undefined {
    const { file } = this.structure;
    return file.dictionary(file.dictionary(resources?.entries.get(category))?.entries.get(name));
  }
}

function isPicture(object: PdfStream | undefined): boolean {
  return object !== undefined && isName(object.dictionary.entries.get("Subtype"), "Image");
}

function contentOfForm(page: PdfReference, form: PdfReference, identifier: number): PdfDictionary {
  return pdfDictionary({ Type: pdfName("MCR"), Pg: page, Stm: form, MCID: identifier });
}
