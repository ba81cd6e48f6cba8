/** What can be made of a project by a form. */
export type ExportName = "order" | "workbook";

/** An export as the workbench knows it; its settings come from the plugin's own description. */
export interface ExportKind {
  /** Path of the operation, as the description of the host has it. */
  path: string;
  /** Path of the values that count without a choice, where the plugin tells them; and the member that they are of. */
  defaults?: { path: string; member: string };
  /** Path of the manufacturers of a project, to choose among. */
  manufacturers?: string;
  /** Whether a view of the project can be chosen. */
  hasViews: boolean;
  /** Settings that are about one project: they are not remembered for others. */
  ofProject: ReadonlySet<string>;
}

const plugins = "/EAIWS/plugins";

export const exportKinds: Readonly<Record<ExportName, ExportKind>> = {
  order: {
    path: `${plugins}/oex/export`,
    defaults: { path: `${plugins}/oex/config.json`, member: "config" },
    manufacturers: `${plugins}/oex/manufacturers.json`,
    hasViews: false,
    ofProject: new Set([
      ...["manufacturerIds", "manufacturerId", "docNumber", "commission", "projectNumber", "conditionNo"],
      ...["delivery", "orderInfo", "additionalAgreement", "dispatchNotes", "addresses", "pdfLogoImage"],
      ...["archiveFilename", "oexFilename", "obxFilename", "pdfFilename", "orderXFilename", "ublFilename"],
    ]),
  },
  workbook: {
    path: `${plugins}/excel/v1/export`,
    hasViews: true,
    ofProject: new Set(["filename", "items", "viewId"]),
  },
};
