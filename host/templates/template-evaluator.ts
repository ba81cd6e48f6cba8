/** Evaluates the source of a template function: in a compartment, or unprotected where that is permitted. */
import { Script } from "node:vm";

/** Called with the parameters of `compileTemplateFile`. */
export type TemplateFunction = (...parameters: unknown[]) => unknown;

export type Evaluate = (source: string) => TemplateFunction;

/** All other globals of a compartment are removed: those that evaluate code or allocate memory outside the heap. */
export const allowedGlobals: ReadonlySet<PropertyKey> = new Set([
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

/** One compartment for the files of one template; its globals are frozen, as are all intrinsics after `lockdown`. */
export function compartmentEvaluator(): Evaluate {
  const compartment = new Compartment();
  const globals = compartment.globalThis;
  for (const name of Reflect.ownKeys(globals)) {
    if (!allowedGlobals.has(name)) Reflect.deleteProperty(globals, name);
  }
  Object.freeze(globals);
  return (source) => asFunction(compartment.evaluate(source));
}

/** Evaluates with the globals of the process. */
export function unprotectedEvaluator(): Evaluate {
  return (source) => asFunction(new Script(source, { filename: "template" }).runInThisContext());
}

function asFunction(value: unknown): TemplateFunction {
  if (typeof value !== "function") throw new TypeError("The source of a template is not a function.");
  return (...parameters) => Reflect.apply(value, undefined, parameters);
}
