/** Projects and requests for the tests of sessions. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { checked, type Static, Type, Validator } from "@slipway/sdk";
import { repository } from "../start-host.js";

const SessionAnswer = Type.Object({
  sessionId: Type.String({ format: "uuid" }),
  locale: Type.String(),
  expiresAt: Type.String({ format: "date-time" }),
  revision: Type.Integer(),
  warnings: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
  project: Type.Object({
    id: Type.String(),
    name: Type.String(),
    items: Type.Integer(),
    articles: Type.Integer(),
  }),
});
export type SessionAnswer = Static<typeof SessionAnswer>;

const checkSession = new Validator().compile(SessionAnswer, "answer");

/** The answer as a session; fails with its text when it is none. */
export async function session(response: Response): Promise<SessionAnswer> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return checked(checkSession(JSON.parse(text)), "The answer is no session");
}

const checkViolations = new Validator().compile(
  Type.Object({
    code: Type.Literal(400),
    additionalInformation: Type.Object({ violations: Type.Array(Type.Object({ path: Type.String() })) }),
  }),
  "answer",
);

/** What a 400 names, sorted. */
export async function violatedPaths(response: Response): Promise<string[]> {
  const error = checked(checkViolations(await response.json()), "The answer is no error");
  return error.additionalInformation.violations.map((violation) => violation.path).sort();
}

export function demoFile(ending: "json" | "obk" | "obx"): Promise<Buffer> {
  return readFile(join(repository, "config", "demo", `demo-project.${ending}`));
}

export const articleId = "11111111-1111-4111-8111-111111111111";
export const viewId = "22222222-2222-4222-8222-222222222222";

/** One pixel, PNG. */
export const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export function article(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: "userArticle",
    id: articleId,
    quantity: { value: "2", unit: "C62" },
    articleNumber: "A-1",
    productPrices: [],
    ...changes,
  };
}

/** The smallest project with an article, a view and a picture. */
export function project(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    formatVersion: "1",
    id: "33333333-3333-4333-8333-333333333333",
    header: { name: "Small" },
    settings: {
      languages: ["en"],
      currency: "EUR",
      referenceCurrency: "EUR",
      exchangeRates: {},
      rounding: { halfWay: "even", interval: "0.01" },
    },
    items: [article({ images: [{ tag: "main", asset: "picture" }] })],
    assets: { picture: { mediaType: "image/png", base64: pixel } },
    ...changes,
  };
}

export function view(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: viewId,
    name: "List",
    displayMode: "sorted",
    mergeMode: "None",
    setArticleMode: "Expand",
    showTexts: true,
    showNonOffer: true,
    showNonOrder: true,
    hiddenDiscounts: false,
    expand: [],
    items: [],
    ...changes,
  };
}
