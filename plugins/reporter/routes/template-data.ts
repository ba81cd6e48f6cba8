/** What a template sees, for those who write templates. */
import { type Host, type Route, route } from "@slipway/sdk";
import {
  GenerateRequest,
  GenerateRequestOfTemplate,
  TemplateKeyParameter,
} from "../request/generate-request.js";
import { prepareReport } from "./report-request.js";

/** Both paths of `data.json`; they take what `generate` takes and fail where it fails. */
export function templateDataRoutes(host: Host): Route[] {
  return [
    route.post("data.json", {
      summary: "The data of a report with the template that the body names.",
      body: GenerateRequest,
      session: "required",
      async handler(context) {
        return (await prepareReport(host, { ...context, pathKey: undefined })).data;
      },
    }),
    route.post("template/:templateKey/data.json", {
      summary: "The data of a report with the template in the path.",
      body: GenerateRequestOfTemplate,
      params: TemplateKeyParameter,
      session: "required",
      async handler({ params, ...context }) {
        return (await prepareReport(host, { ...context, pathKey: params.templateKey })).data;
      },
    }),
  ];
}
