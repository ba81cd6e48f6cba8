/**
 * jsreport as its users install it, without studio, schedules and storage on disk. Gets its folder, the browser's program,
 * "shell" or "chromium", and a folder for its files as parameters.
 */
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { freePort } from "../../free-port.js";

interface Jsreport {
  init(): Promise<unknown>;
  close(): Promise<unknown>;
}

const [folder = "", executablePath = "", kind = "shell", tempDirectory = "", ...browserFlags] =
  process.argv.slice(2);
const create: (options: Record<string, unknown>) => Jsreport = createRequire(join(folder, "package.json"))(
  "jsreport",
);
// It takes 0 for no port at all.
const port = await freePort();
const jsreport = create({
  rootDirectory: folder,
  loadConfig: false,
  httpPort: port,
  hostname: "127.0.0.1",
  tempDirectory,
  trustUserCode: true,
  reportTimeout: 300_000,
  store: { provider: "memory" },
  blobStorage: { provider: "memory" },
  logger: { silent: true },
  workers: { numberOfWorkers: availableParallelism() },
  extensions: {
    express: { inputRequestLimit: "50mb" },
    studio: { enabled: false },
    scheduling: { enabled: false },
    licensing: { enabled: false },
    "chrome-pdf": {
      strategy: "chrome-pool",
      numberOfWorkers: availableParallelism(),
      launchOptions: {
        executablePath,
        headless: kind === "shell" ? "shell" : "new",
        pipe: true,
        args: browserFlags,
      },
    },
  },
});
await jsreport.init();
process.stdout.write(`listening on http://127.0.0.1:${port}\n`);

const stop = async (): Promise<void> => {
  await jsreport.close();
  process.exit(0);
};
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop());
