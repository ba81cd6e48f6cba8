import { type Host, type Route, reply, route, Type } from "@slipway/sdk";

const contents = {
  text: "Grüße\r\n",
  bytes: new Uint8Array([0, 255, 128]),
  pieces: ["one ", new Uint8Array([50]), " three"],
  wrong: JSON.parse("[5]"),
};

/** What becomes of files that a plugin makes. */
export const fileRoutes = (host: Host): Route[] => [
  route.get("files/:kind", {
    summary: "One file.",
    params: Type.Object({ kind: Type.Enum(["text", "bytes", "pieces", "wrong"]) }),
    handler: async ({ params: { kind } }) => {
      const file = { name: `${kind}.txt`, mediaType: "text/plain; charset=utf-8", content: contents[kind] };
      return { file: await host.files.create(file) };
    },
  }),
  route.get("large-file", {
    summary: "Larger than one message.",
    handler: () =>
      host.files.create({ name: "large", mediaType: "text/plain", content: "äb".repeat(300_000) }),
  }),
  route.post("named-file", {
    summary: "A file with any name and type.",
    body: Type.Object({ name: Type.String(), mediaType: Type.String({ default: "text/plain" }) }),
    handler: ({ body }) => host.files.create({ ...body, content: "" }),
  }),
  route.get("broken-file", {
    summary: "A file whose content ends early.",
    handler: () => host.files.create({ name: "a", mediaType: "text/plain", content: endingEarly() }),
  }),
  route.get("archive", {
    summary: "Two files in one.",
    handler: async () => {
      const mediaType = "text/plain";
      const one = await host.files.create({ name: "a.txt", mediaType, content: "one" });
      const two = await host.files.create({ name: "A.txt", mediaType, content: ["two"] });
      const files = [
        { file: one },
        { file: two },
        { file: one, name: "folder/../b:c.txt" },
        { file: two, name: "folder/CON" },
      ];
      return { archive: await host.files.archive({ name: "all", files }) };
    },
  }),
  route.get("foreign-archive", {
    summary: "A file that the request has not made.",
    handler: () => {
      const file = { id: "x".repeat(24), name: "a", url: "", bytes: 0 };
      return host.files.archive({ name: "all.zip", files: [{ file }] });
    },
  }),
  route.get("replies/file", {
    summary: "The bytes of a file.",
    produces: ["text/csv"],
    handler: async ({ header }) => {
      header("Slipway-Rows", "2");
      const content = ['"a";"ä"\r\n', '"b";"ß"\r\n'];
      return reply.file(await host.files.create({ name: "Maß.csv", mediaType: "text/csv", content }));
    },
  }),
  route.get("replies/foreign-file", {
    summary: "The bytes of a file of another request.",
    handler: () => reply.file({ id: "x".repeat(24) }),
  }),
  route.get("replies/html", {
    summary: "A page.",
    produces: ["text/html"],
    handler: () => reply.html("<!doctype html><title>Grüße</title>"),
  }),
  route.get("replies/redirect", {
    summary: "Another address.",
    redirects: true,
    query: Type.Object({ to: Type.String() }),
    handler: ({ query }) => reply.redirect(query.to),
  }),
];

function* endingEarly(): Generator<string> {
  yield "a";
  throw new RangeError("no more");
}
