import { type Static, Type } from "@slipway/sdk";
import { TemplateStoreConfiguration } from "./template-store-configuration.js";

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
      default: 30_000,
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
