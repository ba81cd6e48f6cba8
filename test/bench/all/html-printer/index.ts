/** Prints the HTML of a request with the pictures of the session's project, so that Slipway does the same work as services that take HTML. */
import { definePlugin, route, Type } from "@slipway/sdk";

export default definePlugin({
  setup(host) {
    return {
      routes: [
        route.post("print", {
          summary: "Prints HTML, tagged",
          session: "required",
          body: Type.Object({ html: Type.String() }),
          handler: async ({ body: { html } }) => {
            const { file, errors } = await host.pdf.render({ html, filename: "document", tagged: true });
            const [error] = errors;
            // A document without its pictures would be a faster one.
            if (error !== undefined)
              throw new Error(`The document lacks something: ${JSON.stringify(error)}`);
            return { url: file.url };
          },
        }),
      ],
    };
  },
});
