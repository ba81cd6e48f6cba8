import { type Static, Type } from "@slipway/sdk";

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
    timeout: Type.Integer({
      minimum: 100,
      maximum: 600_000,
      default: 10_000,
      description: "Milliseconds for requests to a store, archives included; a list does not wait longer.",
    }),
    freshness: Type.Integer({
      minimum: 0,
      maximum: 86_400_000,
      default: 30_000,
      description: "Milliseconds for which the response of a store is cached; `update` bypasses the cache.",
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
      description: "Bytes of cached archives; the least recently used are deleted first.",
    }),
    memoryBytes: Type.Integer({
      minimum: 1024,
      default: 256 * megabyte,
      description: "Bytes of unpacked templates of stores in memory.",
    }),
    processes: Type.Integer({
      minimum: 1,
      maximum: 16,
      default: 2,
      description: "Processes reserved for rendering templates of stores.",
    }),
  },
  { additionalProperties: false, default: {} },
);
export type TemplateStoreConfiguration = Static<typeof TemplateStoreConfiguration>;

/** The section `templates` of the configuration. */
export const TemplatesConfiguration = Type.Object(
  {
    processes: Type.Integer({
      minimum: 1,
      maximum: 16,
      default: 2,
      description: "Processes that render templates; each renders one report at a time.",
    }),
    memoryLimit: Type.Integer({
      minimum: 64,
      maximum: 4096,
      default: 256,
      description: "JavaScript heap of one of these processes in megabytes.",
    }),
    timeLimit: Type.Integer({
      minimum: 100,
      maximum: 600_000,
      default: 10_000,
      description: "Milliseconds for a template to render one report.",
    }),
    outputLimit: Type.Integer({
      minimum: 1024,
      maximum: 268_435_456,
      default: 33_554_432,
      description: "Characters of HTML of one report.",
    }),
    queueLimit: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 100,
      description: "Reports that may wait for a process; more are refused with 503.",
    }),
    watch: Type.Boolean({ default: true, description: "Reloads changed templates automatically." }),
    settlingTime: Type.Integer({
      minimum: 10,
      maximum: 60_000,
      default: 200,
      description: "Milliseconds without another change before a changed folder is read.",
    }),
    rescanInterval: Type.Integer({
      minimum: 100,
      maximum: 86_400_000,
      default: 60_000,
      description: "Milliseconds between full scans, which find changes without file system events.",
    }),
    retention: Type.Integer({
      minimum: 1000,
      maximum: 86_400_000,
      default: 600_000,
      description: "Milliseconds for a replaced version to finish its reports.",
    }),
    allowUnsafeVelocityAccess: Type.Array(Type.String(), {
      default: [],
      description: "Keys of templates exempt from the strict access check.",
    }),
    store: TemplateStoreConfiguration,
  },
  { additionalProperties: false },
);
export type TemplatesConfiguration = Static<typeof TemplatesConfiguration>;
