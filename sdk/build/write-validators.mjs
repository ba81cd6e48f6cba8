/** Writes the validators of what each process of a host, or each of a plugin, checks while it starts or soon afterwards. */
import { join } from "node:path";
import { writeValidators } from "./validator-files.mjs";

const dist = join(import.meta.dirname, "..", "dist");

await writeValidators({
  folder: join(dist, "validators"),
  built: join(dist, ".tsbuildinfo"),
  schemas: async () => ({
    ...(await messages()),
    procedure: (await import("../dist/project/procedure.js")).PricingProcedure,
    project: (await import("../dist/project/document.js")).ProjectDocument,
    "template-file": (await import("../dist/plugin/template-file.js")).TemplateFile,
  }),
});

async function messages() {
  const { Answer, Handle, Run, RunHook, Serve } = await import(
    "../dist/runtime/messages/request-messages.js"
  );
  const { MetricReport } = await import("../dist/runtime/messages/metric-report.js");
  const { PluginDescription } = await import("../dist/runtime/messages/plugin-description.js");
  return {
    answer: Answer,
    description: PluginDescription,
    handle: Handle,
    hook: RunHook,
    metric: MetricReport,
    run: Run,
    serve: Serve,
  };
}
