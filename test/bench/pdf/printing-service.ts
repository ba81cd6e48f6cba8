/**
 * Our printing service alone, without HTTP, plugin and template, to see what those cost. Uses the part itself: a host would
 * add just that.
 */
import { checked, type Log, Validator } from "@slipway/sdk";
import { untraced } from "@slipway/sdk/runtime/host";
import { PdfConfiguration } from "../../../host/configuration/pdf-configuration.js";
import { createPdfService, type PdfService } from "../../../host/pdf/pdf.js";
import { Pictures } from "../../../host/pictures/pictures.js";
import type { DocumentServer, WebDocument } from "./report-document.js";

const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export class PrintingService {
  private constructor(
    private readonly service: PdfService,
    private readonly pictures: Pictures,
    private readonly files: DocumentServer,
  ) {}

  static async start(varDirectory: string, files: DocumentServer): Promise<PrintingService> {
    const configuration = checked(new Validator().compile(PdfConfiguration, "pdf")({}), "benchmark");
    const fetch = () => Promise.reject(new Error("not used"));
    const pictures = new Pictures(configuration.pictures, quiet);
    const service = createPdfService({ configuration, varDirectory, log: quiet, pictures, fetch });
    await service.start();
    return new PrintingService(service, pictures, files);
  }

  async print(document: WebDocument): Promise<Uint8Array> {
    const { content } = await this.service.print({
      html: document.source,
      tagged: false,
      archivable: false,
      scripts: false,
      prependLinks: [],
      appendLinks: [],
      resources: { load: (path) => this.files.file(path), has: () => true },
      client: undefined,
      session: undefined,
      deadline: Date.now() + 600_000,
      signal: new AbortController().signal,
      work: untraced(quiet),
    });
    return content;
  }

  async stop(): Promise<void> {
    await this.service.stop();
    this.pictures.stop();
  }
}
