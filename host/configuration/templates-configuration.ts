import { type Static, Type } from "@slipway/sdk";
import { TemplateStoreConfiguration } from "./template-store-configuration.js";

/** What an administrator can set about templates and the processes that render them. */
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
      description: "Megabytes that one of them may use for objects.",
    }),
    timeLimit: Type.Integer({
      minimum: 100,
      maximum: 600_000,
      default: 10_000,
      description: "Milliseconds that a template may take for one report.",
    }),
    outputLimit: Type.Integer({
      minimum: 1024,
      maximum: 268_435_456,
      default: 33_554_432,
      description: "Characters that one report may have as HTML.",
    }),
    queueLimit: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 100,
      description: "Reports that may wait for a process; more are refused with 503.",
    }),
    watch: Type.Boolean({ default: true, description: "Take over changed templates without being asked." }),
    settlingTime: Type.Integer({
      minimum: 10,
      maximum: 60_000,
      default: 200,
      description: "Milliseconds without another change before a changed folder is read.",
    }),
    rescanInterval: Type.Integer({
      minimum: 100,
      maximum: 86_400_000,
      default: 30_000,
      description: "Milliseconds between full looks, which find what the file system does not report.",
    }),
    retention: Type.Integer({
      minimum: 1000,
      maximum: 86_400_000,
      default: 600_000,
      description: "Milliseconds for which a replaced version can still finish what began with it.",
    }),
    allowUnsafeVelocityAccess: Type.Array(Type.String(), {
      default: [],
      description: "Keys of the templates that may run without the strict access check.",
    }),
    store: TemplateStoreConfiguration,
  },
  { additionalProperties: false },
);
export type TemplatesConfiguration = Static<typeof TemplatesConfiguration>;
