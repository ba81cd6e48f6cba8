/** Turns the source of a template function into the function: in a compartment, or unprotected where that is permitted. */
import { Script } from "node:vm";

/** Called with the parameters that `compileTemplateFile` names. */
export type TemplateFunction = (...parameters: unknown[]) => unknown;

export type Evaluate = (source: string) => TemplateFunction;

/** Everything else that a compartment has by itself is taken away: ways to evaluate, and memory outside the heap. */
const allowedGlobals: ReadonlySet<PropertyKey> = new Set([
  ...["Infinity", "NaN", "undefined", "isFinite", "isNaN", "parseFloat", "parseInt", "globalThis"],
  ...["decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent"],
  ...[
    "Array",
    "BigInt",
    "Boolean",
    "Date",
    "JSON",
    "Map",
    "Math",
    "Number",
    "Object",
    "RegExp",
    "Set",
    "String",
  ],
  ...["Symbol", "Error", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError"],
  Symbol.unscopables,
]);

/** One compartment for the files of one template: all intrinsics are frozen (after `lockdown`), and so are its globals. */
export function compartmentEvaluator(): Evaluate {
  const compartment = new Compartment();
  const globals = compartment.globalThis;
  for (const name of Reflect.ownKeys(globals)) {
    if (!allowedGlobals.has(name)) Reflect.deleteProperty(globals, name);
  }
  Object.freeze(globals);
  return (source) => asFunction(compartment.evaluate(source));
}

/** Sees what the process sees. */
export function unprotectedEvaluator(): Evaluate {
  return (source) => asFunction(new Script(source, { filename: "template" }).runInThisContext());
}

function asFunction(value: unknown): TemplateFunction {
  if (typeof value !== "function") throw new TypeError("The source of a template is not a function.");
  return (...parameters) => Reflect.apply(value, undefined, parameters);
}
