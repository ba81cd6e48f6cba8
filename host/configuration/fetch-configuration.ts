import { type Static, Type } from "@slipway/sdk";
import { live } from "./live.js";
import { Integer } from "./numbers.js";

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
    connectTimeout: Integer([1, 600_000], 5_000, "Milliseconds for connecting."),
    readTimeout: Integer([1, 600_000], 15_000, "Milliseconds without a byte from the server."),
    timeout: Integer([1, 600_000], 60_000, "Total milliseconds for one request."),
    maxBytes: Integer([1], 32 * 1024 * 1024, "Bytes of one response."),
    redirects: Integer([0, 10], 3, "Number of redirects to follow."),
  },
  { ...live, additionalProperties: false, default: {} },
);
export type FetchConfiguration = Static<typeof FetchConfiguration>;
