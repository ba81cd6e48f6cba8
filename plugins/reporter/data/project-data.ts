import type { ReportProject } from "@slipway/sdk";
import type { ReportContext } from "./report-context.js";

/** The project's header, texts in plain form; what the project does not state is empty. */
export function projectData({ project: { header }, texts }: ReportContext): ReportProject {
  return {
    name: header.name ?? "",
    number: header.number ?? "",
    description: header.description ?? "",
    projectDate: header.projectDate ?? null,
    validTo: header.validTo ?? null,
    externalReferenceNumber: header.externalReferenceNumber ?? "",
    externalReferenceText: header.externalReferenceText ?? "",
    customerNumber: header.customerNumber ?? "",
    company: header.company ?? "",
    generalAgreementNumber: header.generalAgreementNumber ?? "",
    personInCharge: header.personInCharge ?? "",
    headerText: texts.ofProject(header.headerText, "headerText"),
    footerText: texts.ofProject(header.footerText, "footerText"),
  };
}
