import { type Static, Type } from "@slipway/sdk";
import { clientShare } from "../system/fair-queue.js";
import { Integer } from "./numbers.js";

const milliseconds = (value: number, description: string) => Integer([1, 3_600_000], value, description);

const mebibyte = 1024 * 1024;

/** Preventive replacement of pages and browsers. */
const Recycling = Type.Object(
  {
    documents: Integer([1], 200, "Documents after which a page is replaced."),
    memory: Integer([64], 512, "MiB of memory of one renderer process above which its pages are replaced."),
    browserDocuments: Integer([1], 20_000, "Documents after which the browser is replaced."),
  },
  { additionalProperties: false, default: {} },
);

/** Preparation of pictures for printing. */
const Pictures = Type.Object(
  {
    jpegQuality: Integer(
      [40, 100],
      90,
      "Quality of the JPEG that an opaque PNG becomes, because those print several times faster.",
    ),
    jpegFromPixels: Integer(
      [0],
      16_384,
      "Pixels from which an opaque PNG becomes a JPEG; smaller ones (icons) stay exact.",
    ),
    longestSide: Integer(
      [256],
      3508,
      "Pixels; larger pictures are scaled down. The default is A4 at 300 dpi.",
    ),
    inputPixels: Integer([1], 100_000_000, "Pixels; larger pictures are left out."),
    inputBytes: Integer(
      [1],
      384 * mebibyte,
      "Bytes of a decoded picture (width × height × channels × bytes of a channel); larger ones are left out.",
    ),
    processes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 64,
        description:
          "Pictures prepared at once, each in a process of its own; default: number of cores, at most 4.",
      }),
    ),
    memory: Integer(
      [128],
      1024,
      "MiB for the process of one picture; a picture that needs more is left out.",
    ),
    timeout: milliseconds(
      10_000,
      "Milliseconds for preparing one picture; one that takes longer is left out.",
    ),
    cacheBytes: Integer([0], 64 * mebibyte, "Bytes of prepared pictures in memory."),
  },
  { additionalProperties: false, default: {} },
);

/** Limits of the PDFs before and after a report. */
const Attachments = Type.Object(
  {
    links: Integer([0], 20, "Links per report."),
    bytes: Integer([1], 32 * mebibyte, "Bytes of one attachment."),
    pages: Integer([1], 2000, "Pages of all attachments of a report."),
    memory: Integer([128], 1024, "MiB for joining."),
    timeout: milliseconds(30_000, "Milliseconds for loading and for joining, each."),
  },
  { additionalProperties: false, default: {} },
);

/** Reports of templates that are archivable. */
const Archive = Type.Object(
  {
    level: Type.Enum(["A", "U", "B"], {
      default: "A",
      description:
        "Highest level of PDF/A-3 that reports claim. A, for accessible ones, also has the structure; U, that text can be extracted; B, the looks alone. Some receivers refuse A.",
    }),
  },
  { additionalProperties: false, default: {} },
);

/** The section `pdf` of the configuration. Times are milliseconds, sizes bytes unless said otherwise. */
export const PdfConfiguration = Type.Object(
  {
    executable: Type.Optional(
      Type.String({
        description:
          "Path of the browser; the default is PUPPETEER_EXECUTABLE_PATH, then the first browser found.",
      }),
    ),
    browserCache: Type.Optional(
      Type.String({
        description: "Folder for the unpacked browser of the npm package; default: the user's cache.",
      }),
    ),
    sandbox: Type.Enum(["auto", "on", "off"], {
      default: "auto",
      description: "Chromium's own sandbox; auto: off only for root, for whom Chromium has none.",
    }),
    pages: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 64,
        description: "Documents printed at once; default: number of cores.",
      }),
    ),
    // Higher than `requests.concurrency`, so that a permitted request is not refused here.
    queueLength: Integer([0, 10_000], 64, "Documents that may wait for printing."),
    queueBytes: Integer([1], 64 * mebibyte, "Bytes of all waiting documents."),
    clientShare: clientShare("Part of the waiting documents and of their bytes"),
    documentBytes: Integer([1], 32 * mebibyte, "Bytes of one HTML document."),
    documentPages: Integer([1], 5000, "Pages of one report, attachments included."),
    documentMemory: Integer([64], 2048, "MiB of browser memory for printing one document; on Linux only."),
    outputBytes: Integer([1], 128 * mebibyte, "Bytes of one PDF, attachments included."),
    largeDocument: Integer(
      [1],
      256 * 1024,
      "Characters of HTML above which a document counts as large; small documents do not wait for large ones.",
    ),
    startTimeout: milliseconds(30_000, "Milliseconds for the start of the browser with its self test."),
    loadTimeout: milliseconds(15_000, "Milliseconds for loading a document; each picture restarts them."),
    printTimeout: milliseconds(60_000, "Milliseconds for printing a document, plus the next setting."),
    printTimeoutPer100Kilobytes: Integer([0], 500, "Additional milliseconds per 100 KB of HTML."),
    silenceTimeout: milliseconds(
      5_000,
      "Milliseconds after which a busy browser that does not respond, twice in a row, is replaced.",
    ),
    stopTimeout: milliseconds(10_000, "Milliseconds for running documents when the host stops."),
    fontFolders: Type.Array(Type.String(), {
      default: [],
      description: "Folders with TTF, OTF or TTC fonts, besides those of `slipway fonts add`.",
    }),
    recycling: Recycling,
    pictures: Pictures,
    attachments: Attachments,
    archive: Archive,
  },
  { additionalProperties: false, default: {} },
);
export type PdfConfiguration = Static<typeof PdfConfiguration>;
