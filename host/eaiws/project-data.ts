/** The header of a project, its addresses and texts, as the service `Project` has them. */
import {
  badRequest,
  type ProjectDocument,
  ProjectHeader,
  present,
  type Static,
  shownValue,
  type Text,
  Type,
} from "@slipway/sdk";
import { attribute } from "../soap/soap.js";
import { AddressData, addressesOf, withAddress } from "./address-data.js";
import { closed } from "./soap-operation.js";
import {
  documentDay,
  documentMoment,
  documentText,
  FormattedText,
  formattedTexts,
  WireDay,
  type WireFormat,
  WireMoment,
} from "./wire-values.js";

export const ProjectText = Type.Object(
  {
    texts: Type.Optional(Type.Array(FormattedText, { maxItems: 200 })),
    type: Type.Enum(["HeaderText", "FooterText"], attribute),
  },
  closed,
);
export type ProjectText = Static<typeof ProjectText>;

const header = ProjectHeader.properties;
const Flag = Type.Optional(Type.Boolean(attribute));
const Attribute = Type.Optional(Type.String({ maxLength: 4000, ...attribute }));

/** What a client reads and sends back: what only the server knows is ignored when it comes back. */
export const ProjectData = Type.Object(
  {
    uri: Type.Optional(Type.String({ maxLength: 4000 })),
    projectName: header.name,
    projectNumber: header.number,
    description: header.description,
    externalReferenceNumber: header.externalReferenceNumber,
    externalReferenceText: header.externalReferenceText,
    customerNumber: header.customerNumber,
    externalCustomerId: header.externalCustomerId,
    customerRelatedRemarks: header.customerRemarks,
    company: header.company,
    generalAgreementNumber: header.generalAgreementNumber,
    keywords: Type.Optional(
      Type.Object({ keyword: Type.Optional(Type.Array(Type.String({ maxLength: 4000 }))) }, closed),
    ),
    addresses: Type.Optional(
      Type.Object({ address: Type.Optional(Type.Array(AddressData, { maxItems: 50 })) }, closed),
    ),
    languages: Type.Optional(
      Type.Object({ language: Type.Optional(Type.Array(Type.String({ maxLength: 35 }))) }, closed),
    ),
    projectTexts: Type.Optional(
      Type.Object({ projectText: Type.Optional(Type.Array(ProjectText, { maxItems: 10 })) }, closed),
    ),
    projectId: Attribute,
    projectVersion: Type.Optional(Type.Integer({ minimum: 0, ...attribute })),
    projectState: Type.Optional(Type.Enum(header.state.enum, attribute)),
    created: Type.Optional(WireMoment),
    lastModified: Type.Optional(WireMoment),
    projectDate: Type.Optional(WireDay),
    validToDate: Type.Optional(WireDay),
    createdByUser: Attribute,
    modifiedByUser: Attribute,
    changed: Flag,
    locked: Flag,
    lockHolder: Attribute,
    lockTime: Attribute,
    projectNumberEditable: Flag,
  },
  closed,
);
export type ProjectData = Static<typeof ProjectData>;

/** The header with everything that belongs to it, texts in the wanted format. */
export function projectData(project: ProjectDocument, format: WireFormat | undefined): ProjectData {
  const { header, settings } = project;
  return present({
    projectName: header.name,
    projectNumber: header.number,
    description: header.description,
    externalReferenceNumber: header.externalReferenceNumber,
    externalReferenceText: header.externalReferenceText,
    customerNumber: header.customerNumber,
    externalCustomerId: header.externalCustomerId,
    customerRelatedRemarks: header.customerRemarks,
    company: header.company,
    generalAgreementNumber: header.generalAgreementNumber,
    keywords: { keyword: header.keywords ?? [] },
    addresses: { address: addressesOf(project) },
    languages: { language: settings.languages },
    projectTexts: { projectText: projectTexts(project, format) },
    projectId: project.id,
    projectVersion: header.version,
    projectState: header.state,
    created: header.created,
    lastModified: header.lastModified,
    projectDate: header.projectDate,
    validToDate: header.validTo,
    createdByUser: header.createdBy,
    modifiedByUser: header.modifiedBy,
  });
}

/** The project with what `data` has; what it has not stays, and an empty text removes its member. */
export function withProjectData(project: ProjectDocument, data: ProjectData): ProjectDocument {
  const { header, settings } = project;
  const changed: ProjectDocument = {
    ...project,
    header: present({
      ...header,
      name: given(data.projectName, header.name),
      number: given(data.projectNumber, header.number),
      description: given(data.description, header.description),
      externalReferenceNumber: given(data.externalReferenceNumber, header.externalReferenceNumber),
      externalReferenceText: given(data.externalReferenceText, header.externalReferenceText),
      customerNumber: given(data.customerNumber, header.customerNumber),
      externalCustomerId: given(data.externalCustomerId, header.externalCustomerId),
      customerRemarks: given(data.customerRelatedRemarks, header.customerRemarks),
      company: given(data.company, header.company),
      generalAgreementNumber: given(data.generalAgreementNumber, header.generalAgreementNumber),
      createdBy: given(data.createdByUser, header.createdBy),
      modifiedBy: given(data.modifiedByUser, header.modifiedBy),
      keywords: data.keywords === undefined ? header.keywords : (data.keywords.keyword ?? []),
      version: data.projectVersion ?? header.version,
      state: data.projectState ?? header.state,
      created: data.created === undefined ? header.created : moment("created", data.created),
      lastModified: new Date().toISOString(),
      projectDate: data.projectDate === undefined ? header.projectDate : documentDay(data.projectDate),
      validTo: data.validToDate === undefined ? header.validTo : documentDay(data.validToDate),
    }),
    settings:
      data.languages === undefined ? settings : { ...settings, languages: data.languages.language ?? [] },
  };
  const withTexts = (data.projectTexts?.projectText ?? []).reduce(
    (all, text) => withProjectText(all, text, false),
    changed,
  );
  return (data.addresses?.address ?? []).reduce(withAddress, withTexts);
}

function given(value: string | undefined, before: string | undefined): string | undefined {
  if (value === undefined) return before;
  return value === "" ? undefined : value;
}

function moment(name: string, value: string): string {
  const read = documentMoment(value);
  if (read !== undefined) return read;
  throw badRequest("The project data is not valid", [
    { path: `data.${name}`, expected: "a moment", received: shownValue(value) },
  ]);
}

/** The texts around the items; with types, only those. */
export function projectTexts(
  { header }: ProjectDocument,
  format: WireFormat | undefined,
  types: readonly string[] = [],
): ProjectText[] {
  const all = [
    { type: "HeaderText" as const, texts: formattedTexts(header.headerText, format) },
    { type: "FooterText" as const, texts: formattedTexts(header.footerText, format) },
  ];
  return all.filter(({ type, texts }) => texts.length > 0 && (types.length === 0 || types.includes(type)));
}

/** The project with another text; `update`: its other languages stay. An empty text removes its language. */
export function withProjectText(
  project: ProjectDocument,
  { type, texts = [] }: ProjectText,
  update: boolean,
): ProjectDocument {
  const member = type === "HeaderText" ? "headerText" : "footerText";
  const brought = texts.map(documentText);
  const isReplaced = ({ lang }: Text): boolean => brought.some((each) => each.lang === lang);
  const kept = update ? (project.header[member] ?? []).filter((each) => !isReplaced(each)) : [];
  const written = [...kept, ...brought.filter(({ value }) => value !== "")];
  const { [member]: _, ...rest } = project.header;
  const header = written.length === 0 ? rest : { ...rest, [member]: written };
  return { ...project, header: { ...header, lastModified: new Date().toISOString() } };
}
