/** A child of a host that never returns; it says its process id once it is guarded. */
import { guardAgainstOrphanhood } from "../../host/system/child-process.js";

guardAgainstOrphanhood(process.ppid);
process.stdout.write(`${process.pid}\n`, () => {
  for (;;);
});
