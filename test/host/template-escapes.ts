/** Ways that the language offers to the process object, for the test of isolation. */

/**
 * A way to the process object, or to another thing that a template must not have. `works`: reaches it where nothing
 * protects; these prove that the attempt is real.
 */
export interface Escape {
  /** An expression whose value has the process's `pid` where it succeeds. */
  code: string;
  works: boolean;
  /** What it finds comes after the reply: it leaves it in `globalThis.found`, where the next report finds it. */
  later?: true;
}

export const escapes: Record<string, Escape> = {
  "a function's constructor": { code: '(function () {}).constructor("return process")()', works: true },
  "an arrow's constructor": { code: '(() => {}).constructor("return process")()', works: true },
  "a class's constructor": { code: '(class {}).constructor("return process")()', works: true },
  "the constructor of an object's constructor": {
    code: '({}).constructor.constructor("return process")()',
    works: true,
  },
  "a helper's constructor": { code: 'd.t.constructor("return process")()', works: true },
  "a bound helper": { code: 'd.money.bind(null).constructor("return process")()', works: true },
  "the constructor of include": { code: 'include.constructor("return process")()', works: true },
  "the constructor of the escape function": { code: 'escapeFn.constructor("return process")()', works: true },
  "the constructor of what a helper gives": {
    code: 'd.lines("a").constructor.constructor("return process")()',
    works: true,
  },
  "the constructor of data": { code: 'd.data.items.map.constructor("return process")()', works: true },
  "a generator's constructor": {
    code: '(function* () {}).constructor("yield process")().next().value',
    works: true,
  },
  "an async function's constructor": {
    code: '(() => { const make = (async function () {}).constructor; make("return process"); return process; })()',
    works: true,
  },
  "an async generator's constructor": {
    code: '(() => { const make = (async function* () {}).constructor; make("yield process"); return process; })()',
    works: true,
  },
  "the getter of __proto__": {
    code: '({}).__lookupGetter__("__proto__").constructor("return process")()',
    works: true,
  },
  "a host error's constructor": {
    code: '(() => { try { d.asset("none"); } catch (e) { return e.constructor.constructor("return process")(); } })()',
    works: true,
  },
  "an error of Intl": {
    code: '(() => { try { d.money("1", "x"); } catch (e) { return e.constructor.constructor("return process")(); } })()',
    works: true,
  },
  "an error out of stack in a helper": {
    code: `(() => {
      let found;
      const dive = () => {
        try { d.asset("none"); } catch (e) {
          if (e.constructor === RangeError) { try { found ??= e.constructor.constructor("return process")(); } catch {} }
        }
        dive();
      };
      try { dive(); } catch {}
      return found;
    })()`,
    works: true,
  },
  "a value that a helper reads": {
    code: `(() => {
      let found;
      const spy = { toString() { found = spy.toString.caller; return "1"; } };
      d.money(spy, "EUR");
      return found && found.constructor("return process")();
    })()`,
    works: false,
  },
  "a proxy that a helper reads": {
    code: `(() => {
      let found;
      const trap = new Proxy({}, { get(target, name, receiver) { found = receiver; return undefined; } });
      d.image(trap);
      return found && found.constructor && found.constructor.constructor("return process")();
    })()`,
    works: false,
  },
  "locals with a proxy": {
    code: `(() => {
      const trap = new Proxy({}, { ownKeys(target) { return target.constructor.constructor("return process")(); } });
      return include("inner", trap);
    })()`,
    works: false,
  },
  "frames of the stack": {
    code: `(() => {
      Error.prepareStackTrace = (error, frames) => frames;
      const frames = new Error().stack;
      return frames.map((frame) => frame.getThis() ?? frame.getFunction()).find((each) => each)
        .constructor.constructor("return process")();
    })()`,
    works: false,
  },
  "a custom stack": {
    code: `(() => {
      const holder = {};
      Error.captureStackTrace(holder);
      return holder.stack.includes("/host/") ? { pid: 1 } : undefined;
    })()`,
    works: false,
  },
  "the global object by indirect eval": { code: '(0, eval)("process")', works: true },
  "the global object by this": { code: "(function () { return this; })().process", works: false },
  "the global object by its name": { code: "globalThis.process", works: true },
  "a module's require": { code: 'require("node:process")', works: false },
  "a getter on the prototype of all objects": {
    code: `(() => {
      Object.defineProperty(Object.prototype, "version", { get() { return process; }, configurable: true });
      try { return ({}).version; } finally { delete Object.prototype.version; }
    })()`,
    works: true,
  },
  "the arguments of the caller": { code: "arguments.callee.caller.arguments[0]", works: false },
};
