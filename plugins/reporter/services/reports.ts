/** The reporter's service for other plugins. */
import { type Host, type ServiceMethod, StoredFile, serviceMethod, Type } from "@slipway/sdk";
import { GenerateRequest } from "../request/generate-request.js";
import { GenerateResponse, generate, generateTimeout, type Printing } from "../routes/generate.js";

/** The request body of `generate` (interface document, section 2.3); the session is the caller's. */
const Input = Type.Omit(GenerateRequest, ["sessionId"]);

/** The response of `generate`, and the file behind its URL. */
const Output = Type.Object({ ...GenerateResponse.properties, file: StoredFile });

/** The service `reports`: PDF reports for other plugins. */
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
