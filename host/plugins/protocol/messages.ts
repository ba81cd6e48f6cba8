/** What host and instance say to each other: the one place that both sides read. */
import { type Static, SuppressedError, Type } from "@slipway/sdk";

/** Grows with every change that an older peer would misunderstand. */
export const protocolVersion = 4;

/** File descriptor of the channel in the instance; 0 to 2 are its standard streams. */
export const channelDescriptor = 3;

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });

/** Arguments of the instance's program, as one JSON text: what it must know before it can speak. */
export const InstanceArguments = Type.Object(
  { hostProcess: Type.Integer({ minimum: 1 }), maximumFrame: Type.Integer({ minimum: 1 }) },
  closed,
);
export type InstanceArguments = Static<typeof InstanceArguments>;

/** Note of the instance: it is there, and speaks this protocol. */
export const Hello = Type.Object({ protocol: Count }, closed);

/** Call of the host: load the plugin and set it up; part 0 is its configuration. Answered by a `PluginDescription` in part 0. */
export const Start = Type.Object(
  {
    /** URL of the bundle. */
    entry: Type.String(),
    name: Type.String(),
    version: Type.String(),
    /** Bytes of project JSON that the instance keeps. */
    projectCache: Count,
  },
  closed,
);
export type Start = Static<typeof Start>;

const Schema = Type.Record(Type.String(), Type.Unknown());

/** Segments of plain characters, or parameters as `:name`; nothing that a router would take for a pattern. */
const routePath = "^(:[A-Za-z_]\\w*|[\\w.~-]+)(/(:[A-Za-z_]\\w*|[\\w.~-]+))*$";

export const RouteDescription = Type.Object(
  {
    method: Type.Enum(["GET", "POST", "PUT", "DELETE"]),
    path: Type.String({ maxLength: 500, pattern: routePath }),
    summary: Type.String({ maxLength: 2000 }),
    body: Type.Optional(Schema),
    query: Type.Optional(Schema),
    params: Type.Optional(Schema),
    response: Type.Optional(Schema),
    session: Type.Enum(["required", "optional", "none"]),
    timeout: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  closed,
);
export type RouteDescription = Static<typeof RouteDescription>;

const Name = Type.String({ pattern: "^[A-Za-z][A-Za-z0-9_-]{0,99}$" });

export const ServiceMethodDescription = Type.Object(
  {
    service: Name,
    method: Name,
    summary: Type.String({ maxLength: 2000 }),
    input: Type.Optional(Schema),
    output: Type.Optional(Schema),
    session: Type.Enum(["required", "optional", "none"]),
    timeout: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  closed,
);
export type ServiceMethodDescription = Static<typeof ServiceMethodDescription>;

/** A service of another plugin. */
const otherService = {
  /** Name or alias, "@" and a range. */
  plugin: Type.String({ maxLength: 500 }),
  service: Type.String({ maxLength: 200 }),
};

/** A service that the plugin asked for while it was set up. */
export const RequirementDescription = Type.Object(otherService, closed);
export type RequirementDescription = Static<typeof RequirementDescription>;

export const PluginDescription = Type.Object(
  {
    routes: Type.Array(RouteDescription, { maxItems: 1000 }),
    services: Type.Array(ServiceMethodDescription, { maxItems: 1000 }),
    requirements: Type.Array(RequirementDescription, { maxItems: 1000 }),
  },
  closed,
);
export type PluginDescription = Static<typeof PluginDescription>;

/** What of a client's request crosses with every call for it. */
const requestFields = {
  /** Number of the call in this instance; calls to the host that belong to it carry it. */
  request: Count,
  /** Of the client's request. */
  requestId: Type.String(),
  locale: Type.String(),
  session: Type.Optional(Type.Object({ id: Type.String(), locale: Type.String(), revision: Count }, closed)),
};

/** Call of the host: answer a request; parts are body, query and params as JSON. Answered by an `Answer` and the body in part 0. */
export const Handle = Type.Object({ ...requestFields, route: Type.String() }, closed);
export type Handle = Static<typeof Handle>;

/**
 * Call of the host: run a service method for another plugin; part 0 is the input as JSON. Answered by the value in part 0
 * and the suppressed errors in part 1, both JSON.
 */
export const Serve = Type.Object(
  {
    ...requestFields,
    service: Type.String(),
    method: Type.String(),
    /** Who asks, such as "oex@1.6.0"; for the log. */
    caller: Type.String(),
  },
  closed,
);
export type Serve = Static<typeof Serve>;

/** Headers that plugins may set; "Slipway-Plugin" is the host's own. */
export const AnswerHeaders = Type.Record(
  Type.String({ pattern: "^Slipway-(?![Pp][Ll][Uu][Gg][Ii][Nn]$)[A-Za-z0-9-]{1,60}$" }),
  Type.String({ maxLength: 2000, pattern: "^[\\x20-\\x7e]*$" }),
  { ...closed, maxProperties: 20 },
);
export type AnswerHeaders = Static<typeof AnswerHeaders>;

export const Answer = Type.Object(
  {
    status: Type.Integer({ minimum: 200, maximum: 299 }),
    mediaType: Type.String({ maxLength: 200 }),
    headers: AnswerHeaders,
  },
  closed,
);
export type Answer = Static<typeof Answer>;

/** Note of the instance: a line for the log; `fields` is JSON. */
export const LogLine = Type.Object(
  {
    level: Type.Enum(["debug", "info", "warn", "error"]),
    message: Type.String(),
    fields: Type.String(),
    request: Type.Optional(Count),
  },
  closed,
);
export type LogLine = Static<typeof LogLine>;

/** Note of the instance: something threw where nobody could catch it, or the plugin ended its own process. */
export const Fault = Type.Object(
  { kind: Type.Enum(["exception", "exit"]), detail: Type.String(), request: Type.Optional(Count) },
  closed,
);
export type Fault = Static<typeof Fault>;

/**
 * What plugins may have of metrics of their own. A counter or gauge is one sample for each set of labels, a histogram one for
 * each bucket and three more.
 */
export const metricLimits = { metrics: 50, samples: 1000, labels: 5, labelLength: 100, buckets: 20 } as const;

const metricFacts = {
  name: Type.String({ pattern: "^[a-z][a-z0-9_]{0,79}$" }),
  help: Type.String({ maxLength: 500 }),
  /** "plugin" and "version" are the host's, "le" is that of buckets. */
  labels: Type.Array(Type.String({ pattern: "^(?!(plugin|version|le|quantile)$)[a-z][a-z0-9_]{0,39}$" }), {
    maxItems: metricLimits.labels,
    uniqueItems: true,
  }),
};
const labelValues = Type.Array(Type.String({ maxLength: metricLimits.labelLength }), {
  maxItems: metricLimits.labels,
});

/** One metric of a plugin with what became of it since the last report. */
export const MetricReport = Type.Union([
  Type.Object(
    {
      kind: Type.Enum(["counter", "gauge"]),
      ...metricFacts,
      /** `value`: by how much a counter grew, what a gauge is. */
      series: Type.Array(Type.Object({ labels: labelValues, value: Type.Number() }, closed), {
        maxItems: metricLimits.samples,
      }),
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal("histogram"),
      ...metricFacts,
      /** Upper bounds, growing; what is above the last one is counted too. */
      buckets: Type.Array(Type.Number(), { minItems: 1, maxItems: metricLimits.buckets }),
      /** `counts`: how many values fell into each bucket and above the last one. */
      series: Type.Array(
        Type.Object({ labels: labelValues, counts: Type.Array(Count), sum: Type.Number() }, closed),
        { maxItems: metricLimits.samples },
      ),
    },
    closed,
  ),
]);
export type MetricReport = Static<typeof MetricReport>;

/** Note of the instance, about once a second while there is something: the metrics of its plugin. */
export const MetricsReport = Type.Object(
  { metrics: Type.Array(MetricReport, { maxItems: metricLimits.metrics }) },
  closed,
);
export type MetricsReport = Static<typeof MetricsReport>;

/** What a service gave, as it comes back to the plugin that asked for it. */
export const ServiceErrors = Type.Array(SuppressedError);

/** Calls of the instance for the services of the host. `request` says for which request; without it, for the plugin itself. */
const forRequest = { request: Type.Optional(Count) };
const Locale = Type.String({ maxLength: 50 });
const Link = Type.String({ maxLength: 100_000 });
const FileName = Type.String({ minLength: 1, maxLength: 1000 });
const newFile = {
  name: FileName,
  mediaType: Type.String({
    pattern: "^[a-zA-Z0-9!#$&^_.+-]+/[a-zA-Z0-9!#$&^_.+-]+(; ?[ -~]+)?$",
    maxLength: 200,
  }),
};
/** What is rendered, apart from the data. */
const rendering = {
  key: Type.String({ maxLength: 1000 }),
  version: Type.String({ maxLength: 200 }),
  locale: Locale,
  formatLocale: Locale,
};

export const ServiceParameters = {
  /** -> part 0: JSON of the project. */
  "session.project": Type.Object(forRequest, closed),
  /** -> part 0: the bytes; no part when there is no such asset. */
  "session.asset": Type.Object({ ...forRequest, sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }) }, closed),
  /** Part 0: the content -> part 0: a `StoredFile`. */
  "files.create": Type.Object({ ...forRequest, ...newFile }, closed),
  /** Begins a file that comes in pieces -> values: `file`, its number in this request. */
  "files.open": Type.Object({ ...forRequest, ...newFile }, closed),
  /** Part 0: the next piece -> nothing, when there is room for another one; one at a time for each file. */
  "files.write": Type.Object({ ...forRequest, file: Count }, closed),
  /** The last piece was written -> part 0: a `StoredFile`. */
  "files.finish": Type.Object({ ...forRequest, file: Count }, closed),
  /** There will be no last piece -> nothing, when the file is gone; also where it was gone before. */
  "files.discard": Type.Object({ ...forRequest, file: Count }, closed),
  /** Files of this request by their ids -> part 0: a `StoredFile`. */
  "files.archive": Type.Object(
    {
      ...forRequest,
      name: FileName,
      files: Type.Array(
        Type.Object(
          { id: Type.String({ maxLength: 100 }), name: Type.Optional(Type.String({ maxLength: 1000 })) },
          closed,
        ),
        { maxItems: 10_000 },
      ),
    },
    closed,
  ),
  /** Part 0: the document, or the data of `template` -> part 0: a `PdfResult`. */
  "pdf.render": Type.Object(
    {
      ...forRequest,
      template: Type.Optional(Type.Object(rendering, closed)),
      filename: FileName,
      tagged: Type.Boolean(),
      scripts: Type.Boolean(),
      prependLinks: Type.Array(Link, { maxItems: 1000 }),
      appendLinks: Type.Array(Link, { maxItems: 1000 }),
    },
    closed,
  ),
  /** -> part 0: `TemplateRecord[]`. */
  "templates.list": Type.Object({ ...forRequest, locale: Locale, reload: Type.Boolean() }, closed),
  /** -> part 0: `StoreTemplates`. */
  "templates.listStore": Type.Object(
    {
      ...forRequest,
      locale: Locale,
      url: Type.Optional(Type.String({ maxLength: 100_000 })),
      token: Type.Optional(Type.String({ maxLength: 100_000 })),
      reload: Type.Boolean(),
    },
    closed,
  ),
  /** -> part 0: a `TemplateDefinition`; no part when there is none. */
  "templates.find": Type.Object(
    { ...forRequest, key: Type.String({ maxLength: 1000 }), locale: Locale },
    closed,
  ),
  /** Part 0: the data -> part 0: the document. */
  "templates.render": Type.Object({ ...forRequest, ...rendering }, closed),
  /** -> part 0: a `PricingProcedure`; no part when there is none. */
  "procedures.find": Type.Object({ ...forRequest, name: Type.String({ maxLength: 1000 }) }, closed),
  /** -> values: status, mediaType; part 0: the content. */
  fetch: Type.Object({ ...forRequest, url: Link }, closed),
  /** A service method of another plugin; part 0: the input as JSON -> part 0: the value, part 1: `ServiceErrors`. */
  "service.call": Type.Object(
    { ...forRequest, ...otherService, method: Type.String({ maxLength: 200 }) },
    closed,
  ),
};
export type ServiceName = keyof typeof ServiceParameters;
export type ParametersOf<N extends ServiceName> = Static<(typeof ServiceParameters)[N]>;
