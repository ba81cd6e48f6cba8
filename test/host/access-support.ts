/** Keys as admins make them, a small plugin, and requests with a key or with headers of a proxy. */
import { readFile, writeFile } from "node:fs/promises";
import { type OutgoingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Test } from "tap";
import { type EndedCommand, runCommand } from "../run-command.js";

/** Folders of a drop-in folder with one plugin, which makes a file when it is asked. */
export const smallPlugin = {
  none: {},
  plugins: {
    paper: {
      "package.json": JSON.stringify({
        name: "paper",
        version: "1.0.0",
        type: "module",
        engines: { slipway: "^1.0.0" },
        slipway: { plugin: "Paper", entry: "index.js" },
      }),
      "index.js": `import { definePlugin, route } from "@slipway/sdk";
export default definePlugin({
  setup: (host) => ({
    routes: [
      route.get("file", {
        summary: "Makes a file.",
        handler: () => host.files.create({ name: "a.txt", mediaType: "text/plain", content: "a" }),
      }),
    ],
  }),
});
`,
    },
  },
};

/** `slipway key` for a folder `var`. */
export const keyCommand = (folder: string, ...parameters: string[]): Promise<EndedCommand> =>
  runCommand(["key", ...parameters], { environment: { SLIPWAY_VAR: folder } });

/** A key that was made by the command line. */
export async function newKey(t: Test, folder: string, ...parameters: string[]): Promise<string> {
  const { code, output, errors } = await keyCommand(folder, "new", ...parameters);
  t.match({ code, output, errors }, { code: 0, output: keyLine, errors: /shown only once/ });
  return output.trim();
}

export const keyLine = /^slipway_([a-z0-9]{8})_[A-Za-z0-9_-]{43}\n$/;

/** The id in a key. */
export const idIn = (key: string): string => key.split("_")[1] ?? "";

/** Changes what the key file says, as an editor would. */
export async function editKeys(
  folder: string,
  edit: (key: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> {
  const file = join(folder, "keys.json");
  const content: { keys: Record<string, unknown>[] } = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ keys: content.keys.map(edit) }));
}

export interface Answer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: Record<string, unknown>;
}

export interface Question {
  method?: string;
  key?: string | undefined;
  headers?: OutgoingHttpHeaders;
  body?: unknown;
}

/** One request, straight to the socket, because `fetch` sends no `Host` of others. The answer is JSON, or nothing. */
export function ask(base: string, path: string, { method = "GET", key, headers, body }: Question = {}) {
  const sentBody = body === undefined ? undefined : JSON.stringify(body);
  const { hostname, port } = new URL(base);
  return new Promise<Answer>((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        path,
        method,
        headers: {
          ...(key !== undefined && { Authorization: `Bearer ${key}` }),
          ...(sentBody !== undefined && {
            "Content-Type": "application/json",
            "Content-Length": Buffer.byteLength(sentBody),
          }),
          ...headers,
        },
      },
      (response) => {
        const { statusCode: status = 0, headers: received } = response;
        // A stream of events has no end.
        if (received["content-type"]?.startsWith("text/event-stream")) {
          response.destroy();
          return resolve({ status, headers: received, body: {} });
        }
        text(response).then((content) => {
          const isJson = received["content-type"]?.startsWith("application/json") ?? false;
          resolve({ status, headers: received, body: isJson ? JSON.parse(content) : {} });
        }, reject);
      },
    );
    sent.once("error", reject);
    sent.end(sentBody);
  });
}
