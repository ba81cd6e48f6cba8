/**
 * A child of a host that never returns; it says its process id once it is guarded. Uses the part itself: no child of a real
 * host is stuck like this one.
 */
import { guardAgainstOrphanhood } from "../../host/system/child-process.js";

guardAgainstOrphanhood(process.ppid);
process.stdout.write(`${process.pid}\n`, () => {
  for (;;);
});
