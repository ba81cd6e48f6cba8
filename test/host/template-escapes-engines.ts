/** Ways out that were found in Node's vm, in vm2 and in SES, and what of the engine runs code at odd moments. */
import { isKnownToEngine } from "../engine-message.js";
import type { Escape } from "./template-escapes.js";

const make = '.constructor("return process")()';

/** Something that the template must not have at all. */
function present(code: string): Escape {
  return { code: `${code}.constructor${make}`, works: true };
}

/** A dynamic import that runs at all has left: what it gives comes later. Newer engines know more kinds of it. */
function imports(code: string): Escape {
  const report = `(() => { const loading = ${code}; return loading && { pid: 1 }; })()`;
  return { code: report, works: isKnownToEngine(report) };
}

/** Puts `process` where a later report looks. */
function later(code: string, works = true): Escape {
  return { code: `(() => { ${code}; return undefined; })()`, works, later: true };
}

export const engineEscapes: Record<string, Escape> = {
  "CVE-2022-36067: an Error of one's own with prepareStackTrace": {
    code: `(() => {
      const Original = Error;
      try {
        globalThis.Error = {};
        globalThis.Error.prepareStackTrace = (_, frames) =>
          frames.map((frame) => frame.getThis()).find((each) => each && each.process);
        return new Original("x").stack?.process;
      } finally { globalThis.Error = Original; }
    })()`,
    works: false,
  },
  "CVE-2023-29017: frames of an error in async code": later(
    `const before = Error.prepareStackTrace;
     Error.prepareStackTrace = (_, frames) => {
       globalThis.found = frames.constructor.constructor("return process")();
       Error.prepareStackTrace = before;
       return "";
     };
     (async () => { await null; try { null.x; } catch (error) { error.stack; } })()`,
  ),
  "CVE-2023-30547: what a proxy's getPrototypeOf throws": {
    code: `(() => {
      const trap = new Proxy({}, { getPrototypeOf() { throw new Error("x"); } });
      try { throw trap; } catch ({ constructor }) { return constructor${make}; }
    })()`,
    works: true,
  },
  "CVE-2023-32314: the arguments of a trap that the stack calls": {
    code: `(() => {
      let found;
      const error = new Error();
      error.name = { toString: new Proxy(() => "", { apply(_, self, given) { found = given.constructor.constructor("return process")(); return ""; } }) };
      String(error);
      return found;
    })()`,
    works: true,
  },
  "the same without a proxy": {
    code: `(() => {
      let found;
      const error = new Error();
      error.name = { toString(...given) { found = given.constructor.constructor("return process")(); return ""; } };
      error.stack;
      String(error);
      return found;
    })()`,
    works: true,
  },
  "CVE-2023-37466: the executor of a promise's species": {
    code: `(() => {
      let found;
      const made = (async () => {})();
      class Spy {
        constructor(executor) {
          found = executor${make};
          executor(() => undefined, () => undefined);
        }
      }
      made.constructor = { [Symbol.species]: Spy };
      made.then(() => undefined);
      return found;
    })()`,
    works: true,
  },
  "CVE-2023-37903: inspect of what is thrown": later(
    `const thrown = new Error("x");
     thrown[Symbol.for("nodejs.util.inspect.custom")] = (depth, options, inspect) => {
       globalThis.found = inspect${make};
       return "";
     };
     if (typeof found === "undefined") throw thrown`,
    false,
  ),
  "the message of what is thrown": later(
    `if (typeof found === "undefined") throw Object.create(Error.prototype, {
       message: { get() { globalThis.found = (() => {})${make}; return "x"; } },
     })`,
  ),
  "a species of an array that a helper gave": {
    code: `(() => {
      let found;
      const lines = d.lines("a");
      Object.defineProperty(lines, "constructor", {
        value: { [Symbol.species]: function (...given) { found = given.constructor.constructor("return process")(); return []; } },
      });
      lines.map((line) => line);
      return found;
    })()`,
    works: true,
  },
  "what resolves a thenable": later(
    `(async () => { await { then(resolve) { globalThis.found = resolve${make}; resolve(); } }; })()`,
  ),
  "code after the reply": later(
    "(async () => { for (let turn = 0; turn < 50; turn++) await null; globalThis.found = process; })()",
  ),
  "a microtask": later("queueMicrotask(() => { globalThis.found = process; })"),
  "an immediate": later("setImmediate(() => { globalThis.found = process; })"),
  "the call of all functions": {
    code: `(() => {
      const before = Function.prototype.call;
      let found;
      try {
        Function.prototype.call = function (...given) { found = this${make}; return Reflect.apply(before, this, given); };
        d.t.call(undefined, "x");
        return found;
      } finally { if (found) Function.prototype.call = before; }
    })()`,
    works: true,
  },
  "a setter in the prototype of all arrays": {
    code: `(() => {
      let found;
      try {
        Object.defineProperty(Array.prototype, 0, { set() { found = process; }, configurable: true });
        [].push(1);
        return found;
      } finally { delete Array.prototype[0]; }
    })()`,
    works: true,
  },
  timers: present("setTimeout"),
  "a registry of ends": present("new FinalizationRegistry(() => undefined)"),
  "a weak reference": present("new WeakRef({})"),
  "shared memory": present("new SharedArrayBuffer(8)"),
  "waiting for shared memory": present("Atomics.wait"),
  "a compiled module": present("new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))"),
  "a deep copy": present("structuredClone({})"),
  "the language's formats": present("Intl.NumberFormat"),
  "a text's comparison": present('"a".localeCompare'),
  "a number's text": present("(1).toLocaleString"),
  "a pattern's replacement": present("RegExp.prototype[Symbol.replace]"),
  "an iterator": present("Object.getPrototypeOf([][Symbol.iterator]())"),
  "the prototype of the global object": present("Object.getPrototypeOf(globalThis)"),
  "a class's fields": { code: `(class { static found = this${make}; }).found`, works: true },
  "the parent of an object": { code: `({ found() { return super.toString${make}; } }).found()`, works: true },
  "a tag of a template literal": { code: `((texts) => texts.map${make})\`x\``, works: true },
  "the cause of an error": { code: `new Error("x", { cause: d.t }).cause${make}`, works: true },
  "all errors of one": { code: `new AggregateError([d.t]).errors[0]${make}`, works: true },
  "a call that came out of stack at a getter": {
    code: `(() => {
      let found;
      const trap = { get url() { try { return d.money(trap, "EUR"); } catch (error) { found ??= error.constructor.constructor("return process")(); } } };
      try { d.image(trap); } catch {}
      try { d.money({ toString() { return d.money(this, "EUR"); } }); } catch (error) { return error.constructor.constructor("return process")(); }
      return found;
    })()`,
    works: true,
  },

  "import.meta": { code: "import.meta.url && { pid: 1 }", works: false },
  "an import": imports('import("node:process")'),
  "an import after a comment": imports('import/**/("node:process")'),
  "an import before a comment's line": imports('import//\n("node:process")'),
  "an import on two lines": imports('import\n("node:process")'),
  "an import after a line separator": imports('import\u2028("node:process")'),
  "an import after a byte order mark": imports('import\uFEFF("node:process")'),
  "CVE-2023-39532: an import that is spread": imports('({ ...import("node:process") })'),
  "an import in a template literal": imports("`$" + '{import("node:process")}`'),
  "an import after a mark that looks like a comment": imports('1 && import<!--\n("node:process")'),
  "an import that is escaped": imports('im\\u0070ort("node:process")'),
  "an import of a source": imports('import.source("node:process")'),
  "a deferred import": imports('import.defer("node:process")'),
  "a direct eval": { code: 'eval("process")', works: true },
  "an optional eval": { code: 'eval?.("process")', works: true },
  "an eval after a blank": { code: 'eval ?. ("process")', works: true },
  "an eval after a comment": { code: 'eval/**/("process")', works: true },
  "an eval on two lines": { code: 'eval\n("process")', works: true },
  "an eval in brackets": { code: '(eval)("process")', works: true },
  "an eval that is escaped": { code: 'ev\\u0061l("process")', works: true },
  "an eval by another name": { code: '(({ eval: run }) => run("process"))(globalThis)', works: true },
  "an eval as a callback": { code: '["process"].map(eval)[0]', works: true },
  "a code comment of HTML": { code: "0 <!-- 1\n || process", works: true },
};
