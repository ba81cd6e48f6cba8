import type * as hostClient from "../../preview/host-client.js";
import type * as preview from "../../preview/preview.js";

/** The code of the live preview, which lies beside the page and comes with a library that draws PDFs. */
export async function loadPreview(): Promise<typeof preview & typeof hostClient> {
  const places = ["./preview/preview.js", "./preview/host-client.js"] as const;
  const [first, second]: [typeof preview, typeof hostClient] = await Promise.all([
    import(places[0]),
    import(places[1]),
  ]);
  return { ...first, ...second };
}
