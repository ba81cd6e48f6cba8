/** The requests of clients that the load consists of. */
import type { Author, LoadRequest } from "./load.js";

type Rate = Pick<LoadRequest, "clients" | "pause">;

/** Lists templates. */
export function templates(rate: Rate): LoadRequest {
  return {
    name: "reporter templates",
    method: "GET",
    path: "/EAIWS/plugins/Reporter/templates.json",
    plugin: "Reporter",
    ...rate,
  };
}

/** Makes a PDF of the project of a session. */
export function report(sessionId: string, rate: Rate): LoadRequest {
  return {
    name: "reporter generate",
    method: "POST",
    path: "/EAIWS/plugins/Reporter/template/quote/v1/generate",
    body: { sessionId },
    plugin: "Reporter",
    ...rate,
  };
}

/** Asks for the default configuration of exports. */
export function exportDefaults(rate: Rate): LoadRequest {
  return {
    name: "oex configuration",
    method: "GET",
    path: "/EAIWS/plugins/oex/config.json",
    plugin: "oex",
    ...rate,
  };
}

/** Exports the project of a session. */
export function orderExport(sessionId: string, rate: Rate): LoadRequest {
  return {
    name: "oex export",
    method: "POST",
    path: "/EAIWS/plugins/oex/export",
    body: { sessionId },
    plugin: "oex",
    ...rate,
  };
}

/** Asks the sample for its version; it waits `ms` before it answers. */
export function sampleVersion(release: string | undefined, rate: Rate, ms = 0): LoadRequest {
  return {
    name: release === undefined ? "Sample" : `Sample under ${release}`,
    method: "GET",
    path: `${release === undefined ? "" : `/${release}`}/EAIWS/plugins/Sample/version?ms=${ms}`,
    plugin: "Sample",
    author: sampleAuthor,
    ...rate,
  };
}

/** Of a sample's answer; a mixture of two versions gives neither. */
function sampleAuthor(body: string): Author {
  const { version, part, instance }: { version: string; part: string; instance: string } = JSON.parse(body);
  return { version: version === part ? version : `${version} with ${part}`, instance };
}
