import type { ReportData, SuppressedError, TemplateOptions, TemplateRecord } from "@slipway/sdk";
import type { HostClient } from "../client/host-client.js";
import type { OptionValue } from "./option-values.js";

const place = "EAIWS/plugins/Reporter";

/** The default template of exports. */
const orderTemplate = "order";

/** A generated report. */
export interface GeneratedReport {
  name: string;
  url: string;
  errors?: SuppressedError[];
}

/** Sends a body to the route at a path. */
type Ask = <Answer>(path: string, body: unknown, signal: AbortSignal) => Promise<Answer>;

/** Client of the reporter's routes. */
export class Reporter {
  /** `ask` replaces the plain request for reports and data. */
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

  /** The default values of all options, from template and project. */
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
    // The data of templates excludes suppressed errors.
    const { errors: _, ...data } = await this.projectData(template, body, signal);
    return data;
  }

  /** The data with the suppressed errors of the report. */
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
