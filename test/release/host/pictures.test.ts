/** Pictures of projects as programs show them: upright, in the right colours, or left out with a reason. */
import { join } from "node:path";
import { readPdf } from "@slipway/sdk/testing";
import sharp from "sharp";
import t from "tap";
import { bitmap } from "../../pictures/bitmaps.js";
import { difference, drawing, samples, size } from "../../pictures/quadrants.js";
import { article, project } from "../../plugins/reporter-client.js";
import { type StartedHost, startHost } from "../../start-host.js";

let host: StartedHost;
t.before(async () => {
  host = await startHost({ configuration: { workbench: true } });
});
t.teardown(() => host?.stop());

interface Opened {
  sessionId: string;
  warnings: { path: string; message: string }[];
  /** SHA-256 and type of each asset. */
  assets: Record<string, { sha256: string; mediaType: string }>;
}

async function opened(
  files: Record<string, { content: Buffer; mediaType: string }>,
  { url } = host,
): Promise<Opened> {
  const items = Object.keys(files).map((asset, index) =>
    article(index + 1, "1.00", { images: [{ tag: "default", asset }] }),
  );
  const assets = Object.fromEntries(
    Object.entries(files).map(([name, { mediaType, content }]) => [
      name,
      { mediaType, base64: content.toString("base64") },
    ]),
  );
  const response = await fetch(`${url}/api/sessions`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(project(items, { assets })),
  });
  const answer: Opened = Object(await response.json());
  if (response.status !== 201) throw new Error(JSON.stringify(answer));
  const stored: Opened = Object(
    await (await fetch(`${url}/api/sessions/${answer.sessionId}/project`)).json(),
  );
  return { ...answer, assets: stored.assets };
}

function asset({ sessionId, assets }: Opened, name: string, query = "?form=shown"): Promise<Response> {
  return fetch(`${host.url}/api/sessions/${sessionId}/assets/${assets[name]?.sha256}${query}`);
}

t.test("every usual kind looks the same", async (t) => {
  const all = await samples();
  const session = await opened(all);
  t.strictSame(session.warnings, []);
  for (const [name, { mediaType, content, tolerance }] of Object.entries(all)) {
    t.equal(session.assets[name]?.mediaType, mediaType, name);
    const response = await asset(session, name);
    const shown = Buffer.from(await response.arrayBuffer());
    t.match(response.headers.get("Content-Type"), /^image\/(?:png|jpeg)$/, name);
    const { width, height, icc, space } = await sharp(shown).metadata();
    t.equal(Math.round((100 * width) / height), Math.round((100 * size.width) / size.height), name);
    t.match(space, /srgb|b-w/, name);
    const off = await difference(shown);
    t.ok(off <= tolerance, `${name}: off by ${off}`);
    if (name.includes("Display P3")) t.equal(icc, undefined, name);
    const original = Buffer.from(await (await asset(session, name, "")).arrayBuffer());
    t.ok(original.equals(content), `${name}: its own bytes are kept`);
  }
});

t.test("a document has time for its pictures as long as they arrive", async (t) => {
  const slow = await startHost({ configuration: { pdf: { loadTimeout: 2500, pictures: { processes: 1 } } } });
  t.teardown(() => slow.stop());
  const pictures: [string, { mediaType: string; content: Buffer }][] = await Promise.all(
    Array.from({ length: 80 }, async (_, index) => {
      const background = { r: index, g: 100, b: 200 };
      const plain = sharp({ create: { width: 2000, height: 1500, channels: 3, background } });
      return [`${index}`, { mediaType: "image/webp", content: await plain.webp({ effort: 0 }).toBuffer() }];
    }),
  );
  const { sessionId } = await opened(Object.fromEntries(pictures), slow);
  const response = await fetch(`${slow.url}/EAIWS/plugins/reporter/generate`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ sessionId, templateKey: "quote" }),
  });
  const answer: { url: string; errors: unknown } = Object(await response.json());
  t.equal(response.status, 200, JSON.stringify(answer));
  t.equal(answer.errors, undefined, "without a message");
  const pdf = await readPdf(new Uint8Array(await (await fetch(answer.url)).arrayBuffer()));
  const shown = pdf.pages.flatMap((page) => page.images);
  t.equal(shown.length, pictures.length);
});

t.test("transparency is kept", async (t) => {
  const half = sharp({
    create: { width: 60, height: 60, channels: 4, background: { r: 200, g: 0, b: 0, alpha: 0.5 } },
  });
  const session = await opened({
    webp: { mediaType: "image/webp", content: await half.clone().webp({ lossless: true }).toBuffer() },
    tiff: { mediaType: "image/tiff", content: await half.clone().tiff({ compression: "lzw" }).toBuffer() },
  });
  for (const name of ["webp", "tiff"]) {
    const response = await asset(session, name);
    const { data } = await sharp(Buffer.from(await response.arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    t.ok(Math.abs((data[3] ?? 0) - 128) <= 1, name);
  }
});

t.test(
  "the bytes say what a picture is; what nothing can show is a warning, and the project opens",
  async (t) => {
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: "#375" } })
      .png()
      .toBuffer();
    const boxed = (brand: string): Buffer =>
      Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}`), Buffer.alloc(40)]);
    const kinds: Record<string, [Buffer, RegExp]> = {
      heic: [boxed("heic"), /HEIC/],
      "jpeg 2000": [Buffer.from("0000000c6a5020200d0a870a00000014", "hex"), /JPEG 2000/],
      "jpeg xl": [Buffer.from("0000000c4a584c200d0a870a00000014", "hex"), /JPEG XL/],
      wmf: [Buffer.concat([Buffer.from("d7cdc69a", "hex"), Buffer.alloc(40)]), /WMF/],
      emf: [Buffer.concat([Buffer.from("01000000", "hex"), Buffer.alloc(36), Buffer.from(" EMF")]), /EMF/],
      psd: [Buffer.from("8BPS\0\x01"), /PSD/],
      ico: [Buffer.concat([Buffer.from("000001000100", "hex"), Buffer.alloc(40)]), /ICO/],
      text: [Buffer.from("no picture"), /no picture of a known kind/],
      empty: [Buffer.alloc(0), /no picture of a known kind/],
    };
    const unshown = Object.fromEntries(
      Object.entries(kinds).map(([name, [content]]) => [name, { mediaType: "image/png", content }]),
    );
    const session = await opened({ "wrong type": { mediaType: "image/jpeg", content: png }, ...unshown });
    t.equal(session.assets["wrong type"]?.mediaType, "image/png");
    t.equal((await asset(session, "wrong type")).status, 200);
    t.equal(session.warnings.length, Object.keys(kinds).length);
    for (const [index, [name, [, reason]]] of Object.entries(kinds).entries()) {
      const warning = session.warnings.find(({ path }) => path === `project.assets.${name}`);
      t.match(warning?.message, reason, name);
      t.match(warning?.message, `It belongs to article "A-${index + 2}".`, name);
      t.equal((await asset(session, name)).status, 404, name);
    }
  },
);

t.test("pictures that are made to do harm are refused, and read nothing", async (t) => {
  const secret = t.testdir({
    "secret.png": await sharp({ create: { width: 9, height: 9, channels: 3, background: "#f00" } })
      .png()
      .toBuffer(),
  });
  const file = join(secret, "secret.png");
  const count = `${host.url}/healthz`;
  const laughs = Array.from(
    { length: 12 },
    (_, at) => `<!ENTITY a${at + 1} "${`&a${at};`.repeat(10)}">`,
  ).join("");
  const hostile = {
    links: drawing(
      'width="90" height="60"',
      `<image xlink:href="file://${file}" width="90" height="60"/><image href="${file}" width="90" height="60"/><image href="${count}" width="90" height="60"/><script>1</script>`,
    ),
    laughs: Buffer.from(
      `<!DOCTYPE svg [<!ENTITY a0 "lol">${laughs}]><svg xmlns="http://www.w3.org/2000/svg"><text>&a12;</text></svg>`,
    ),
    entity: Buffer.from(
      `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>`,
    ),
    "endless drawing": drawing('width="9000000" height="9000000"'),
    "bitmap bomb": bitmap({
      width: 60_000,
      height: 60_000,
      bits: 8,
      content: Buffer.alloc(64),
      compression: 1,
    }),
    "cut off": (
      await sharp({ create: { width: 300, height: 300, channels: 3, background: "#375" } })
        .webp()
        .toBuffer()
    ).subarray(0, 60),
    "png bomb": await sharp({
      create: { width: 12_000, height: 12_000, channels: 3, background: "#000" },
      limitInputPixels: false,
    })
      .png()
      .toBuffer(),
  };
  const session = await opened(
    Object.fromEntries(
      Object.entries(hostile).map(([name, content]) => [name, { mediaType: "image/svg+xml", content }]),
    ),
  );
  const links = await asset(session, "links");
  t.equal(links.status, 200);
  const { channels } = await sharp(Buffer.from(await links.arrayBuffer())).stats();
  t.equal(channels[3]?.max, 0, "nothing is drawn of what the drawing refers to");
  const reasons: Record<string, RegExp> = {
    laughs: /damaged/,
    "endless drawing": /damaged|pixels/,
    entity: /damaged/,
    "bitmap bomb": /60000 × 60000 pixels/,
    "cut off": /damaged/,
    "png bomb": /12000 × 12000 pixels/,
  };
  for (const [name, reason] of Object.entries(reasons)) {
    const response = await asset(session, name);
    const answer: unknown = await response.json();
    t.equal(response.status, 404, name);
    t.match(JSON.stringify(answer), reason, name);
  }
});
