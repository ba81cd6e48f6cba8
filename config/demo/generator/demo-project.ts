/** The demo project: an office fit-out of our own invention, in one source. */
import type { Asset, ProjectDocument } from "@slipway/sdk";
import { columns } from "./demo-columns.js";
import { conditions } from "./demo-conditions.js";
import { addresses, contacts, header, settings } from "./demo-header.js";
import { meeting } from "./demo-meeting.js";
import { assembly, plants } from "./demo-services.js";
import { demoId, pictureUri } from "./demo-texts.js";
import { defaultViewId, demoViews } from "./demo-views.js";
import { workspace } from "./demo-workspace.js";
import { manufacturerNames } from "./manufacturers.js";
import { drawPictures, pictureSize } from "./pictures/draw-pictures.js";
import { logoUrl } from "./pictures/logo.js";

/** The whole project with its pictures drawn; prices follow from the procedure STDB2B_WBK of the host. */
export async function demoProject(): Promise<ProjectDocument> {
  const items = [workspace, meeting, plants, assembly];
  return {
    formatVersion: "1",
    id: demoId("project"),
    header,
    settings,
    addresses,
    contacts,
    columns,
    manufacturers: manufacturerNames(["LINE", "KANT", "STIL", "ARO", "LYSA", "FORU", "MIRA"]),
    items,
    views: demoViews(items),
    defaultViewId,
    conditions,
    assets: await pictureAssets(),
    appData: {
      "W-BK": {
        "report/templateConfig/basket-standard-pro-fop": {
          configItemValues: [
            ["letterhead", "eu_standard"],
            ["logoUrl", logoUrl()],
            ["logoImageSize", 90],
            ["showPricingDetails", true],
            ["showVariantPrices", true],
          ],
          basketViewId: defaultViewId,
          pageBreaks: [],
        },
      },
    },
  };
}

async function pictureAssets(): Promise<Record<string, Asset>> {
  const assets: Record<string, Asset> = {};
  for (const [name, content] of await drawPictures()) {
    assets[pictureUri(name)] = {
      mediaType: "image/jpeg",
      base64: content.toString("base64"),
      width: pictureSize,
      height: pictureSize,
      attributes: { height: String(pictureSize), suffix: "jpg", width: String(pictureSize) },
    };
  }
  return assets;
}
