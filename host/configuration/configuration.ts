/** The schema of the whole configuration; types and validation derive from it. */
import { type Static, Type } from "@slipway/sdk";
import {
  AccessConfiguration,
  RateLimitsConfiguration,
  SecurityConfiguration,
  TrustedProxies,
} from "./access-configuration.js";
import { EaiwsConfiguration } from "./eaiws-configuration.js";
import { EngineConfiguration } from "./engine-configuration.js";
import { FetchConfiguration } from "./fetch-configuration.js";
import {
  CorsConfiguration,
  DeprecatedReleasesConfiguration,
  FilesConfiguration,
  FoldersConfiguration,
  LimitsConfiguration,
  LogConfiguration,
  ReleaseAliasesConfiguration,
  ReleasesConfiguration,
  RequestsConfiguration,
  SessionsConfiguration,
} from "./host-configuration.js";
import { IdempotencyConfiguration } from "./idempotency-configuration.js";
import { JobsConfiguration } from "./jobs-configuration.js";
import { live } from "./live.js";
import {
  AuditConfiguration,
  MetricsConfiguration,
  TracingConfiguration,
} from "./observability-configuration.js";
import { PdfConfiguration } from "./pdf-configuration.js";
import { PluginsConfiguration } from "./plugins-configuration.js";
import { TemplatesConfiguration } from "./templates-configuration.js";
import { WebhooksConfiguration } from "./webhooks-configuration.js";
export const Configuration = Type.Object(
  {
    host: Type.String({ minLength: 1, description: "Address to listen on." }),
    port: Type.Integer({ minimum: 0, maximum: 65535, description: "Port to listen on; 0 picks a free one." }),
    allowedAddresses: Type.Array(Type.String({ minLength: 1 }), {
      description: 'Non-local addresses that `host` may name without a key, such as "0.0.0.0".',
    }),
    hostNames: Type.Array(Type.String({ pattern: "^[^\\s/?#@:]+$|^[0-9A-Fa-f:.]+$" }), {
      default: [],
      description:
        'Further names and addresses of a host without keys, without a port, such as "reports"; requests to other names get 421.',
      ...live,
    }),
    publicUrl: Type.Optional(
      Type.String({
        pattern: "^https?://[^/?#\\s][^?#\\s]*$",
        description:
          "Origin and prefix that clients see in front of /files; the default is the requested host name.",
      }),
    ),
    trustedProxies: TrustedProxies,
    var: Type.String({ minLength: 1, description: "Folder of all files written at run time." }),
    folders: FoldersConfiguration,
    releases: ReleasesConfiguration,
    releaseAliases: ReleaseAliasesConfiguration,
    deprecatedReleases: DeprecatedReleasesConfiguration,
    plugins: PluginsConfiguration,
    templates: TemplatesConfiguration,
    pdf: PdfConfiguration,
    fetch: FetchConfiguration,
    engine: EngineConfiguration,
    sessions: SessionsConfiguration,
    eaiws: EaiwsConfiguration,
    files: FilesConfiguration,
    jobs: JobsConfiguration,
    webhooks: WebhooksConfiguration,
    idempotency: IdempotencyConfiguration,
    limits: LimitsConfiguration,
    requests: RequestsConfiguration,
    cors: CorsConfiguration,
    access: AccessConfiguration,
    rateLimits: RateLimitsConfiguration,
    audit: AuditConfiguration,
    security: SecurityConfiguration,
    log: LogConfiguration,
    metrics: MetricsConfiguration,
    tracing: TracingConfiguration,
    workbench: Type.Boolean({
      default: true,
      description:
        "Serves the workbench at /workbench, where people open projects and make reports and exports; browsers that open the host are led there.",
    }),
    preview: Type.Boolean({
      default: false,
      description:
        "Serves the live preview of templates at /preview, and looks for mistakes of their authors: reports take longer.",
    }),
  },
  { additionalProperties: false },
);
export type Configuration = Static<typeof Configuration>;
