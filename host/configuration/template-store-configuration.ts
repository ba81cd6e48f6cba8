import { type Static, Type } from "@slipway/sdk";

const megabyte = 1024 * 1024;

/** The section `templates.store` of the configuration: which template stores the host may ask, and what it takes from them. */
export const TemplateStoreConfiguration = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        pattern: "^https?://[^/?#\\s@]+(/[^?#\\s]*)?$",
        description: "Base address of the template store that is asked where a request names none.",
      }),
    ),
    allowedHosts: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description:
        "Public servers, asked by https, whose stores a request may name (`owdsURL`): host names such as store.example.com or " +
        "*.example.com, with a port where it is not the usual one. That of `templates.store.url` needs no entry.",
    }),
    allowedInternalHosts: Type.Array(Type.String({ pattern: "^[^/@?#]+:[0-9]{1,5}$" }), {
      default: [],
      description:
        "Servers of stores with internal addresses or without https, by exact name and port, such as 127.0.0.1:8090.",
    }),
    scripts: Type.Boolean({
      default: false,
      description: "Templates of stores may run scripts in their documents.",
    }),
    timeout: Type.Integer({
      minimum: 100,
      maximum: 600_000,
      default: 10_000,
      description: "Milliseconds for asking a store, its archives included; a list waits no longer for it.",
    }),
    freshness: Type.Integer({
      minimum: 0,
      maximum: 86_400_000,
      default: 30_000,
      description: "Milliseconds for which the answer of a store is used again; `update` asks anew.",
    }),
    templates: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 200,
      description: "Templates that a store may list for one token.",
    }),
    indexBytes: Type.Integer({
      minimum: 1024,
      default: megabyte,
      description: "Bytes of a store's index.",
    }),
    archiveBytes: Type.Integer({
      minimum: 1024,
      default: 8 * megabyte,
      description: "Bytes of one archive.",
    }),
    diskBytes: Type.Integer({
      minimum: 1024,
      default: 1024 * megabyte,
      description: "Bytes of archives that are kept; what was not used for longest goes first.",
    }),
    memoryBytes: Type.Integer({
      minimum: 1024,
      default: 256 * megabyte,
      description: "Bytes of unpacked templates of stores that stay in memory.",
    }),
    processes: Type.Integer({
      minimum: 1,
      maximum: 16,
      default: 2,
      description: "Processes that render templates of stores, and nothing else.",
    }),
  },
  { additionalProperties: false, default: {} },
);
export type TemplateStoreConfiguration = Static<typeof TemplateStoreConfiguration>;
