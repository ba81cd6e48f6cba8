import { type Static, Type } from "@slipway/sdk";
import { live } from "./live.js";

/** The section `fetch` of the configuration: servers that the host may contact for clients and plugins. */
export const FetchConfiguration = Type.Object(
  {
    allowedHosts: Type.Array(Type.String({ minLength: 1 }), {
      default: ["*"],
      description:
        "Public servers: host names such as files.example.com or *.example.com, with a port where it is not the " +
        "usual one; * stands for all public servers on their usual ports. Internal addresses are never among them.",
    }),
    allowedInternalHosts: Type.Array(Type.String({ pattern: "^[^/@?#]+:[0-9]{1,5}$" }), {
      default: [],
      description: "Servers with internal addresses, by exact name and port, such as 127.0.0.1:8080.",
    }),
    connectTimeout: Type.Integer({
      minimum: 1,
      maximum: 600_000,
      default: 5_000,
      description: "Milliseconds for connecting.",
    }),
    readTimeout: Type.Integer({
      minimum: 1,
      maximum: 600_000,
      default: 15_000,
      description: "Milliseconds without a byte from the server.",
    }),
    timeout: Type.Integer({
      minimum: 1,
      maximum: 600_000,
      default: 60_000,
      description: "Total milliseconds for one request.",
    }),
    maxBytes: Type.Integer({ minimum: 1, default: 32 * 1024 * 1024, description: "Bytes of one response." }),
    redirects: Type.Integer({
      minimum: 0,
      maximum: 10,
      default: 3,
      description: "Number of redirects to follow.",
    }),
  },
  { ...live, additionalProperties: false, default: {} },
);
export type FetchConfiguration = Static<typeof FetchConfiguration>;
