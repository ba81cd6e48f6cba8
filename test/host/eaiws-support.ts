/** Sessions of hosts as clients of EAIWS have them: by the vendor's client library, and by requests of their own. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Library, LibrarySession } from "../compatibility/session-client.js";
import { zip } from "../sdk/small-files.js";
import { repository, type StartedHost } from "../start-host.js";
import { pluginFiles } from "./plugins-support.js";

/** A project file as the original writes it. */
export async function realObk(): Promise<Blob> {
  const folder = join(repository, "test", "fixtures", "project-files", "older");
  const entries = await Promise.all(
    ["1.bsk", "metainf.xml"].map(
      async (name): Promise<[string, Buffer]> => [name, await readFile(join(folder, name))],
    ),
  );
  return new Blob([Uint8Array.from(await zip(entries))]);
}

/** A drop-in folder with a plugin that names the project of a session. */
export const teller = {
  teller: pluginFiles(
    "Teller",
    "1.0.0",
    `import { definePlugin, route, SessionId, Type } from "@slipway/sdk";
export default definePlugin({
  setup: () => ({
    routes: [
      route.post("name", {
        summary: "Names the project.",
        body: Type.Object({ sessionId: SessionId }),
        session: "required",
        async handler({ session }) {
          const { header, items } = await session.project();
          return { name: header.name ?? "", items: items.length, locale: session.locale };
        },
      }),
    ],
  }),
});
`,
  ),
};

/** The project of a session, with its pictures. */
export async function projectOf(host: StartedHost, sessionId: string): Promise<unknown> {
  const answer = await fetch(`${host.url}/api/sessions/${sessionId}/project?assets=inline`);
  return await answer.json();
}

export async function loaded(library: Library, base: string, file: Blob): Promise<LibrarySession> {
  const session = library.newSession();
  await session.open(base, { locale: "de_DE", keepAliveInterval: null });
  await session.session.loadSession(await session.uploadFile("Project", file));
  return session;
}

/** A request as the clients send it: a prefix of their own, parameters without a namespace. */
export function envelope(namespace: string, operation: string, parameters: string): string {
  return (
    '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>' +
    `<${operation} xmlns="${namespace}">${parameters}</${operation}></s:Body></s:Envelope>`
  );
}

export interface Answered {
  status: number;
  text: string;
  /** Texts of `return`. */
  results: string[];
  fault: string | undefined;
}

export async function send(
  base: string,
  service: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const response = await fetch(`${base}/EAI/${service}`, {
    method: "POST",
    headers: { "Content-Type": "text/xml; charset=UTF-8", ...headers },
    body,
  });
  const text = await response.text();
  const results = [...text.matchAll(/<return>([^<]*)<\/return>/g)].map(([, result = ""]) => result);
  const fault = /<S:Fault><faultcode>S:(?:Client|Server)<\/faultcode><faultstring>([^<]*)</.exec(text)?.[1];
  return { status: response.status, text, results, fault };
}

export const namespaces = {
  Session: "http://ws.eai.egr/",
  Project: "http://project.ws.eai.egr/",
  Basket: "http://basket.ws.eai.egr/",
};
export type Service = keyof typeof namespaces;

export const call = (
  base: string,
  service: Service,
  operation: string,
  parameters = "",
  headers = {},
): Promise<Answered> => send(base, service, envelope(namespaces[service], operation, parameters), headers);
