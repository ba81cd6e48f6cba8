import { type Static, Type } from "@slipway/sdk";

/** A server: a host name such as api.example.com or *.example.com, with a port where it is not the usual one. */
export const ServerPattern = Type.String({
  pattern: "^(\\*|(\\*\\.)?[^/@?#:*\\s]+)(:[0-9]{1,5})?$",
  maxLength: 300,
});

/** Names of folders that a plugin asks for. */
export const folderName = "^[a-z][a-z0-9-]{0,63}$";

const Folders = (description: string) =>
  Type.Optional(
    Type.Record(Type.String({ pattern: folderName }), Type.String({ pattern: "^(/|[A-Za-z]:[\\\\/])" }), {
      description,
    }),
  );
const Allowed = (description: string) => Type.Optional(Type.Boolean({ description }));

/** What an admin allows a plugin; what is left out is not allowed. */
export const PluginGrants = Type.Object(
  {
    network: Type.Optional(
      Type.Array(ServerPattern, {
        maxItems: 200,
        description:
          "Servers that it may request through the host: names such as api.example.com, *.example.com or *, with a port where it is not the usual one. `fetch` applies as well.",
      }),
    ),
    sockets: Allowed("Opens connections and listens by itself, to and for any server."),
    read: Folders("Absolute path of each folder that it may read, by the name in its manifest."),
    write: Folders("Absolute path of each folder that it may read and write, by the name in its manifest."),
    temporary: Allowed("Has a private folder for temporary files."),
    programs: Allowed("Starts other programs."),
    threads: Allowed("Starts threads."),
    native: Allowed("Loads native add-ons."),
    environment: Type.Optional(
      Type.Array(Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }), {
        maxItems: 100,
        description: "Names of environment variables of the host that it sees.",
      }),
    ),
    services: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 100,
        description:
          "Plugins whose services it may call, by public name; default: all that its manifest names.",
      }),
    ),
  },
  { additionalProperties: false, title: "PluginGrants" },
);
export type PluginGrants = Static<typeof PluginGrants>;
