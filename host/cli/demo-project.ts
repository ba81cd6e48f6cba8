import { join } from "node:path";
import { installationFolder } from "../system/installation.js";

/** The project that comes along, to show and to try things with. */
export const demoProject = join(installationFolder, "config", "demo", "demo-project.obk");
