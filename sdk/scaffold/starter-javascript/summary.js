// @ts-check
import { isPosition, resolveView, route, SessionId, Type, walkNodes } from "@slipway/sdk";

/** Returns the name of a session's project and the number of its positions. */
export const summary = route.post("summary.json", {
  summary: "Name of the project and number of its positions.",
  // An invalid body is refused with 400 before the handler runs; these schemas give the handler its types.
  body: Type.Object({ sessionId: SessionId }),
  response: Type.Object({ name: Type.String(), positions: Type.Integer() }),
  session: "required",
  async handler({ session, suppress }) {
    const project = await session.project();
    const { name = "" } = project.header;
    if (name === "") {
      // The response is sent and lists this under `errors`.
      suppress({ id: "project-name-missing", scope: "WARN", message: "The project has no name." });
    }
    const lines = [...walkNodes(resolveView(project).nodes)];
    return { name, positions: lines.filter(({ item }) => isPosition(item)).length };
  },
});
