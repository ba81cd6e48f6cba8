/** Uses the part itself: what loads links for a host, with its own log and policy; over HTTP only plugins can ask for a link. */
import { checked, type Log, Validator } from "@slipway/sdk";
import { FetchConfiguration } from "../../host/configuration/fetch-configuration.js";
import { createOutgoingFetch } from "../../host/fetch/fetch.js";

const check = new Validator().compile(FetchConfiguration, "fetch");

/** Loads links as the settings of `fetch` allow; what is not among them is as by default. */
export function outgoingFetch(settings: object, log: Log): ReturnType<typeof createOutgoingFetch> {
  return createOutgoingFetch({ configuration: checked(check({ ...settings }), "test"), log });
}
