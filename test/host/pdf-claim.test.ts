/**
 * What a report says of itself: that it conforms to PDF/UA-1 if the check finds nothing wrong with it, and only then. The
 * last pass is also tested by itself: no browser prints reports as odd as some of these.
 */

import { checkAccessibility } from "@slipway/sdk/testing";
import t from "tap";
import { finish } from "../../host/pdf/finish/finish.js";
import { type FormContent, withFormContent } from "./pdf-form-content.js";
import { job, page, pageTexts, startedService, varFolder } from "./pdf-support.js";

const noClaim = "06-002";

/** The rules that a PDF breaks beside not saying that it breaks none, and whether it says so. */
async function judged(pdf: Uint8Array): Promise<{ claims: boolean; broken: string[] }> {
  const rules = checkAccessibility(pdf).map(({ rule }) => rule);
  return { claims: !rules.includes(noClaim), broken: rules.filter((rule) => rule !== noClaim) };
}

const bar = `<svg role="img" aria-label="A bar" width="60" height="60"><g opacity="0.5"><rect width="30" height="30" fill="red"/>
<g style="mix-blend-mode:multiply"><circle cx="20" cy="20" r="9"/><text x="5" y="20">T</text></g></g></svg>`;
const table = `<table style="opacity:.9"><tr><th scope="col">Price</th></tr><tr><td>2</td></tr></table>`;

/** For these browsers paint in layers, which they write as forms; how, each of their versions does in its own way. */
const effects: Record<string, string> = {
  blend: `<div style="mix-blend-mode:multiply;background:#eee"><p>One <a href="https://example.com/">two</a></p></div>`,
  "blend in blend": `<div style="mix-blend-mode:multiply;background:#eee"><p>One</p><div style="mix-blend-mode:screen;border:1px solid">Two</div></div>`,
  "blend in a group": `<div style="isolation:isolate"><p>One</p><p style="mix-blend-mode:difference">Two</p></div>`,
  opacity: `<div style="opacity:.5;background:#eee"><p>One</p><ul style="opacity:.5"><li>two</li></ul></div>`,
  filters: `<p style="filter:blur(1px)">One</p><p style="filter:opacity(.4)">two</p><p style="filter:drop-shadow(1px 1px red)">three</p>`,
  mask: `<div style="mask-image:linear-gradient(black,transparent)"><p>One</p></div>`,
  clip: `<div style="clip-path:circle(40%);background:#eee"><p>One</p></div>`,
  svg: bar,
  "all of it": `<div style="opacity:.5"><p>One</p><div style="mix-blend-mode:multiply;background:#eee"><p>Two</p>${table}${bar}</div></div>`,
  "a whole page": `</div><div style="mix-blend-mode:multiply;break-before:page;background:#eee">Two`,
};

t.test("a report with effects claims nothing that the check denies", async (t) => {
  const service = await startedService({ varDirectory: varFolder() });
  t.teardown(() => service.stop());
  for (const [name, body] of Object.entries(effects)) {
    const html = page(`<h1>Effects</h1>${body}`, "<style>@page { @top-left { content: 'Head' } }</style>");
    const tagged = await service.print(job(html, { tagged: true }));
    const { claims, broken } = await judged(tagged.content);
    t.equal(claims, broken.length === 0, `${name}: ${broken}`);
    t.strictSame(
      tagged.errors.map(({ id, scopes }) => ({ id, scopes })),
      claims ? [] : [{ id: "document-not-accessible", scopes: ["WARN"] }],
      name,
    );
    t.strictSame(
      await pageTexts(tagged.content),
      await pageTexts((await service.print(job(html))).content),
      name,
    );
  }
});

t.test("a report with a mistake says which, and does not claim to have none", async (t) => {
  const service = await startedService({ varDirectory: varFolder() });
  t.teardown(() => service.stop());
  const printed = await service.print(job(page("<h1>One</h1><h3>Two</h3>"), { tagged: true }));
  t.strictSame(await judged(printed.content), { claims: false, broken: ["14-003"] });
  t.match(printed.errors, [
    {
      id: "document-not-accessible",
      message: /page 1: After <h1> comes <h3>/,
      scopes: ["WARN"],
      additionalInformation: { findings: [{ rule: "14-003", page: 1 }] },
    },
  ]);
  const untagged = await service.print(job(page("<h1>One</h1><h3>Two</h3>")));
  t.strictSame(untagged.errors, []);
});

t.test("tagged content in forms", async (t) => {
  const good: FormContent = { shown: 1, depth: 1, loose: "", listed: true };
  const cases: [what: string, content: FormContent, broken: string[]][] = [
    ["once", good, []],
    ["in a form within a form", { ...good, depth: 2 }, []],
    ["beside what is not tagged", { ...good, depth: 2, loose: "9 9 9 9 re f" }, []],
    ["twice", { ...good, shown: 2 }, ["clause 7.1", "30-002"]],
    ["twice, in a form within a form", { ...good, depth: 3, shown: 2 }, ["clause 7.1", "30-002"]],
    [
      "beside what is not tagged, too deep to be mended",
      { ...good, depth: 15, loose: "9 9 9 9 re f" },
      ["01-004"],
    ],
    ["of which the parent tree does not know", { ...good, listed: false }, ["clause 7.1"]],
  ];
  for (const [what, content, broken] of cases) {
    const report = withFormContent(content);
    const { content: finished, claim } = await finish({
      report,
      before: [],
      after: [],
      pages: 0,
      tagged: true,
      archive: undefined,
    });
    const verdict = await judged(finished);
    t.equal(verdict.claims, broken.length === 0, what);
    t.strictSame([...verdict.broken].sort(), [...broken].sort(), what);
    t.strictSame(
      claim?.findings.map(({ rule }) => rule),
      verdict.broken,
      `${what}: the finisher says what the check says`,
    );
  }
});

t.test("what cannot be looked at in full is not vouched for", async (t) => {
  const report = withFormContent({ shown: 1, depth: 25, loose: "9 9 9 9 re f", listed: true });
  const { claim } = await finish({
    report,
    before: [],
    after: [],
    pages: 0,
    tagged: true,
    archive: undefined,
  });
  t.match(claim, { made: false, findings: [{ message: /could not be checked: .*without end/ }] });
});

t.test("attachments that claim to conform are looked at too", async (t) => {
  const sound = withFormContent({ shown: 1, depth: 1, loose: "", listed: true });
  const claiming = (
    await finish({ report: sound, before: [], after: [], pages: 0, tagged: true, archive: undefined })
  ).content;
  const joined = (attachment: Uint8Array) =>
    finish({ report: sound, before: [], after: [attachment], pages: 9, tagged: true, archive: undefined });
  const both = await joined(claiming);
  t.strictSame(both.claim, { made: true, findings: [] });
  t.strictSame(await judged(both.content), { claims: true, broken: [] });
  const silent = await joined(sound);
  t.strictSame(silent.claim, { made: false, findings: [] }, "one that does not claim it");
  t.strictSame(await judged(silent.content), { claims: false, broken: [] });
  // It still says so of itself, but does not show its figure any more.
  const wrong = Buffer.from(claiming).toString("latin1").replace("\nstream\n/X Do\n", "\nstream\n0 0 S\n");
  t.not(wrong, Buffer.from(claiming).toString("latin1"));
  const { claim, content } = await joined(Buffer.from(wrong, "latin1"));
  t.equal(claim?.made, false);
  const verdict = await judged(content);
  t.equal(verdict.claims, false);
  t.ok(verdict.broken.length > 0);
});
