import { checked, type Static, Type, Validator } from "@slipway/sdk";
import { StoreState } from "../templates/store/store-states.js";
import { TemplateState } from "../templates/template-service.js";
import { didYouMean } from "./did-you-mean.js";
import { type HostClient, unknownAnswer } from "./host-client.js";

const TemplateList = Type.Object({ templates: Type.Array(TemplateState), stores: Type.Array(StoreState) });
export type TemplateList = Static<typeof TemplateList>;

const checkList = new Validator().compile(TemplateList, "answer");

/** Where the templates of a host and its stores stand. */
export async function templateList(host: HostClient): Promise<TemplateList> {
  return checked(checkList(await host.json("/api/templates")), unknownAnswer);
}

/** What to say of a template that a host does not have. */
export async function unknownTemplate(host: HostClient, name: string): Promise<Error> {
  const { templates } = await templateList(host);
  const names = templates.flatMap(({ key, aliases }) => [key, ...aliases]);
  return new Error(`There is no template "${name}".${didYouMean(name, names)}`);
}
