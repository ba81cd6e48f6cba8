/** Plugins that do what they must not do: their own requests pay at most, and the plugin answers again. */
import t, { type Test } from "tap";
import { FaultDrill, type FaultResult } from "../../host/plugin-load/fault-drill.js";
import { failuresOf, unattributedOf } from "../../host/plugin-load/load.js";
import type { StartFault } from "../../host/plugin-load/plugin-maker.js";
import { faultNames } from "../../host/plugin-load/sample/faults.js";

let drill: FaultDrill;

t.before(async () => {
  drill = await FaultDrill.start(2);
});
t.teardown(() => drill.stop());

function isUntouched(t: Test, { others }: FaultResult): void {
  t.ok(others.length > 0, "others were asked meanwhile");
  t.strictSame([...failuresOf(others), ...unattributedOf(others)], [], "and all of them got their answers");
}

t.test("a version that cannot serve never answers, and everybody can read why", async (t) => {
  const reasons: Record<StartFault, RegExp> = {
    "half-copied": /index\.ts:\d+:\d+: .*\.\/part\.js/,
    "throws-in-setup": /The sample does not want to be set up\./,
    "failing-probe": /The sample is not fit today\./,
    "syntax-error": /part\.ts:1:\d+: Unexpected/,
    "other-sdk-major": /built for Slipway \^99\.0\.0/,
  };
  for (const [broken, expected] of Object.entries(reasons) as [StartFault, RegExp][]) {
    const result = await drill.dropBroken(broken);
    t.match(result.reason, expected, broken);
    t.notMatch(result.reason, /\n| at .*:\d+:\d+|\/tmp/, "in one sentence without paths of the server");
    isUntouched(t, result);
    t.strictSame(failuresOf(result.hit), [], "the version before served throughout");
  }
});

for (const fault of faultNames) {
  t.test(`${fault}: costs its own requests at most`, async (t) => {
    isUntouched(t, await drill.commit(fault));
  });
}

t.test("a new version that fails is replaced by the one before", async (t) => {
  for (const fault of ["exit", "throw"] as const) {
    const result = await drill.dropWrongdoer(fault);
    isUntouched(t, result);
    t.not(result.reason, "", `${fault}: ${result.reason}`);
    t.ok(failuresOf(result.hit).length > 0);
  }
});
