import { type Host, type Route, route, type TSchema, Type } from "@slipway/sdk";

const Greeting = Type.Object({ text: Type.String() });

/** What a plugin asks its host for. */
export const hostRoutes = (host: Host): Route[] => {
  const greeter = host.service("Greeting@^2.0.0", "greeter");
  const calling = (path: string, method: string, input: unknown, output: TSchema = Type.Unknown()): Route =>
    route.get(`services/${path}`, {
      summary: `Calls ${method}.`,
      session: "optional",
      handler: async () => ({ ...(await greeter.call(method, input, output)) }),
    });
  const asking = (path: string, plugin: string, service: string): Route =>
    route.get(`services/${path}`, {
      summary: `Asks ${plugin}.`,
      handler: () => host.service(plugin, service).call("greet", { name: "Ada" }, Greeting),
    });
  return [
    calling("greet", "greet", { name: "Ada" }, Greeting),
    calling("wrong-input", "greet", { name: "", times: 1.5 }),
    calling("wrong-output", "greet", { name: "Ada" }, Type.Object({ texts: Type.Array(Type.String()) })),
    calling("refuse", "refuse", undefined),
    calling("fail", "fail", undefined),
    calling("lie", "lie", undefined),
    calling("wait", "wait", undefined),
    calling("project", "project", undefined),
    calling("around", "around", undefined),
    calling("no-method", "sing", undefined),
    asking("by-alias", "hello", "greeter"),
    asking("no-plugin", "Nobody", "greeter"),
    asking("no-version", "Greeting@^3.0.0", "greeter"),
    asking("no-service", "Greeting", "singer"),
    asking("no-range", "Greeting@new", "greeter"),
    route.get("services/file", {
      summary: "Packs a file that a service made.",
      handler: async () => {
        const File = Type.Object({
          id: Type.String(),
          name: Type.String(),
          url: Type.String(),
          bytes: Type.Integer(),
        });
        const { value } = await greeter.call("file", undefined, File);
        return host.files.archive({ name: "packed.zip", files: [{ file: value }] });
      },
    }),
    route.get("suppresses-foreign", {
      summary: "Hands on what a service suppressed.",
      handler: async ({ suppress }) => {
        const { value, errors } = await greeter.call("greet", { name: "Ada" }, Greeting);
        for (const error of errors) suppress(error);
        return value;
      },
    }),
    route.post("store", {
      summary: "Writes and reads values, one step after the other.",
      body: Type.Object({
        steps: Type.Array(
          Type.Object({
            step: Type.Enum(["get", "set", "delete", "keys"]),
            key: Type.String({ default: "a" }),
            value: Type.Optional(Type.Unknown()),
            expects: Type.Optional(Type.Enum(["nothing", "latest", "other"])),
          }),
        ),
      }),
      async handler({ body }) {
        const results: unknown[] = [];
        let latest = "";
        for (const { step, key, value, expects } of body.steps) {
          const revisions = { nothing: null, latest, other: "0" };
          const expected = expects === undefined ? {} : { revision: revisions[expects] };
          if (step === "set") {
            const { revision } = await host.store.set(key, value, expected);
            results.push(revision === latest ? "the same revision" : "written");
            latest = revision;
          } else if (step === "delete") results.push(await host.store.delete(key, expected));
          else if (step === "keys") results.push(await host.store.keys(key));
          else {
            const found = await host.store.get(key, Type.Object({ count: Type.Integer() }));
            latest = found?.revision ?? "";
            results.push(found?.value ?? null);
          }
        }
        return { results };
      },
    }),
    route.post("fetch", {
      summary: "Asks another server.",
      body: Type.Object({ url: Type.String() }),
      handler: async ({ body }) => ({ status: (await host.fetch(body.url)).status }),
    }),
    route.get("procedures/:name", {
      summary: "A pricing procedure.",
      handler: async ({ params }) => ({
        lines: (await host.procedures.find(params["name"] ?? ""))?.lines.length ?? "none",
      }),
    }),
    route.get("template/:key", {
      summary: "A template.",
      handler: async ({ params, locale }) => ({
        found: (await host.templates.find({ key: params["key"] ?? "", locale })) !== undefined,
        listed: (await host.templates.list({ locale })).length,
        store: await host.templates.listStore({ locale }),
      }),
    }),
  ];
};
