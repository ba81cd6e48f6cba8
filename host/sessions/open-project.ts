import {
  badRequest,
  checked,
  checkProject,
  type ProjectDocument,
  type ReadWarning,
  RequestError,
  readObk,
  readObx,
  walkItems,
} from "@slipway/sdk";
import { embeddedFiles, PdfEncryptedError, PdfFormatError, readPdf } from "@slipway/sdk/runtime/pdf";
import {
  brokenReferences,
  missingPictures,
  type StoredAsset,
  takeAssets,
} from "@slipway/sdk/runtime/sessions";
import { isJsonObject } from "../system/json.js";
import { unsupportedMediaType } from "../system/request-errors.js";
import { brokenJsonPlace } from "./json-place.js";
import {
  type DeclaredFormat,
  type ProjectFormat,
  projectFormat,
  projectMediaTypes,
} from "./project-format.js";
import type { ProjectSummary } from "./session-store.js";

/** The content of a JSON body: the document itself, or `{ locale, project }` around it. */
interface JsonProject {
  project: ProjectDocument;
  /** Not validated. */
  locale: unknown;
}

/** A validated project, ready to be stored. */
export interface OpenedProject {
  /** JSON bytes; assets by their SHA-256. */
  project: Uint8Array;
  assets: StoredAsset[];
  kept: string[];
  summary: ProjectSummary;
  /** Parts that the reader skipped or repaired. */
  warnings: ReadWarning[];
  /** The locale of the body, not validated. */
  locale: unknown;
}

/**
 * Reads a project from a request body. Throws 415 for another format; 400 `request-bad-request` with the
 * position of a syntax error or with all invalid fields.
 */
export async function openProject(
  bytes: Uint8Array,
  declared: DeclaredFormat,
  held: ReadonlySet<string> = new Set(),
): Promise<OpenedProject> {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    throw unreadable(
      "The project file cannot be read: it is compressed with gzip; unpack it and open the file inside.",
    );
  const format = projectFormat(bytes, declared);
  if (format === undefined) throw unsupportedMediaType(declared.mediaType, projectMediaTypes);
  const read = await readers[format](bytes);
  const taken = takeAssets(read.project, held);
  const violations = [...brokenReferences(read.project), ...taken.violations];
  if (violations.length > 0) throw badRequest("The project is not valid", violations);
  return {
    project: Buffer.from(JSON.stringify(taken.project)),
    assets: taken.assets,
    kept: taken.kept,
    summary: summarizeProject(taken.project),
    warnings: [...read.warnings, ...missingPictures(read.project), ...taken.warnings],
    locale: read.locale,
  };
}

interface Read {
  project: ProjectDocument;
  warnings: ReadWarning[];
  locale: unknown;
}

/** Each returns a project that matches the schema. */
const readers: Record<ProjectFormat, (bytes: Uint8Array) => Promise<Read>> = {
  json: async (bytes) => ({ ...readJsonProject(bytes), warnings: [] }),
  obk: async (bytes) => ({ ...(await readObk(bytes)), locale: undefined }),
  obx: async (bytes) => ({ ...(await readObx(bytes)), locale: undefined }),
  pdf: async (bytes) => ({ ...(await readObx(projectInPdf(bytes))), locale: undefined }),
};

function summarizeProject(project: ProjectDocument): ProjectSummary {
  const items = [...walkItems(project.items)];
  const schemes = new Set((project.procedures ?? []).map((procedure) => procedure.name));
  if (project.settings.defaultScheme !== undefined) schemes.add(project.settings.defaultScheme);
  return {
    id: project.id,
    name: project.header.name ?? "",
    number: project.header.number ?? "",
    currency: project.settings.currency,
    languages: project.settings.languages,
    items: items.length,
    articles: items.filter((item) => item.type === "article" || item.type === "userArticle").length,
    views: (project.views ?? []).map(({ id, name }) => ({ id, name })),
    schemes: [...schemes],
  };
}

/**
 * Throws 400 for invalid UTF-8, invalid JSON (with line and column), excessive nesting, or an invalid project (with all
 * fields).
 */
function readJsonProject(bytes: Uint8Array): JsonProject {
  const { project, locale } = unwrapped(bytes);
  return { project: checked(checkProject(project), "The project is not valid"), locale };
}

function unwrapped(bytes: Uint8Array): { project: unknown; locale: unknown } {
  const value = parse(decode(bytes));
  if (isJsonObject(value) && "project" in value && !("formatVersion" in value)) {
    const { project, locale, ...others } = value;
    const found = Object.keys(others).map((key) => ({
      path: key,
      expected: "no such field",
      received: "a value",
    }));
    if (found.length > 0) throw badRequest("The project cannot be opened", found);
    return { project, locale };
  }
  return { project: value, locale: undefined };
}

function unreadable(
  message: string,
  more: { reason?: unknown; additionalInformation?: Record<string, unknown> } = {},
): RequestError {
  return new RequestError({ id: "request-bad-request", code: 400, message, ...more });
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (reason) {
    throw unreadable("The project file cannot be read, because it is not text in UTF-8. Save it as UTF-8.", {
      reason,
    });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (reason) {
    const place = brokenJsonPlace(text);
    const isEmpty = text.trim() === "";
    const what = isEmpty ? "there is nothing in it" : "this is no JSON";
    const where = `its JSON is broken at line ${place.line}, column ${place.column}`;
    throw unreadable(`The project file cannot be read, because ${isEmpty ? "it is empty" : where}.`, {
      additionalInformation: { ...place, what },
      reason,
    });
  }
}

/** Of the OBX, as of all files of an OBK together. */
const unpackedBytes = 256 * 1024 ** 2;

/**
 * The OBX that a PDF carries, such as that of an order.
 * @throws {RequestError} 400 `request-bad-request` for a damaged PDF, and for one with no OBX or several
 */
function projectInPdf(bytes: Uint8Array): Uint8Array {
  try {
    const file = readPdf(bytes);
    const projects = embeddedFiles(file).filter(({ name }) => /\.obx$/i.test(name));
    const [project] = projects;
    if (project !== undefined && projects.length === 1) return file.content(project.content, unpackedBytes);
    const received = projects.length === 0 ? "none" : `${projects.length} of them`;
    const message =
      projects.length === 0
        ? "This PDF has no project in it. Open an order PDF that was made with its OBX inside, or a project file."
        : `This PDF has ${projects.length} projects in it (*.obx). Save one of them from the PDF and open that file.`;
    throw badRequest({ message }, [
      { path: "body", expected: "a PDF with one embedded file *.obx", received },
    ]);
  } catch (error) {
    if (!(error instanceof PdfFormatError)) throw error;
    const message =
      error instanceof PdfEncryptedError
        ? "This PDF needs a password or is protected. Save it without protection and try again."
        : "This PDF is damaged. Open it in a PDF program, save it again, and try again.";
    throw badRequest({ message }, [
      { path: "body", expected: "an undamaged PDF without encryption", received: error.message },
    ]);
  }
}
