import { checked, Validator } from "@slipway/sdk";
import { TemplateStates } from "../api/answers.js";
import { didYouMean } from "./command-group.js";
import { type HostClient, unknownAnswer } from "./host-client.js";

const checkList = new Validator({ lazy: true }).compile(TemplateStates, "answer");

/** Where the templates of a host and its stores stand. */
export async function templateList(host: HostClient): Promise<TemplateStates> {
  return checked(checkList(await host.json("/api/templates")), unknownAnswer);
}

/** What to say of a template that a host does not have. */
export async function unknownTemplate(host: HostClient, name: string): Promise<Error> {
  const { templates } = await templateList(host);
  const names = templates.flatMap(({ key, aliases }) => [key, ...aliases]);
  return new Error(`There is no template "${name}".${didYouMean(name, names)}`);
}
