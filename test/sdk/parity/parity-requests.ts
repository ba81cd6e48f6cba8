/** Requests that a host and a test host have to answer alike. */

/** Sessions that requests may name. */
export interface ParitySessions {
  office: string;
}

export interface ParityRequest {
  method?: string;
  path: string;
  body?: unknown;
  /** Ends only when its time is over. */
  waits?: true;
  /** Not beside others, because it changes what they would read. */
  alone?: true;
}

const unknown = "11111111-2222-4333-8444-555555555555";

export const parityRequests = ({ office }: ParitySessions): ParityRequest[] => [
  // What there is, and what there is not.
  ...["text", "json", "list", "word", "null", "nothing", "good-answer", "broken-answer"].map((path) => ({
    path,
  })),
  ...["headers", "foreign-header", "identity", "config"].map((path) => ({ path })),
  ...[
    "items/list",
    "items/7",
    "items/a%20b%2Fc",
    "items/%C3%A4",
    "items/%ZZ",
    "items/",
    "items",
    "items//parts/1",
  ].map((path) => ({ path })),
  ...[
    "items/1/parts/2",
    "items/1/parts/2/",
    "Text",
    "text/",
    "unknown",
    "un/known?a=b",
    "json?unknown=1",
  ].map((path) => ({ path })),
  ...["HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH"].flatMap((method) => [
    { method, path: "text" },
    { method, path: "items/7" },
    { method, path: "items/list" },
    { method, path: "nowhere" },
  ]),
  { method: "HEAD", path: "throws" },

  // Path and query.
  ...["numbers/3", "numbers/10", "numbers/three", "numbers/1.5", "numbers/%20"].map((path) => ({ path })),
  ...[
    "search",
    "search?count=3&exact=true",
    "search?count=0",
    "search?count=many&exact=perhaps&other=1",
    "search?words=a&words=b",
    "search?words=a",
    "search?count=1&count=2",
    "search?count=",
    "search?exact=1",
  ].map((path) => ({ path })),

  // Bodies.
  ...[
    { name: "Ada" },
    { name: "Ada", count: 4, lines: [{ price: 1.5 }] },
    { name: "A", count: "4", lines: [{ price: "1" }, {}], more: true },
    {},
    [],
    [1],
    null,
    5,
    "Ada",
    undefined,
  ].map((body) => ({ method: "POST", path: "order", body })),
  ...[
    {
      name: "Ada",
      count: null,
      comment: null,
      nullable: null,
      anything: null,
      choice: null,
      data: { a: null },
    },
    { name: null },
    { name: "Ada", inner: { name: null }, list: [{ price: 1, unit: null }, null], other: null },
  ].map((body) => ({ method: "POST", path: "members", body })),
  { method: "POST", path: "order/", body: { name: "Ada", count: null } },
  { method: "POST", path: "order//", body: { name: "Ada" } },
  { method: "PUT", path: "members/", body: { any: null } },
  { method: "PUT", path: "order/1", body: { any: "thing" } },
  { method: "PUT", path: "order/1" },
  { method: "DELETE", path: "items/1", body: { ignored: true } },

  // Errors.
  ...["throws", "throws-text", "refuses", "unavailable", "no-status", "unfit-error", "bad-request"].map(
    (path) => ({
      path,
    }),
  ),
  ...["suppressed", "suppressed-in-list", "suppresses-foreign"].map((path) => ({ path })),
  { path: "waits", waits: true },

  // Sessions.
  ...[
    { sessionId: office },
    { sessionId: office.toUpperCase() },
    { sessionId: office, count: "x" },
    { sessionId: unknown },
    { sessionId: "office" },
    { sessionId: null },
    { sessionId: 5, count: "x" },
    {},
    undefined,
  ].flatMap((body) =>
    ["session", "optional-session", "frozen"].map((path) => ({ method: "POST", path, body })),
  ),
  { method: "POST", path: `session?sessionId=${office}`, body: {} },
  { method: "POST", path: `session?sessionId=${office}`, body: { sessionId: office } },
  { method: "POST", path: `session?sessionId=${unknown}`, body: { sessionId: office } },
  ...["session", "optional-session"].map((path) => ({
    method: "POST",
    path: `${path}?sessionId=${office}`,
    body: { sessionId: null },
  })),
  { path: `session?sessionId=${office}` },
  { path: `session?sessionId=${office}&sessionId=${office}` },
  { path: "session?sessionId=1" },
  { path: "session" },
  ...["first", "second"].map((key) => ({ path: `asset/${key}?sessionId=${office}` })),

  // Files.
  ...["files/text", "files/bytes", "files/pieces", "files/wrong", "files/none"].map((path) => ({ path })),
  ...["large-file", "broken-file", "archive", "foreign-archive"].map((path) => ({ path })),

  // Stored values.
  ...[
    [{ step: "get" }, { step: "set", value: { count: 1 } }, { step: "get" }],
    [{ step: "get" }, { step: "set", value: { count: 2 }, expects: "latest" }, { step: "get" }],
    [{ step: "set", value: { count: 3 }, expects: "other" }],
    [{ step: "set", value: { count: 3 }, expects: "nothing" }],
    [{ step: "set", key: "orders/1:ä", value: 1 }],
    [{ step: "set", key: "" }],
    [
      { step: "set", key: "text", value: "no object" },
      { step: "get", key: "text" },
    ],
    [{ step: "set", key: "none" }],
    [{ step: "set", key: "large", value: "ä".repeat(40_000) }],
    [
      { step: "keys", key: "" },
      { step: "delete", key: "text" },
      { step: "delete", key: "text" },
    ],
    [{ step: "delete", expects: "other" }],
    [
      { step: "set", key: "b/2", value: 1 },
      { step: "set", key: "b/1", value: 1 },
      { step: "keys", key: "b/" },
    ],
  ].map((steps) => ({ method: "POST", path: "store", body: { steps }, alone: true as const })),

  // Replies that are not JSON.
  ...["replies/file", "replies/foreign-file", "replies/html"].map((path) => ({ path })),
  { method: "HEAD", path: "replies/file" },
  ...["../hello", "https://example.com/a?b=c#d", "javascript:alert(1)", "/a b", "//[", ""].map((to) => ({
    path: `replies/redirect?to=${encodeURIComponent(to)}`,
  })),
  ...["a.txt", "../a/b:c.txt", " .hidden. ", "", "ä\u0000\u202e.txt", "x".repeat(300), "x".repeat(2000)].map(
    (name) => ({
      method: "POST",
      path: "named-file",
      body: { name },
    }),
  ),
  { method: "POST", path: "named-file", body: { name: "a", mediaType: "no type" } },

  // Files that the plugin brings.
  ...[
    "",
    "/text/assets%2Fgreeting.txt",
    "/text/notes.txt",
    "/text/assets%2Fnested%2Fbinary.bin",
    "/bytes/assets%2Fnested%2Fbinary.bin",
    "/bytes/assets%2Fgreeting.txt",
    "/url/assets%2Fdot.png",
    "/url/assets%2Fgreeting.txt",
    "/text/greeting.txt",
    "/text/assets%2Fgreting.txt",
    "/text/nothing%20like%20it",
    "/text/index.ts",
    "/bytes/..%2Fgreeting%2Fpackage.json",
    "/url/assets",
  ].map((rest) => ({ path: `brought${rest}` })),

  // Services, and what else a host offers.
  ...[
    "greet",
    "wrong-input",
    "wrong-output",
    "refuse",
    "fail",
    "lie",
    "project",
    "around",
    "no-method",
    "file",
  ].map((name) => ({ path: `services/${name}` })),
  ...["by-alias", "no-plugin", "no-version", "no-service", "no-range"].map((name) => ({
    path: `services/${name}`,
  })),
  { path: "services/wait", waits: true },
  ...["greet", "project"].map((name) => ({ path: `services/${name}?sessionId=${office}` })),
  ...["https://example.org/", "ftp://example.org/", "no link"].map((url) => ({
    method: "POST",
    path: "fetch",
    body: { url },
  })),
  ...["procedures/STDB2B_WBK", "procedures/NONE", "template/none"].map((path) => ({ path })),
];
