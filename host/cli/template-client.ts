import { checked, Validator } from "@slipway/sdk";
import { TemplateStates } from "../api/answers.js";
import { didYouMean } from "./command-group.js";
import { type HostClient, unknownAnswer } from "./host-client.js";

const checkList = new Validator({ lazy: true }).compile(TemplateStates, "answer");

/** The states of a host's templates and stores. */
export async function templateList(host: HostClient): Promise<TemplateStates> {
  return checked(checkList(await host.json("/api/templates")), unknownAnswer);
}

/** The error for an unknown template, with a suggestion. */
export async function unknownTemplate(host: HostClient, name: string): Promise<Error> {
  const { templates } = await templateList(host);
  const names = templates.flatMap(({ key, aliases }) => [key, ...aliases]);
  return new Error(`There is no template "${name}".${didYouMean(name, names)}`);
}
