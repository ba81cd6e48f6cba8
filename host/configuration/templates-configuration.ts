import { type Static, Type } from "@slipway/sdk";
import { Integer } from "./numbers.js";

const megabyte = 1024 * 1024;

/** The section `templates.store` of the configuration: permitted template stores, and limits for them. */
export const TemplateStoreConfiguration = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        pattern: "^https?://[^/?#\\s@]+(/[^?#\\s]*)?$",
        description: "Base URL of the template store for requests that name none.",
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
    timeout: Integer(
      [100, 600_000],
      10_000,
      "Milliseconds for requests to a store, archives included; a list does not wait longer.",
    ),
    freshness: Integer(
      [0, 86_400_000],
      30_000,
      "Milliseconds for which the response of a store is cached; `update` bypasses the cache.",
    ),
    templates: Integer([1, 10_000], 200, "Templates that a store may list for one token."),
    indexBytes: Integer([1024], megabyte, "Bytes of a store's index."),
    archiveBytes: Integer([1024], 8 * megabyte, "Bytes of one archive."),
    diskBytes: Integer(
      [1024],
      1024 * megabyte,
      "Bytes of cached archives; the least recently used are deleted first.",
    ),
    memoryBytes: Integer([1024], 256 * megabyte, "Bytes of unpacked templates of stores in memory."),
    processes: Integer([1, 16], 2, "Processes reserved for rendering templates of stores."),
  },
  { additionalProperties: false, default: {} },
);
export type TemplateStoreConfiguration = Static<typeof TemplateStoreConfiguration>;

/** The section `templates` of the configuration. */
export const TemplatesConfiguration = Type.Object(
  {
    processes: Integer([1, 16], 2, "Processes that render templates; each renders one report at a time."),
    memoryLimit: Integer([64, 4096], 256, "JavaScript heap of one of these processes in megabytes."),
    timeLimit: Integer([100, 600_000], 10_000, "Milliseconds for a template to render one report."),
    outputLimit: Integer([1024, 268_435_456], 33_554_432, "Characters of HTML of one report."),
    queueLimit: Integer([1, 10_000], 100, "Reports that may wait for a process; more are refused with 503."),
    watch: Type.Boolean({ default: true, description: "Reloads changed templates automatically." }),
    settlingTime: Integer(
      [10, 60_000],
      200,
      "Milliseconds without another change before a changed folder is read.",
    ),
    rescanInterval: Integer(
      [100, 86_400_000],
      60_000,
      "Milliseconds between full scans, which find changes without file system events.",
    ),
    retention: Integer(
      [1000, 86_400_000],
      600_000,
      "Milliseconds for a replaced version to finish its reports.",
    ),
    allowUnsafeVelocityAccess: Type.Array(Type.String(), {
      default: [],
      description: "Keys of templates exempt from the strict access check.",
    }),
    store: TemplateStoreConfiguration,
  },
  { additionalProperties: false },
);
export type TemplatesConfiguration = Static<typeof TemplatesConfiguration>;
