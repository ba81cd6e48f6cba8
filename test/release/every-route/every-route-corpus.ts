/** Requests that are wrong in known ways: bodies, headers, methods, paths, and HTTP itself. */
import type { Asked } from "./every-route-asked.js";
import { largeBodies, nastyBodies, packedBodies } from "./every-route-bodies.js";
import type { Route } from "./every-route-document.js";
import type { Questions } from "./every-route-questions.js";
import { contentTypes, nastyHeaders } from "./every-route-values.js";

type Header = readonly [string, string];

/** Everything that can be wrong with a body, for each route that takes one. */
export function wrongBodies(questions: Questions, routes: readonly Route[]): Asked[] {
  return routes
    .filter(({ takes }) => takes.length > 0)
    .flatMap((route): Asked[] => {
      const right = questions.right(route);
      const others = withoutType(right);
      return [
        ...[...nastyBodies, ...largeBodies].map((body) => ({ ...right, body })),
        ...contentTypes.map((type) => ({ ...right, headers: [...others, ["Content-Type", type] as const] })),
        { ...right, headers: others },
        ...packedBodies.map(({ encoding, body }) => ({
          ...right,
          headers: [...(right.headers ?? []), ["Content-Encoding", encoding] as const],
          body,
        })),
        ...lengths(right),
      ].map((question) => unharmed(question));
    });
}

/** Bodies of another length than they say; who sends less than that and waits is told so after a while. */
function lengths(right: Asked): Asked[] {
  const withHeaders = (...headers: Header[]): Asked => ({
    ...right,
    headers: [...(right.headers ?? []), ...headers],
  });
  return [
    { ...withHeaders(["Content-Length", "1000"]), leave: "end", mayClose: true, also: [400] },
    { ...withHeaders(["Content-Length", "1000"]), leave: "reset", mayClose: true },
    { ...withHeaders(["Content-Length", "1"]), mayClose: true },
    { ...withHeaders(["Content-Length", "99999999999"]), mayClose: true, only: [413, 415, 400] },
    {
      ...withHeaders(["Transfer-Encoding", "chunked"]),
      body: '5\r\n{"a":\r\n',
      leave: "end",
      mayClose: true,
    },
    {
      ...withHeaders(["Transfer-Encoding", "chunked"]),
      body: '5\r\n{"a":\r\n',
      leave: "reset",
      mayClose: true,
    },
    { ...withHeaders(["Transfer-Encoding", "chunked"]), body: "zz\r\n{}\r\n0\r\n\r\n", mayClose: true },
    { ...withHeaders(["Transfer-Encoding", "chunked"]), body: "2\r\n{}\r\n0\r\n\r\n" },
  ];
}

/** Headers that mean something, for each route. */
export function strangeHeaders(questions: Questions, routes: readonly Route[]): Asked[] {
  return routes.flatMap((route) => {
    const right = unharmed(questions.right(route));
    const long = `${right.target}${right.target.includes("?") ? "&" : "?"}y=${"x".repeat(9000)}`;
    const headers = nastyHeaders.map(([name, value]): Asked => {
      const others = (right.headers ?? []).filter(([each]) => each !== name);
      return { ...right, headers: [...others, [name, value]] };
    });
    return [
      ...headers,
      { ...right, target: long },
      { ...right, headers: [...(right.headers ?? []), ["Content-Length", "99999999999"]], mayClose: true },
    ];
  });
}

/** A right request that would print a report or change a plugin is about a template or plugin that there is not. */
function unharmed(question: Asked): Asked {
  const { route, target, body } = question;
  if (route === undefined || !/generate|export/.test(route.operation.path)) return question;
  const lost = target.replace(/\/template\/[^/]+\//, "/template/nothing/");
  const text = typeof body === "string" ? body : "";
  return {
    ...question,
    target: lost,
    body: text === "" ? (body ?? "") : text.replace(/"sessionId":"[^"]+"/, `"sessionId":"${nobody}"`),
  };
}

const nobody = "00000000-0000-4000-8000-000000000000";

function withoutType({ headers = [] }: Asked): Header[] {
  return headers.filter(([name]) => name !== "Content-Type");
}

const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND", "M-SEARCH"];

/** Each path with each method that the description does not have for it. */
export function otherMethods(questions: Questions, routes: readonly Route[]): Asked[] {
  const known = new Map<string, Set<string>>();
  const first = new Map<string, Asked>();
  for (const route of routes) {
    const { path, method } = route.operation;
    known.set(path, (known.get(path) ?? new Set()).add(method));
    if (!first.has(path)) first.set(path, questions.right(route));
  }
  return [...first].flatMap(([path, right]) =>
    methods
      .filter((method) => !known.get(path)?.has(method))
      .map((method): Asked => {
        const { route: _, ...others } = right;
        if (method === "HEAD" && known.get(path)?.has("GET")) return { ...right, method };
        const only = method === "OPTIONS" ? [200, 204, 404, 405] : [400, 404, 405];
        return { ...others, method, only };
      }),
  );
}

/** Ways to write a path that must not lead around a key: each is asked for without one. */
export function pathTricks(routes: readonly Route[]): Asked[] {
  return routes
    .filter(({ roles }) => roles.length > 0)
    .flatMap(({ operation: { path, method } }) => {
      const real = path.replaceAll(/\{\w+\}/g, "nothing");
      const first = real.slice(1, 2);
      const coded = `/%${first.charCodeAt(0).toString(16)}${real.slice(2)}`;
      const targets = [
        real,
        `${real}/`,
        `/${real}`,
        `//x${real}`,
        `/.${real}`,
        `/healthz/..${real}`,
        `/healthz%2f..${real}`,
        `/admin/..${real}`,
        `/docs/../${real}`,
        `${real};a=b`,
        `${real}%00`,
        `${real}%20`,
        `${real}?`,
        `${real}#x`,
        `${real}.json`,
        real.toUpperCase(),
        real.replaceAll("/", "\\"),
        real.replaceAll("/", "//"),
        `/${real.slice(1).replaceAll("/", "%2f")}`,
        coded,
        `/%25${coded.slice(2)}`,
        `/%c0%ae%c0%ae${real}`,
        `http://localhost${real}`,
        `http://evil.example${real}`,
        `https://user@localhost:1${real}`,
        `http://[${real}`,
        `ftp:${real}`,
        `${real}?_method=GET&key=x`,
        `?${real}`,
        `*${real}`,
      ];
      return targets.map(
        (target): Asked => ({ method, target, only: [400, 401, 404, 405, 414], mayClose: true }),
      );
    });
}

const nowhere = [
  "/",
  "//",
  "*",
  "/api",
  "/api/",
  "/api/nothing",
  "/EAIWS",
  "/EAIWS/plugins",
  "/EAIWS/plugins/",
  "/EAIWS/plugins/Reporter",
  "/EAIWS/plugins/Reporter/",
  "/EAIWS/plugins/nothing/x",
  "/EAIWS/plugins/__proto__/x",
  "/9.9/EAIWS/plugins/Reporter/templates.json",
  "/__proto__/EAIWS/plugins/constructor/toString",
  "/files",
  "/files/",
  "/files/x/y",
  `/files/${"a".repeat(32)}/x.pdf`,
  `/files/${"a".repeat(32)}/..%2f..%2f..%2fetc%2fpasswd`,
  `/files/${"../".repeat(20)}etc/passwd`,
  "/docs/nothing",
  "/docs/..%2fadmin.html",
  "/docs/swagger-ui/../../../package.json",
  "/docs/__proto__",
  "/admin/nothing",
  "/admin/../../package.json",
  "/admin/%2e%2e/%2e%2e/package.json",
  "/admin//etc/passwd",
  "/admin/constructor",
  "/preview",
  "/preview/",
  "/healthz/",
  "/healthz/x",
  "/readyz/..",
  "/metrics/",
  "/openapi.json/",
  "/openapi.yaml",
  "/.git/config",
  "/.env",
  "/keys.json",
  "/var/keys.json",
  "/package.json",
  "/%",
  "/%00",
  "/%E0%A4%A",
  "/%ff%fe",
  "/..%2f..%2fetc/passwd",
  "/ä/ö",
  `/${"a".repeat(7990)}`,
  `/${"a".repeat(9000)}`,
  `/${"a/".repeat(3500)}`,
  `/?${"a=b&".repeat(1900)}`,
];

/** Paths that lead nowhere, or to no page. */
export function nowherePaths(): Asked[] {
  return nowhere.flatMap((target) =>
    ["GET", "POST", "HEAD"].map(
      (method): Asked => ({
        method,
        target,
        only: [400, 401, 404, 405, 414],
        ...(method === "POST" && { body: "{}" }),
      }),
    ),
  );
}
