import type { Host, PdfResult, StoreTemplates } from "../../plugin/host.js";
import type { Metrics } from "../../plugin/metrics.js";
import type { TemplateDefinition, TemplateRecord } from "../../plugin/template.js";
import type { PricingProcedure } from "../../project/document.js";
import { firstPart, foundByHost, fromHost, type HostLink } from "./host-link.js";
import { remoteFiles } from "./remote-files.js";
import type { RemoteServices } from "./remote-services.js";
import { remoteLog } from "./remote-session.js";

/** The services of the host as a plugin sees them: calls over its link. */
export function remoteHost(
  link: HostLink,
  facts: Pick<Host, "plugin" | "now">,
  services: RemoteServices,
  metrics: Metrics,
): Host {
  return {
    ...facts,
    log: remoteLog(link),
    metrics,
    files: remoteFiles(link),
    service: (other, name) => services.service(other, name),
    pdf: {
      render: async (request) => {
        const { filename, tagged = false, scripts = false, prependLinks = [], appendLinks = [] } = request;
        const parameters = { filename, tagged, scripts, prependLinks, appendLinks };
        if ("html" in request)
          return fromHost<PdfResult>(await link.call("pdf.render", parameters, [request.html]));
        const { data, ...template } = request.template;
        return fromHost<PdfResult>(await link.call("pdf.render", { ...parameters, template }, [data]));
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
    fetch: async (url) => {
      const { values, parts } = await link.call("fetch", { url });
      return {
        status: Number(values["status"]),
        mediaType: String(values["mediaType"]),
        content: firstPart(parts),
      };
    },
  };
}
