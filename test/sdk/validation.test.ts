import { badRequest, type Check, checked, RequestError, type TSchema, Type, Validator } from "@slipway/sdk";
import t from "tap";

t.test("a wrong value is answered with everything that is wrong", (t) => {
  const check = new Validator().compile(
    Type.Object(
      {
        name: Type.String(),
        count: Type.Integer({ minimum: 1, default: 3 }),
        kind: Type.Optional(Type.Enum(["before", "after"])),
        inner: Type.Optional(Type.Array(Type.Object({ value: Type.String({ format: "uuid" }) }))),
      },
      { additionalProperties: false },
    ),
    "body",
  );

  t.test("violations name the field, what was expected and what came", (t) => {
    const result = check({ count: 0, kind: "between", inner: [{ value: "x" }], extra: 1 });
    t.equal(result.ok, false);
    if (result.ok) return t.end();
    t.strictSame(result.violations.map(({ path }) => path).sort(), [
      "body.count",
      "body.extra",
      "body.inner[0].value",
      "body.kind",
      "body.name",
    ]);
    const kind = result.violations.find(({ path }) => path === "body.kind");
    t.strictSame(kind, { path: "body.kind", expected: 'one of "before", "after"', received: '"between"' });
    t.end();
  });

  t.test("a right value comes back with the defaults filled in", (t) => {
    t.strictSame(check({ name: "a" }), { ok: true, value: { name: "a", count: 3 } });
    t.end();
  });

  t.test("checked ends with one 400 that lists them", (t) => {
    try {
      checked(check({ name: 1, kind: "x" }), "Invalid body");
      t.fail("no error");
    } catch (error) {
      t.ok(error instanceof RequestError);
      if (!(error instanceof RequestError)) return t.end();
      const object = error.toObject();
      t.match(object, { code: 400, id: "request-bad-request", type: "request", cause: [], scopes: [] });
      t.match(object.message, /body\.name` must be a string, but is 1/);
      t.match(object.message, /body\.kind/);
    }
    t.end();
  });
  t.end();
});

t.test("of a union only the form that was meant is reported", (t) => {
  const shape = Type.Union([
    Type.Object({ type: Type.Literal("circle"), radius: Type.Number() }, { additionalProperties: false }),
    Type.Object({ type: Type.Literal("square"), side: Type.Number() }, { additionalProperties: false }),
  ]);
  const check = new Validator().compile(Type.Array(shape), "shapes");
  const result = check([{ type: "square", side: "wide" }]);
  t.strictSame(result.ok ? [] : result.violations, [
    { path: "shapes[0].side", expected: "a number", received: '"wide"' },
  ]);
  const unknown = check([{ type: "triangle" }, {}, "circle", { type: "circle", radius: 1, side: 2 }]);
  t.strictSame(unknown.ok ? [] : unknown.violations, [
    { path: "shapes[0].type", expected: 'one of "circle", "square"', received: '"triangle"' },
    { path: "shapes[1].type", expected: "a value", received: "nothing" },
    { path: "shapes[2]", expected: "an object", received: '"circle"' },
    { path: "shapes[3].side", expected: "no such field", received: "2" },
  ]);
  t.end();
});

t.test("of other unions the outermost is reported, with its forms where they can be told", (t) => {
  const expectation = (schema: TSchema, value: unknown): unknown => {
    const result = new Validator().compile(schema, "v")(value);
    return result.ok ? "nothing else" : result.violations.map(({ path, expected }) => `${path}: ${expected}`);
  };
  const size = Type.Union([Type.Integer(), Type.Null()]);
  t.strictSame(expectation(size, "big"), ["v: an integer or null"]);
  t.strictSame(expectation(Type.Union([Type.Literal("auto"), Type.Literal(0)]), 1), ['v: "auto" or 0']);
  const nested = Type.Union([Type.Object({ size }), Type.Array(size)]);
  t.strictSame(expectation(nested, { size: "big" }), ["v: one of the allowed forms"]);
  t.strictSame(expectation(Type.Object({ side: Type.Literal("left") }), { side: "up" }), ['v.side: "left"']);

  const circle = (more: object) => Type.Object({ type: Type.Literal("circle"), ...more });
  const twoCircles = Type.Union([circle({ radius: Type.Number() }), circle({ diameter: Type.Number() })]);
  t.strictSame(expectation(twoCircles, { type: "circle", diameter: 2 }), "nothing else", "names may repeat");
  const unnamed = Type.Object({ type: Type.Optional(Type.Literal("dot")) });
  t.strictSame(expectation(Type.Union([unnamed, circle({})]), {}), "nothing else", "a name may be left out");
  t.end();
});

t.test("no value is refused without a reason", (t) => {
  const Leaf = Type.Union([Type.Literal("a"), Type.Integer(), Type.Null()]);
  const Tree = Type.Cyclic(
    {
      Node: Type.Union([
        Type.Object({ kind: Type.Literal("leaf"), value: Leaf }, { additionalProperties: false }),
        Type.Object({ kind: Type.Literal("branch"), children: Type.Array(Type.Ref("Node")) }),
        Type.Object({ loose: Type.Union([Type.Ref("Node"), Leaf]) }),
      ]),
    },
    "Node",
  );
  const check = new Validator().compile(Tree, "tree");
  const values: unknown[] = ["a", "b", 1, 1.5, null, true, [], {}, { kind: "leaf" }, { kind: "branch" }];
  for (let round = 0; round < 2; round++) {
    for (const value of values.slice()) {
      values.push({ kind: "leaf", value }, { loose: value }, { kind: "branch", children: [value, 3] });
    }
  }
  let refused = 0;
  for (const value of values) {
    const result = check(structuredClone(value));
    if (result.ok) continue;
    refused++;
    if (result.violations.length === 0) t.fail(`no violation for ${JSON.stringify(value)}`);
  }
  t.ok(refused > 100 && refused < values.length, `${refused} of ${values.length} values are refused`);
  t.end();
});

t.test("what is nested deeper than anything real is refused before anything recurses into it", (t) => {
  const check = new Validator().compile(Type.Array(Type.Unknown()), "body");
  const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
  t.equal(check(nested(200)).ok, true);
  const refusal = [{ path: "body", expected: "at most 200 levels of nesting", received: "more" }];
  for (const levels of [201, 100_000])
    t.strictSame(check(nested(levels)), { ok: false, violations: refusal });
  t.end();
});

t.test("of a very large value the first mistake is told, of any other up to a thousand", (t) => {
  const check = new Validator().compile(Type.Array(Type.String()), "body");
  const mistakes = (count: number): string[] => {
    const result = check(Array.from({ length: count }, () => 1));
    return result.ok ? [] : result.violations.map(({ path }) => path);
  };
  t.equal(mistakes(900).length, 900);
  t.equal(mistakes(50_000).length, 1000);
  t.strictSame(mistakes(50_001), ["body[0]"]);
  t.end();
});

t.test("values shown to clients are shortened between characters", (t) => {
  const { message } = badRequest("Invalid", [{ path: "a", expected: "b", received: "c" }]);
  t.equal(message, "Invalid: `a` must be b, but is c.");
  const check = new Validator().compile(Type.Integer(), "body");
  const result = check("😀".repeat(300));
  t.ok(
    !result.ok &&
      [...(result.violations[0]?.received ?? "")].every((c) => c === "😀" || c === '"' || c === "…"),
  );
  t.end();
});

t.test("names shown to clients are shortened between characters, however long and deep they are", (t) => {
  const check = new Validator().compile(
    Type.Object(
      { deep: Type.Optional(Type.Record(Type.String(), Type.Unknown())) },
      { additionalProperties: false },
    ),
    "body",
  );
  const name = "😀".repeat(1_000_000);
  const refused = (value: unknown, of: Check<unknown> = check): RequestError => {
    try {
      checked<unknown>(of(value), "Invalid");
    } catch (error) {
      if (error instanceof RequestError) return error;
    }
    throw new Error("It was taken.");
  };
  t.equal(refused({ [name]: 1 }).message, `Invalid: \`body.${"😀".repeat(99)}…\` is not a known field.`);

  const numbers = Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer()));
  const nested = new Validator().compile(Type.Array(numbers), "body");
  t.equal(
    refused([{ [name]: { [`${name}/~`]: "x" } }], nested).message,
    `Invalid: \`body[0].${"😀".repeat(99)}….${"😀".repeat(99)}…\` must be an integer, but is "x".`,
  );

  const tree = Type.Cyclic(
    { Tree: Type.Union([Type.Integer(), Type.Record(Type.String(), Type.Ref("Tree"))]) },
    "Tree",
  );
  let value: unknown = "x";
  for (let depth = 0; depth < 100; depth++) value = { ["n".repeat(5000)]: value };
  t.ok(refused(value, new Validator().compile(tree, "body")).message.length < 10_000);
  t.end();
});

t.test("texts of a format can have limits", (t) => {
  const day = (limits: object) => new Validator().compile(Type.String({ format: "date", ...limits }), "day");
  const days = ["2025-12-31", "2026-01-01", "2026-01-02"];
  const fitting = (limits: object) =>
    days.filter((each) => day(limits)(each).ok).map((each) => each.slice(-2));
  t.strictSame(fitting({ formatMinimum: "2026-01-01" }), ["01", "02"]);
  t.strictSame(fitting({ formatMaximum: "2026-01-01" }), ["31", "01"]);
  t.strictSame(fitting({ formatExclusiveMinimum: "2026-01-01" }), ["02"]);
  t.strictSame(fitting({ formatExclusiveMaximum: "2026-01-01" }), ["31"]);
  t.match(day({ formatMinimum: "2026-01-01" })("2025-12-31"), {
    violations: [{ path: "day", expected: "a value that should be >= 2026-01-01" }],
  });
  t.throws(
    () => new Validator().compile(Type.String({ format: "uuid", formatMinimum: "1" }), "id"),
    /"uuid" has no order/,
  );
  t.end();
});
