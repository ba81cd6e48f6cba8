/** Places where one report could leave something for the next one in the same process. */
export interface Channel {
  /** Statements of the first report. */
  write: string;
  /** An expression of the second, which is "leak" where the first one got through. */
  read: string;
  works: boolean;
}

/** A property of something that both reports have. */
function property(holder: string, works = true): Channel {
  // A name of its own: what one leaves with the prototype of objects is not taken for the other's.
  const name = `of${holder.replace(/\W/g, "_")}`;
  return { write: `${holder}.${name} = "leak";`, read: `${holder}.${name}`, works };
}

/** A property of something that every report has for itself, or that is frozen everywhere. */
function own(holder: string): Channel {
  return property(holder, false);
}

export const channels: Record<string, Channel> = {
  "the global object": property("globalThis"),
  "an undeclared variable": { write: 'undeclared = "leak";', read: "undeclared", works: false },
  "the prototype of objects": property("Object.prototype"),
  "the prototype of functions": property("Function.prototype"),
  "the prototype of async functions": property("Object.getPrototypeOf(async () => {})"),
  "the prototype of generators": property("Object.getPrototypeOf(function* () {}).prototype"),
  "the prototype of array iterators": property("Object.getPrototypeOf([][Symbol.iterator]())"),
  "the prototype of promises": property("Object.getPrototypeOf((async () => {})())"),
  "the names that with leaves out": property("Array.prototype[Symbol.unscopables]"),
  Math: property("Math"),
  JSON: property("JSON"),
  "the getter of __proto__": property('({}).__lookupGetter__("__proto__")'),
  "a method of all texts": property('"".trim'),
  "the latest match of a pattern": { write: '/(leak)/.exec("leak");', read: "RegExp.$1", works: true },
  "the latest input of a pattern": { write: '/e/.exec("leak");', read: "RegExp.input", works: true },
  "the place of a pattern's next match": {
    write: '/a/g.test("aa"); RegExp.prototype.lastIndex = "leak";',
    read: "RegExp.prototype.lastIndex",
    works: true,
  },
  "the length of stacks": {
    write: "Error.stackTraceLimit = 7;",
    read: 'Error.stackTraceLimit === 7 ? "leak" : ""',
    works: true,
  },
  "how stacks are written": {
    write: 'Error.prepareStackTrace = () => "leak";',
    read: "(() => { try { return new Error().stack; } finally { delete Error.prepareStackTrace; } })()",
    works: true,
  },
  "the registry of symbols": own('Symbol.for("leak")'),
  "a symbol's description": {
    write: 'Symbol.for("x").description = "leak";',
    read: 'Symbol.for("x").description',
    works: false,
  },
  "the texts of a tag": own("((texts) => texts)`x`"),
  "a pattern in the text": own("/x/g"),
  "the helpers": own("d"),
  "a helper": own("d.money"),
  "what a helper gives": own('d.lines("x")'),
  "the data": own("d.data"),
  include: own("include"),
  "the escape function": own("escapeFn"),
  "the function for errors": own("rethrow"),
  "an error of a helper": own('(() => { try { d.asset("x"); } catch (error) { return error; } })()'),
  "a missing translation": { write: 'd.t("leak");', read: 'd.t("x")', works: false },
  "the output": { write: '__output = "leak";', read: "__output", works: false },
  "a format that is kept": {
    write: 'd.number("1", { minimumFractionDigits: { valueOf() { return 3; } } });',
    read: 'd.number("1") === "1" ? "" : "leak"',
    works: false,
  },
};
