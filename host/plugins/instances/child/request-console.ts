import { Console } from "node:console";
import { Writable } from "node:stream";
import { requestScope } from "@slipway/sdk/runtime";
import { markPrinted } from "../printed-lines.js";

/** A console whose lines say which request they are printed for. It prints at once: a plugin may end or hang right after. */
export function requestConsole(): Console {
  return new Console({ stdout: marking(process.stdout), stderr: marking(process.stderr) });
}

function marking(target: NodeJS.WriteStream): Writable {
  return new Writable({
    decodeStrings: false,
    write(text: unknown, _encoding, done) {
      const request = requestScope.getStore()?.request;
      target.write(request === undefined ? String(text) : markPrinted(String(text), request));
      done();
    },
  });
}
