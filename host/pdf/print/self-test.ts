import type { WarmPage } from "./warm-page.js";

const document = {
  html: '<!doctype html><html lang="en"><head><title>Slipway</title></head><body>Slipway</body></html>',
  tagged: false,
  fonts: false,
  longTitle: false,
  expectedBytes: 0,
  maximumBytes: Number.POSITIVE_INFINITY,
};

/**
 * Prints one word. A browser without a usable font prints an empty page and says nothing, so the PDF has to have a
 * font in it. Throws when it has not.
 */
export async function selfTest(page: WarmPage): Promise<void> {
  await page.load(document);
  const pdf = await page.print(document);
  if (!pdf.includes("/FontFile2") && !pdf.includes("/FontFile3") && !pdf.includes("/Type3")) {
    throw new Error("the browser prints empty pages: it finds none of the fonts that come with Slipway");
  }
}
