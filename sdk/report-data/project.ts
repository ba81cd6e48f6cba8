import { IsoDate, type Static, Type } from "../schema.js";
import { closed, orNull, text } from "./values.js";

/** General data of the project. */
export const ReportProject = Type.Object(
  {
    name: text("Name of the project."),
    number: text("Number of the project."),
    description: text("What the project is about."),
    projectDate: orNull(IsoDate, "ISO date of the project, such as 2024-07-10; null where there is none."),
    validTo: orNull(IsoDate, "ISO date until which its prices hold; null where there is none."),
    externalReferenceNumber: text("The customer's own number for it."),
    externalReferenceText: text("The customer's own words for it."),
    customerNumber: text("Number of the customer."),
    company: text("The customer's company."),
    generalAgreementNumber: text("Number of the general agreement that it falls under."),
    personInCharge: text("Person who looks after it."),
    headerText: text("What stands before the positions. Plain text with line feeds."),
    footerText: text("What stands after the positions. Plain text with line feeds."),
  },
  {
    ...closed,
    description: "The project as a whole. What it does not state is an empty text, or null for dates.",
  },
);
/** General data of the project. Missing values are empty texts, or null for dates. */
export type ReportProject = Static<typeof ReportProject>;
