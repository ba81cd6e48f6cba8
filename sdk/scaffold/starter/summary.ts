import { isPosition, resolveView, route, SessionId, Type, walkNodes } from "@slipway/sdk";

/** Tells what the project of a session is called, and how many positions it has. */
export const summary = route.post("summary.json", {
  summary: "Name of the project and number of its positions.",
  // What does not fit is answered with 400 before the handler runs; its types follow from here.
  body: Type.Object({ sessionId: SessionId }),
  response: Type.Object({ name: Type.String(), positions: Type.Integer() }),
  session: "required",
  async handler({ session, suppress }) {
    const project = await session.project();
    const { name = "" } = project.header;
    if (name === "") {
      // The client gets its answer, and this among the `errors` of it.
      suppress({ id: "project-name-missing", scope: "WARN", message: "The project has no name." });
    }
    const lines = [...walkNodes(resolveView(project).nodes)];
    return { name, positions: lines.filter(({ item }) => isPosition(item)).length };
  },
});
