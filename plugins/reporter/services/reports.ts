/** What the reporter does for other plugins. */
import { type Host, type ServiceMethod, StoredFile, serviceMethod, Type } from "@slipway/sdk";
import { GenerateRequest } from "../request/generate-request.js";
import { GenerateResponse, generate, generateTimeout, type Printing } from "../routes/generate.js";

/** The body of `generate` (interface document, section 2.3); the session is that of the caller. */
const Input = Type.Omit(GenerateRequest, ["sessionId"]);

/** The answer of `generate`, and the file behind its address. */
const Output = Type.Object({ ...GenerateResponse.properties, file: StoredFile });

/** The service `reports`: reports for plugins that need one as a part of their own work. */
export function reportsService(host: Host, printing: Printing): Record<string, ServiceMethod> {
  return {
    generate: serviceMethod({
      summary: "Makes a PDF report of the caller's session.",
      input: Input,
      output: Output,
      session: "required",
      timeout: generateTimeout,
      async handler({ input, ...context }) {
        const { file } = await generate(host, printing, { ...context, body: input, pathKey: undefined });
        return { name: file.name, url: file.url, file };
      },
    }),
  };
}
