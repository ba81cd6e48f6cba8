/** A system that has no file watches left. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

fs.watch = () => {
  throw Object.assign(new Error("ENOSPC: System limit for number of file watchers reached, watch"), {
    code: "ENOSPC",
  });
};
syncBuiltinESMExports();
