/** Has a browser in the folder that its parameter names, and says so, until it is killed. */
import { newService } from "./pdf-support.js";

const [varDirectory = ""] = process.argv.slice(2);
const service = newService({ varDirectory });
await service.start();
process.stdout.write("ready");
