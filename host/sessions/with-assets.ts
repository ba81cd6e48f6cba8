import { Asset, Type, Validator } from "@slipway/sdk";

const checkStored = new Validator().compile(
  Type.Object({ assets: Type.Optional(Type.Record(Type.String(), Asset)) }),
  "project",
);

/** A stored project as JSON text with the bytes of its assets as base64; one asset after the other is in memory. */
export async function* withAssets(
  project: Uint8Array,
  read: (sha256: string) => Promise<Uint8Array | undefined>,
): AsyncGenerator<string> {
  const stored = checkStored(JSON.parse(Buffer.from(project).toString("utf8")));
  if (!stored.ok) throw new Error("A stored project does not fit its schema");
  const { assets = {}, ...rest } = stored.value;
  yield `${JSON.stringify(rest).slice(0, -1)},"assets":{`;
  let separator = "";
  for (const [key, asset] of Object.entries(assets)) {
    const content = asset.sha256 === undefined ? undefined : await read(asset.sha256);
    const base64 = content && Buffer.from(content).toString("base64");
    const whole = base64 === undefined ? asset : { ...asset, base64 };
    yield `${separator}${JSON.stringify(key)}:${JSON.stringify(whole)}`;
    separator = ",";
  }
  yield "}}";
}
