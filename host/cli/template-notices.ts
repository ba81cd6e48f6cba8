import { checked, type Static, Type, Validator } from "@slipway/sdk";
import { printable } from "../system/terminal-text.js";
import { describeProblem } from "../templates/template-problem.js";
import { serverData } from "./follow-events.js";
import { type HostClient, unknownAnswer } from "./host-client.js";

const Standing = Type.Object({
  key: Type.String(),
  folder: Type.String(),
  problems: Type.Array(
    Type.Object({ file: Type.String(), line: Type.Optional(Type.Integer()), message: Type.String() }),
  ),
});
const validator = new Validator({ lazy: true });
const checkStates = validator.compile(Type.Object({ templates: Type.Array(Standing) }), "answer");
const checkEvent = validator.compile(
  Type.Object({ ...Standing.properties, state: Type.Enum(["served", "refused", "removed"]) }),
  "event",
);

/** Reports unusable templates, and when they are usable again, one line each, while the host responds. */
export async function tellProblems(client: HostClient, tell: (line: string) => void): Promise<void> {
  /** The last report by folder. */
  const told = new Map<string, string>();
  const notice = ({ key, folder, problems }: Static<typeof Standing>): void => {
    const lines = problems.map((problem) =>
      printable(`${key}: ${describeProblem({ line: undefined, ...problem })}`),
    );
    const text = lines.join("\n");
    if (text === (told.get(folder) ?? "")) return;
    told.set(folder, text);
    for (const line of text === "" ? [printable(`${key}: can be used again`)] : lines) tell(line);
  };
  // Connects to the events first, so that none is missed.
  const { body } = await client.request("/api/templates/events");
  const { templates } = checked(checkStates(await client.json("/api/templates")), unknownAnswer);
  for (const template of templates) notice(template);
  for await (const data of serverData(body)) {
    const event = checked(checkEvent(data), unknownAnswer);
    if (event.state === "removed") told.delete(event.folder);
    else notice(event);
  }
}
