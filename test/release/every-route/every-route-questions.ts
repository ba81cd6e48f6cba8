/** Questions for the routes of a description: right in all but what they are about. */
import fc from "fast-check";
import { type Asked, type Known, percent } from "./every-route-asked.js";
import { nastyBodies } from "./every-route-bodies.js";
import type { RequestDescription, Route } from "./every-route-document.js";
import { changedAt, fitting, placesOf, shownPlace, smallest } from "./every-route-generators.js";
import { contentTypes, nastyHeaders, nastyJson, nastyTexts } from "./every-route-values.js";

const nearlyPlugins = [
  "Reporter ",
  " oex",
  "Reporter\u0000",
  "oex.",
  "Reporter/x",
  "\u200bReporter",
  "Re porter",
];
/** Shows instead of a value that is no JSON, or not only of one meaning. */
const marker = "\u0001here\u0001";

const chance = <T>(seldom: fc.Arbitrary<T>, often: fc.Arbitrary<T>, weight = 4): fc.Arbitrary<T> =>
  fc.oneof({ weight: 1, arbitrary: seldom }, { weight, arbitrary: often });

/** Questions of which everything that is chosen comes of a seed. */
export class Questions {
  constructor(
    private readonly description: RequestDescription,
    private readonly known: Known,
    private readonly seed: number,
  ) {}

  /** Right in every way, as far as that can be told from the description; `values` replace parameters of the path. */
  right(route: Route, values: Readonly<Record<string, string>> = {}): Asked {
    const { operation, parameters } = route;
    const query = parameters.filter((each) => each.in === "query" && each.required);
    const target = this.target(
      route,
      values,
      query.map(({ name }) => [name, this.value(route, name)]),
    );
    return {
      method: operation.method,
      target,
      route,
      headers: [...this.keyHeader(), ...this.typeHeader(route)],
      ...this.rightBody(route),
    };
  }

  /** Requests of which one field is wrong. */
  mistakes(route: Route, count: number): Asked[] {
    const found = [...this.queryMistakes(route, count), ...this.bodyMistakes(route, count)];
    return found.slice(0, 2 * count);
  }

  /** Requests with anything anywhere. */
  random(route: Route, count: number): Asked[] {
    const ofPath = route.parameters.filter((each) => each.in === "path");
    const ofQuery = route.parameters.filter((each) => each.in === "query");
    const names = chance(
      fc.constantFrom("__proto__", "a[b]", "sessionId", "locale", "x"),
      fc.constantFrom(...ofQuery.map(({ name }) => name), "y"),
      5,
    );
    const arbitrary = fc.record({
      values: fc.record(Object.fromEntries(ofPath.map(({ name }) => [name, this.pathValue(route, name)]))),
      query: fc.array(
        fc.tuple(names, chance(fc.constant(this.known.sessionId), fc.constantFrom(...nastyTexts))),
        {
          maxLength: 3,
        },
      ),
      header: fc.option(fc.constantFrom(...nastyHeaders), { freq: 3 }),
      type: chance(fc.constantFrom(...contentTypes), fc.constant(undefined), 9),
      keyless: fc.nat(20).map((number) => number === 0),
      body: this.anyBody(route),
    });
    return this.sample(arbitrary, route, count).map(
      ({ values, query, header, type, keyless, body }): Asked => {
        const isSent = body !== undefined && route.operation.method !== "GET";
        return {
          method: route.operation.method,
          target: this.target(route, values, query),
          route,
          headers: [
            ...(keyless || header?.[0] === "Authorization" ? [] : this.keyHeader()),
            ...(header === null ? [] : [header]),
            ...(type === undefined ? this.typeHeader(route) : [["Content-Type", type] as const]),
          ],
          ...(isSent && { body }),
        };
      },
    );
  }

  keyHeader(key = this.known.key): (readonly [string, string])[] {
    return [["Authorization", `Bearer ${key}`]];
  }

  private queryMistakes(route: Route, count: number): Asked[] {
    const query = route.parameters.filter((each) => each.in === "query");
    const found = query.flatMap(({ name, schema }) =>
      nastyTexts
        .filter((text) => !this.description.fits(schema, text, true))
        .map((text): Asked => this.wrongQuery(route, name, [text])),
    );
    const twice = query
      .filter(({ schema }) => !this.description.fits(schema, ["1", "1"], true))
      .map(({ name }) => this.wrongQuery(route, name, ["1", "1"]));
    return [...twice, ...this.chosen(found, route, count)];
  }

  private wrongQuery(route: Route, name: string, values: readonly string[]): Asked {
    const right = this.right(route);
    const others = route.parameters.filter(
      (each) => each.in === "query" && each.required && each.name !== name,
    );
    const pairs = [
      ...others.map((each): [string, string] => [each.name, this.value(route, each.name)]),
      ...values.map((value): [string, string] => [name, value]),
    ];
    return { ...right, target: this.target(route, {}, pairs), wrongAt: `query.${name}` };
  }

  private bodyMistakes(route: Route, count: number): Asked[] {
    const { body: schema } = route;
    const places = schema === undefined ? [] : placesOf(this.description, schema);
    if (schema === undefined || places.length === 0) return [];
    const root = /^(openSession|replaceProject)/.test(route.operation.id) ? "project" : "body";
    const right = smallest(this.description, schema, { ...this.known });
    const pairs = fc.tuple(fc.constantFrom(...places), fc.constantFrom(...nastyJson));
    const wrong = this.sample(pairs, route, 4 * count).filter(
      // A body with such a name is refused as a whole.
      ([place, text]) =>
        !text.includes('"__proto__":') &&
        !this.description.fits(place.schema, JSON.parse(text)) &&
        // To plugins, it says that the member is not there.
        !(text === "null" && place.isOptional && route.isOfPlugin),
    );
    return wrong.slice(0, count).map(([{ path }, text]): Asked => {
      const changed = JSON.stringify(changedAt(this.description, schema, right, path, marker));
      const body = changed.replace(JSON.stringify(marker), () => text);
      return { ...this.right(route), body, wrongAt: shownPlace(root, path) };
    });
  }

  private anyBody(route: Route): fc.Arbitrary<string | Uint8Array | undefined> {
    const { body: schema } = route;
    const nonsense = fc.constantFrom(...nastyBodies);
    if (schema === undefined)
      return chance<string | Uint8Array | undefined>(nonsense, fc.constant(undefined));
    const places = placesOf(this.description, schema);
    const right = smallest(this.description, schema, { ...this.known });
    const changes = fc.array(
      fc.tuple(
        fc.constantFrom(...places, { path: ["__proto__"], schema: {} }),
        fc.constantFrom(...nastyJson),
      ),
      { minLength: 1, maxLength: 4 },
    );
    const changed = changes.map((each) =>
      each.reduce((text, [{ path }, value]) => {
        const before: unknown = parsedOr(text, right);
        const after = JSON.stringify(changedAt(this.description, schema, before, path, marker));
        return after.replace(JSON.stringify(marker), () => value);
      }, JSON.stringify(right)),
    );
    const fits = fitting(this.description, schema).map((value) => JSON.stringify(value) ?? "");
    return fc.oneof(
      { weight: 5, arbitrary: changed },
      { weight: 2, arbitrary: fits },
      { weight: 1, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: nonsense },
    );
  }

  /** What changes plugins never gets the name of one. */
  private pathValue(route: Route, name: string): fc.Arbitrary<string> {
    const nasty = fc.constantFrom(...nastyTexts.filter((text) => text !== ""));
    if (name === "plugin") return chance(fc.constantFrom(...nearlyPlugins), nasty, 1);
    const near = fc.constantFrom(
      this.value(route, name).toUpperCase(),
      `${this.value(route, name)} `,
      `${this.value(route, name)}/`,
      this.value(route, name).slice(0, -1),
    );
    if (route.operation.id === "closeSession") return chance(fc.uuid(), nasty, 1);
    return fc.oneof(nasty, near, fc.constant(this.value(route, name)), fc.uuid());
  }

  private value(route: Route, name: string): string {
    const { operation } = route;
    if (name === "sessionId" && operation.id === "closeSession")
      return "00000000-0000-4000-8000-000000000000";
    if (name === "sessionId")
      return operation.method === "PUT" ? this.known.otherSessionId : this.known.sessionId;
    if (name === "templateKey") return this.known.templateKey;
    if (name === "plugin") return operation.method === "GET" ? "Reporter" : "nobody";
    // Valid, and of no asset.
    if (name === "sha256") return "0".repeat(64);
    return "x";
  }

  private target(
    route: Route,
    values: Readonly<Record<string, string>>,
    query: readonly (readonly [string, string])[],
  ): string {
    const path = route.operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      percent(values[name] ?? this.value(route, name)),
    );
    const pairs = query.map(([name, value]) => `${percent(name)}=${percent(value)}`).join("&");
    return pairs === "" ? path : `${path}?${pairs}`;
  }

  private typeHeader({ takes }: Route): (readonly [string, string])[] {
    const [first] = takes;
    if (first === undefined) return [];
    return [["Content-Type", takes.includes("application/json") ? "application/json" : first]];
  }

  private rightBody({ body, takes }: Route): { body?: string } {
    if (body !== undefined)
      return { body: JSON.stringify(smallest(this.description, body, { ...this.known })) };
    return takes.length === 0 ? {} : { body: "no archive" };
  }

  private chosen<T>(all: readonly T[], route: Route, count: number): T[] {
    if (all.length <= count) return [...all];
    return this.sample(
      fc.shuffledSubarray([...all], { minLength: count, maxLength: count }),
      route,
      1,
    ).flat();
  }

  /** The same for the same seed. */
  private sample<T>(arbitrary: fc.Arbitrary<T>, { operation: { id } }: Route, count: number): T[] {
    const own = [...id].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) | 0, this.seed);
    return fc.sample(arbitrary, { seed: own, numRuns: count });
  }
}

function parsedOr(text: string, fallback: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fallback;
  }
}
