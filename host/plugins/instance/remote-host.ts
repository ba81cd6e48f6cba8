import type {
  Host,
  Metrics,
  PdfResult,
  PricingProcedure,
  StoreTemplates,
  TemplateDefinition,
  TemplateRecord,
} from "@slipway/sdk";
import { firstPart, foundByHost, fromHost } from "./from-host.js";
import type { HostConnection } from "./host-connection.js";
import { remoteFiles } from "./remote-files.js";
import { remoteLog } from "./remote-log.js";
import type { RemoteServices } from "./remote-services.js";

/** The services of the host as a plugin sees them: calls over the channel. */
export function remoteHost(
  connection: HostConnection,
  plugin: { name: string; version: string },
  services: RemoteServices,
  metrics: Metrics,
): Host {
  return {
    plugin,
    log: remoteLog(connection),
    now: () => new Date(),
    metrics,
    files: remoteFiles(connection),
    service: (other, name) => services.service(other, name),
    pdf: {
      render: async (request) => {
        const { filename, tagged = false, scripts = false, prependLinks = [], appendLinks = [] } = request;
        const parameters = { filename, tagged, scripts, prependLinks, appendLinks };
        if ("html" in request)
          return fromHost<PdfResult>(await connection.call("pdf.render", parameters, [request.html]));
        const { data, ...template } = request.template;
        return fromHost<PdfResult>(await connection.call("pdf.render", { ...parameters, template }, [data]));
      },
    },
    templates: {
      list: async ({ locale, reload = false }) =>
        fromHost<TemplateRecord[]>(await connection.call("templates.list", { locale, reload })),
      listStore: async ({ locale, url, token, reload = false }) => {
        const named = { ...(url !== undefined && { url }), ...(token !== undefined && { token }) };
        return fromHost<StoreTemplates>(
          await connection.call("templates.listStore", { locale, reload, ...named }),
        );
      },
      find: async ({ key, locale }) =>
        foundByHost<TemplateDefinition>(await connection.call("templates.find", { key, locale })),
      render: async ({ data, ...parameters }) => {
        const { parts } = await connection.call("templates.render", parameters, [data]);
        return { html: firstPart(parts).toString("utf8") };
      },
    },
    procedures: {
      find: async (name) => foundByHost<PricingProcedure>(await connection.call("procedures.find", { name })),
    },
    fetch: async (url) => {
      const { values, parts } = await connection.call("fetch", { url });
      return {
        status: Number(values["status"]),
        mediaType: String(values["mediaType"]),
        content: firstPart(parts),
      };
    },
  };
}
