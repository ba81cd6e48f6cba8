import type { Log } from "../../plugin/handler-context.js";
import type { Host, PdfResult, StoreTemplates } from "../../plugin/host.js";
import type { Metrics } from "../../plugin/metrics.js";
import type { OfferedService } from "../../plugin/service.js";
import type { StoredFile } from "../../plugin/stored-file.js";
import type { TemplateDefinition, TemplateRecord } from "../../plugin/template.js";
import type { PricingProcedure } from "../../project/document.js";
import { RequestError, type SuppressedError } from "../../schema/errors.js";
import type { Static, TSchema } from "../../schema/schema.js";
import { describe } from "../../schema/violation.js";
import type { RequirementDescription } from "../messages/plugin-description.js";
import { firstPart, foundByHost, fromHost, type HostLink } from "./host-link.js";
import { remoteFiles } from "./remote-files.js";
import { remoteLog } from "./remote-session.js";
import { remoteStore } from "./remote-store.js";
import type { SchemaChecks } from "./schema-checks.js";

/** The plugin's view of the host services: calls over its link. */
export function remoteHost(
  link: HostLink,
  facts: Pick<Host, "plugin" | "now" | "assets" | "folder">,
  services: RemoteServices,
  metrics: Metrics,
  checks: SchemaChecks,
): Host {
  return {
    ...facts,
    log: remoteLog(link),
    metrics,
    files: remoteFiles(link),
    service: (other, name) => services.service(other, name),
    pdf: {
      render: async (request) => {
        const { filename, tagged = false, archivable = false, scripts = false } = request;
        const { prependLinks = [], appendLinks = [] } = request;
        const parameters = { filename, tagged, archivable, scripts, prependLinks, appendLinks };
        if ("html" in request)
          return fromHost<PdfResult>(await link.call("pdf.render", parameters, [request.html]));
        const { data, ...template } = request.template;
        return fromHost<PdfResult>(await link.call("pdf.render", { ...parameters, template }, [data]));
      },
      embed: async ({ pdf, filename, files, statement }) => {
        const embedded = files.map(({ file, ...more }) => ({ id: file.id, ...more }));
        const named = { ...(filename !== undefined && { filename }), ...(statement && { statement }) };
        const parameters = { pdf: pdf.id, files: embedded, ...named };
        return fromHost<StoredFile>(await link.call("pdf.embed", parameters));
      },
    },
    templates: {
      list: async ({ locale, reload = false }) =>
        fromHost<TemplateRecord[]>(await link.call("templates.list", { locale, reload })),
      listStore: async ({ locale, url, token, reload = false }) => {
        const named = { ...(url !== undefined && { url }), ...(token !== undefined && { token }) };
        return fromHost<StoreTemplates>(await link.call("templates.listStore", { locale, reload, ...named }));
      },
      find: async ({ key, locale }) =>
        foundByHost<TemplateDefinition>(await link.call("templates.find", { key, locale })),
      render: async ({ data, ...parameters }) => {
        const { parts } = await link.call("templates.render", parameters, [data]);
        return { html: firstPart(parts).toString("utf8") };
      },
    },
    procedures: {
      find: async (name) => foundByHost<PricingProcedure>(await link.call("procedures.find", { name })),
    },
    store: remoteStore(link, checks),
    fetch: async (url, { method = "GET", headers = {}, body } = {}) => {
      const request = { url, method, headers: { ...headers }, hasBody: body !== undefined };
      const { values, parts } = await link.call("fetch", request, body === undefined ? [] : [body]);
      return {
        status: Number(values["status"]),
        mediaType: String(values["mediaType"]),
        headers: Object.fromEntries(
          Object.entries(Object(values["headers"])).map(([name, value]) => [name, String(value)]),
        ),
        content: firstPart(parts),
      };
    },
  };
}

/** Services of other plugins; the schemas that this plugin expects are compiled once. */
export class RemoteServices {
  private readonly requirements = new Map<string, RequirementDescription>();
  private isSetUp = false;

  constructor(
    private readonly link: HostLink,
    private readonly log: Log,
    private readonly checks: SchemaChecks,
  ) {}

  /** One service of a plugin, with names as in `host.service`. */
  service(plugin: string, service: string): OfferedService {
    if (!this.isSetUp) this.requirements.set(JSON.stringify([plugin, service]), { plugin, service });
    return {
      call: async (method, input, output) => {
        const wanted = { plugin, service, method };
        const received = await this.link.call("service.call", wanted, [JSON.stringify(input) ?? "null"]);
        const value = this.expected(output, fromHost<unknown>(received), wanted);
        const errors = fromHost<SuppressedError[]>({ values: {}, parts: received.parts.slice(1) });
        return { value, errors };
      },
    };
  }

  /** Returns the services requested so far; later ones depend on requests and are not requirements. */
  endSetup(): RequirementDescription[] {
    this.isSetUp = true;
    return [...this.requirements.values()];
  }

  private expected<S extends TSchema>(
    schema: S,
    value: unknown,
    wanted: { plugin: string; service: string; method: string },
  ): Static<S> {
    const result = this.checks.of(schema)(value);
    if (result.ok) return result.value;
    const what = `${wanted.service}.${wanted.method} of ${wanted.plugin}`;
    this.log.error(`${what} returned an unexpected result`, {
      violations: result.violations.map(describe),
    });
    throw new RequestError({
      id: "plugin-error",
      code: 500,
      message: `${what} returned a result that does not fit the schema of its caller.`,
    });
  }
}
