/**
 * Makes the clock of a process jump: `node --import` of this module adds as many milliseconds to every `Date` as the file
 * named by SHIFTED_CLOCK says. Timers and `performance` go on as they do when an admin sets the clock.
 */
import { readFileSync } from "node:fs";

const file = process.env.SHIFTED_CLOCK;
const RealDate = Date;
let shift = 0;

function look() {
  try {
    shift = Number(readFileSync(file, "utf8"));
  } catch {
    shift = 0;
  }
}

if (file !== undefined) {
  look();
  setInterval(look, 20).unref();
  globalThis.Date = class extends RealDate {
    constructor(...parameters) {
      super(...(parameters.length === 0 ? [RealDate.now() + shift] : parameters));
    }

    static now() {
      return RealDate.now() + shift;
    }
  };
}
