/**
 * A request and a project, and what an export makes of them beside its items. Uses the part itself: the header is seen as it
 * is made, without a document around it.
 */
import { type Address, type ProjectDocument, RequestError, type Suppression } from "@slipway/sdk";
import {
  type AddressData,
  defaultConfiguration,
  type ExportConfiguration,
  exportSettings,
} from "../../plugins/oex/configuration/export-configuration.js";
import type { OexHeader } from "../../plugins/oex/document/oex-document.js";
import { createApplication } from "../../plugins/oex/export/create-document.js";
import { type ExportFileNames, exportFileNames } from "../../plugins/oex/export/export-file-names.js";
import { createHeader, type HeaderParts } from "../../plugins/oex/header/create-header.js";
import { documentNumber } from "../../plugins/oex/header/numbers.js";
import { CollectedRepairs } from "../../plugins/oex/repair/collected-repairs.js";
import { project } from "./oex-items-support.js";

export const settings = exportSettings(
  {
    applicationName: "Slipway",
    timeZone: "UTC",
    manufacturerCodes: {},
    seriesCodes: {},
    validate: false,
    validateLimit: 0,
  },
  "1.4.2",
);

export interface HeaderSetup {
  config?: Partial<ExportConfiguration>;
  project?: Partial<ProjectDocument>;
  locale?: string;
  now?: string;
  timeZone?: string;
  parts?: Partial<Pick<HeaderParts, "files" | "weights" | "volume" | "pricing" | "currency">>;
}

export interface MadeHeader {
  header: OexHeader;
  names: ExportFileNames;
  application: ReturnType<typeof createApplication>;
  suppressed: Suppression[];
  /** Messages of the repairs. */
  repairs: string[];
}

/** Header, file names and application of an export; the repairs of all three. */
export function made(setup: HeaderSetup = {}): MadeHeader {
  const configuration = { ...defaultConfiguration(settings), ...setup.config };
  const suppressed: Suppression[] = [];
  const suppress = (suppression: Suppression): void => void suppressed.push(suppression);
  const repairs = new CollectedRepairs(suppress);
  const context = {
    project: project([], setup.project),
    configuration,
    format: { type: configuration.documentType, version: configuration.oexVersion },
    locale: setup.locale ?? "en_GB",
    now: new Date(setup.now ?? "2026-05-11T09:30:15Z"),
    timeZone: setup.timeZone ?? "UTC",
    repairs,
    suppress,
  };
  const number = documentNumber(context);
  const names = exportFileNames(number, context);
  const parts = { currency: "EUR", files: {}, pricing: [], ...setup.parts };
  const header = createHeader({ context, number, ...parts });
  const application = createApplication(configuration, context.format, repairs);
  repairs.summarize();
  const told = suppressed.filter(({ id }) => id === "oex-value-repaired").map(({ message }) => message);
  return { header, names, application, suppressed, repairs: told };
}

/** Complete, so that it can be written. */
export function address(
  addressType: AddressData["addressType"],
  more: Partial<Address & AddressData> = {},
): AddressData {
  return {
    addressType,
    name1: "Harbour Ltd",
    street: "Quay 1",
    countryCode: "GB",
    postalCode: "AB1 2CD",
    location: "Aberdeen",
    ...more,
  };
}

/** The message of the error object of a request error, with its code; "" where nothing is thrown. */
export function refusal(run: () => unknown): string {
  try {
    run();
    return "";
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return `${error.code} ${error.id}: ${error.message}`;
  }
}
