/** The steps from a wish to the pages that show it, with the time of each. */
import type { GeneratedReport, OptionValue } from "./host-answers.js";
import type { HostClient } from "./host-client.js";
import type { PdfView } from "./pdf-view.js";

/** What a run is to show. */
export interface RunRequest {
  template: string;
  sessionId: string;
  options: Record<string, OptionValue>;
}

/** Milliseconds of each step. */
export interface RunTimes {
  generated: number;
  fetched: number;
  drawn: number;
}

export interface FinishedRun {
  report: GeneratedReport;
  /** Of the file, for this page. */
  address: string;
  times: RunTimes;
}

/** Has the report made as any client would, fetches and shows it; after `signal` has aborted, nothing is shown any more. */
export async function runReport(
  host: HostClient,
  view: PdfView,
  { template, sessionId, options }: RunRequest,
  signal: AbortSignal,
): Promise<FinishedRun> {
  const begun = performance.now();
  const report = await host.generate(template, { sessionId, templateOptions: options }, signal);
  const generated = performance.now();
  const address = host.fileAddress(report.url);
  const data = await host.file(address, signal);
  const fetched = performance.now();
  await view.show(data, signal);
  const drawn = performance.now();
  const times = { generated: generated - begun, fetched: fetched - generated, drawn: drawn - fetched };
  return { report, address, times };
}
