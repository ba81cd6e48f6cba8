/** A plugin whose services another one calls. */
import { definePlugin, RequestError, serviceMethod, Type } from "@slipway/sdk";

const Text = Type.Object({ text: Type.String() });

export default definePlugin({
  setup: (host) => ({
    routes: [],
    services: {
      greeter: {
        greet: serviceMethod({
          summary: "Greets somebody.",
          input: Type.Object({ name: Type.String({ minLength: 1 }), times: Type.Integer({ default: 2 }) }),
          output: Text,
          handler: ({ input, suppress, locale }) => {
            suppress({ id: "name-plain", scope: "WARN", message: "It is a plain name." });
            return { text: Array(input.times).fill(`${locale}: Hello ${input.name}`).join(", ") };
          },
        }),
        refuse: serviceMethod({
          summary: "Refuses.",
          handler: () => {
            throw new RequestError({
              id: "greeting-refused",
              code: 422,
              message: "Not today.",
              additionalInformation: { day: "today" },
            });
          },
        }),
        fail: serviceMethod({
          summary: "Fails.",
          handler: () => {
            throw new Error("It is broken inside.");
          },
        }),
        lie: serviceMethod({
          summary: "Gives what it does not promise.",
          output: Text,
          handler: () => JSON.parse('{ "text": 5 }'),
        }),
        wait: serviceMethod({
          summary: "Waits longer than it may.",
          timeout: 300,
          handler: ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", resolve)),
        }),
        project: serviceMethod({
          summary: "Names the project.",
          session: "required",
          handler: async ({ session }) => (await session.project()).header.name,
        }),
        file: serviceMethod({
          summary: "Makes a file.",
          handler: () =>
            host.files.create({ name: "greeting.txt", mediaType: "text/plain", content: "Hello" }),
        }),
        around: serviceMethod({
          summary: "Calls itself for ever.",
          handler: async () =>
            (await host.service("Greeting", "greeter").call("around", undefined, Type.Unknown())).value,
        }),
      },
    },
  }),
});
