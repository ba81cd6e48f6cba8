import type { ReportData, SuppressedError, TemplateOptions, TemplateRecord } from "@slipway/sdk";
import type { HostClient } from "../client/host-client.js";
import type { OptionValue } from "./option-values.js";

const place = "EAIWS/plugins/Reporter";

/** What exports print unless they name another one. */
const orderTemplate = "order";

/** A report that was made. */
export interface GeneratedReport {
  name: string;
  url: string;
  errors?: SuppressedError[];
}

/** Has a body answered by the route at a path. */
type Ask = <Answer>(path: string, body: unknown, signal: AbortSignal) => Promise<Answer>;

/** The reporter's routes, as any other client uses them. */
export class Reporter {
  /** `ask` makes reports and their data, in another way than by waiting for them. */
  constructor(
    private readonly host: HostClient,
    private readonly ask: Ask = async (path, body, signal) => (await host.post(path, body, signal)).json(),
  ) {}

  /** All templates that serve, in the language of the session. */
  async templates(sessionId: string): Promise<TemplateRecord[]> {
    const query = new URLSearchParams({ category: "*", sessionId });
    return (await this.host.request(`${place}/templates.json?${query}`)).json();
  }

  async options(template: string, sessionId: string, signal: AbortSignal): Promise<TemplateOptions> {
    const query = new URLSearchParams({ sessionId });
    const response = await this.host.request(`${path(template)}/options.json?${query}`, { signal });
    const answer: { options: TemplateOptions } = await response.json();
    return answer.options;
  }

  /** The values of all options that a report gets when a request names none: those of the template and of the project. */
  async usualOptions(
    template: string,
    sessionId: string,
    signal: AbortSignal,
  ): Promise<Record<string, OptionValue>> {
    const answer = await this.ask<{ options: Record<string, OptionValue> }>(
      `${path(template)}/data.json`,
      { sessionId },
      signal,
    );
    return answer.options;
  }

  /** The data that the template gets for this request. */
  async data(
    template: string,
    body: { sessionId: string; templateOptions: Record<string, OptionValue> },
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    // What the report would tell as suppressed errors is not in the data of templates.
    const { errors: _, ...data } = await this.projectData(template, body, signal);
    return data;
  }

  /** The same with what the report would tell as suppressed errors. */
  projectData(
    template: string,
    body: { sessionId: string; templateOptions?: Record<string, OptionValue> },
    signal: AbortSignal,
  ): Promise<ReportData> {
    return this.ask(`${path(template)}/data.json`, body, signal);
  }

  async generate(
    template: string,
    body: { sessionId: string; templateOptions: Record<string, OptionValue> },
    signal: AbortSignal,
  ): Promise<GeneratedReport> {
    return await this.ask(`${path(template)}/v1/generate`, body, signal);
  }

  /** The PDF of an order export, with files such as "OEX,OBX" inside. Throws if the export has none. */
  async export(
    template: string,
    embed: string,
    body: { sessionId: string; templateOptions: Record<string, OptionValue> },
    signal: AbortSignal,
  ): Promise<GeneratedReport> {
    const config = {
      attachPDF: true,
      attachOEX: false,
      attachOBX: false,
      embedInPDF: embed.split(","),
      reporterTemplateKey: template === orderTemplate ? null : template,
    };
    const { pdf, errors = [] } = await this.ask<{ pdf?: GeneratedReport; errors?: SuppressedError[] }>(
      "EAIWS/plugins/oex/export",
      { ...body, config },
      signal,
    );
    if (pdf === undefined) throw new Error(errors.map(({ message }) => message).join("\n"));
    return { ...pdf, errors };
  }
}

function path(template: string): string {
  return `${place}/template/${encodeURIComponent(template)}`;
}
