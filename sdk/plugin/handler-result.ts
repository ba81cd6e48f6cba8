/** Types of what handlers return, derived from the schemas of routes and service methods. */
import type { Static, TSchema } from "../schema/schema.js";
import type { Reply } from "./reply.js";

/**
 * What a handler may return for a schema: its value type with read-only lists and members, dates for texts, and
 * undefined for optional members, which JSON leaves out. Anything without a schema.
 */
export type ResultOf<S> = S extends TSchema ? Returned<Static<S>> : unknown;

/** Any value as handlers may return it; see `ResultOf`. */
export type Returned<V> = V extends readonly (infer Element)[]
  ? readonly Returned<Element>[]
  : V extends object
    ? { readonly [Name in keyof V]: Returned<V[Name]> | (object extends Pick<V, Name> ? undefined : never) }
    : string extends V
      ? V | Date
      : V;

/**
 * An error for the handler of an object type with a member that its schema `S` does not name, anywhere in the result
 * `T`; the error names the member. `What` is the schema's name, such as "response". TypeScript itself does not report
 * surplus members of inferred results.
 */
export type WithoutSurplus<S, T, What extends string> = S extends TSchema
  ? [SurplusIn<Exclude<Awaited<T>, Reply>, Static<S>>] extends [never]
    ? unknown
    : { handler: `not in the ${What} schema: ${SurplusIn<Exclude<Awaited<T>, Reply>, Static<S>>}` }
  : unknown;

/** The paths of the members of `T` that no form of `V` has; never if there are none. */
export type SurplusIn<T, V, Path extends string = ""> = unknown extends V | T
  ? never
  : T extends readonly (infer Element)[]
    ? SurplusIn<Element, ElementOf<V>, `${Path}[]`>
    : T extends Date
      ? never
      : T extends object
        ? { [Name in keyof T & string]: SurplusAt<T, V, Name, Path> }[keyof T & string]
        : never;

/** The path of a member if no form of `V` has it, else the surplus paths inside it. */
export type SurplusAt<T, V, Name extends keyof T & string, Path extends string> =
  Name extends NamesOf<V>
    ? SurplusIn<T[Name], MemberOf<V, Name>, MemberPath<Path, Name>>
    : MemberPath<Path, Name>;

/** The path of a member. */
export type MemberPath<Path extends string, Name extends string> = Path extends "" ? Name : `${Path}.${Name}`;

/** The names of the members of all forms of a union. */
export type NamesOf<V> = V extends unknown ? keyof V : never;
/** The value of a member in all forms of a union that have it. */
export type MemberOf<V, Name> = V extends unknown ? (Name extends keyof V ? V[Name] : never) : never;
/** The elements of all lists among the forms of a union. */
export type ElementOf<V> = V extends readonly (infer Element)[] ? Element : never;

/** Type of an input without a schema; the error for using it names the schema that is missing. */
export interface NoSchema<What extends string> {
  /** Never there: add the schema to the options of the route. */
  readonly [missingSchema]: `the route has no ${What} schema`;
}
declare const missingSchema: unique symbol;

/** The parameters that a path such as "items/:number" names, as texts. */
export type PathParameters<Path extends string> = string extends Path
  ? Record<string, string>
  : { [Name in ParameterName<Path>]: string };

/** The names of the parameters of a path. */
export type ParameterName<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? ParameterName<Segment> | ParameterName<Rest>
  : Path extends `:${infer Name}`
    ? Name
    : never;
