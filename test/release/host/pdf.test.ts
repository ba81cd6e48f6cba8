import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import sharp from "sharp";
import t from "tap";
import {
  browserOf,
  job,
  newService,
  open,
  page,
  pageTexts,
  pictures,
  processesOf,
  quiet,
  resources,
  startedService,
  varFolder,
} from "../../host/pdf-support.js";

const hash = (digit: string): string => digit.repeat(64);

async function noise(channels: 3 | 4, alpha = 1): Promise<Uint8Array> {
  const background = channels === 3 ? { r: 200, g: 30, b: 40 } : { r: 200, g: 30, b: 40, alpha };
  const picture = sharp({ create: { width: 300, height: 200, channels, background } });
  return new Uint8Array(await picture.png().toBuffer());
}

t.test("prints documents", async (t) => {
  const varDirectory = varFolder();
  const service = await startedService({ varDirectory });
  t.teardown(() => service.stop());
  t.equal(service.health().state, "ready", service.health().detail);

  t.test("text, one page and several", async (t) => {
    const one = await service.print(job(page("<h1>Grüße an Łódź</h1>")));
    t.equal(one.pages, 1);
    t.strictSame(one.errors, []);
    t.strictSame(await pageTexts(one.content), ["Grüße an Łódź"]);
    const three = await service.print(
      job(page("<p>A</p><p style='break-before:page'>B</p><p style='break-before:page'>C</p>")),
    );
    t.equal(three.pages, 3);
    t.strictSame(await pageTexts(three.content), ["A", "B", "C"]);
  });

  t.test("a title that looks like the pages of a PDF counts as none", async (t) => {
    const html = page("<h1>One page</h1>").replace("<title>Test", "<title>/Type /Pages /Count 9999");
    t.equal((await service.print(job(html))).pages, 1);
  });

  t.test("the page size and the page numbers of the style sheet", async (t) => {
    const style =
      '<style>@page { size: A5; margin: 2cm; @bottom-right { content: counter(page) "/" counter(pages) } }</style>';
    const printed = await service.print(job(page("one<p style='break-before:page'>two", style)));
    t.strictSame(await pageTexts(printed.content), ["1/2 one", "2/2 two"]);
    const document = await open(printed.content);
    t.strictSame((await document.getPage(1)).view.map(Math.round), [0, 0, 420, 595]);
  });

  t.test(
    "the body that is hidden on screen is there in print, whatever the template says of it",
    async (t) => {
      const printed = await service.print(job("<body style='display:flex'>naked <b>document</b>"));
      t.match((await pageTexts(printed.content))[0], /naked document/);
    },
  );

  t.test("tags, language, title and outline where they are asked for, and only there", async (t) => {
    const html = page(
      "<h1>Order</h1><table><thead><tr><th scope=col>No</th></tr></thead><tr><td>1</td></tr></table>",
    );
    const tagged = await open((await service.print(job(html, { tagged: true }))).content);
    const roles = JSON.stringify(await (await tagged.getPage(1)).getStructTree());
    for (const role of ["H1", "Table", "TH", "TD"]) t.match(roles, `"role":"${role}"`);
    const { info } = await tagged.getMetadata();
    t.match(info, { Title: "Test", Language: "en" });
    t.equal((await tagged.getOutline())[0]?.title, "Order");
    const plain = await open((await service.print(job(html))).content);
    t.equal(await (await plain.getPage(1)).getStructTree(), null);
  });

  t.test("opaque pictures as JPEG, transparent ones as they are, also from style sheets", async (t) => {
    const files = resources({
      [`/assets/${hash("a")}`]: { mediaType: "image/png", content: await noise(3) },
      [`/assets/${hash("b")}`]: { mediaType: "image/png", content: await noise(4, 0.5) },
      [`/assets/${hash("c")}`]: { mediaType: "image/png", content: await noise(4, 1) },
      [`/assets/${hash("d")}`]: {
        mediaType: "image/jpeg",
        content: new Uint8Array(
          await sharp(await noise(3))
            .jpeg()
            .toBuffer(),
        ),
      },
    });
    const image = (digit: string): string => `<img src="/assets/${hash(digit)}" alt="">`;
    const kinds = async (body: string) =>
      pictures((await service.print(job(page(body), { resources: files }))).content);
    t.strictSame(await kinds(image("a")), { jpeg: 1, other: 0 }, "opaque PNG");
    t.match(await kinds(image("b")), { jpeg: 0 }, "transparent PNG");
    t.not((await kinds(image("b"))).other, 0, "transparent PNG is there");
    t.strictSame(await kinds(image("c")), { jpeg: 1, other: 0 }, "opaque PNG with an alpha channel");
    t.strictSame(await kinds(image("d")), { jpeg: 1, other: 0 }, "JPEG");
    const background = `<div style="width:9cm;height:6cm;background:url(/assets/${hash("a")})"></div>`;
    t.strictSame(await kinds(background), { jpeg: 1, other: 0 }, "background");
    t.strictSame(
      await kinds(image("a").replace("src", "loading=lazy src")),
      { jpeg: 1, other: 0 },
      "lazy picture",
    );
  });

  t.test("a picture that is not there is a warning", async (t) => {
    const path = `/assets/${hash("e")}`;
    const printed = await service.print(job(page(`still here <img src="${path}">`)));
    t.match(await pageTexts(printed.content), [/still here/]);
    t.match(printed.errors, [
      { id: "document-resource-missing", scopes: ["WARN"], additionalInformation: { paths: [path] } },
    ]);
  });

  t.test("files on other servers are never loaded, and a warning says so", async (t) => {
    const style = "<link rel=stylesheet href='https://example.com/style.css'>";
    const printed = await service.print(
      job(page(`still here <img src="http://example.com/a/logo.png?key=secret" alt="">`, style)),
    );
    t.match(await pageTexts(printed.content), [/still here/]);
    t.match(printed.errors, [
      { id: "document-resource-missing", additionalInformation: { paths: { length: 2 } } },
    ]);
    for (const address of ["https://example.com/style.css", "http://example.com/a/logo.png"])
      t.match(printed.errors[0]?.message, address);
    t.notMatch(JSON.stringify(printed.errors), "secret");
    t.strictSame((await service.print(job(page("the next one")))).errors, [], "of its own document");
  });

  t.test("documents see their own files only: one after the other and at once", async (t) => {
    const path = `/assets/${hash("f")}`;
    const own = resources({ [path]: { mediaType: "image/png", content: await noise(3) } });
    // The second spelling is one that only the browser understands.
    for (const spelling of [path, path.replace("/assets", "/&#97;ssets")]) {
      const html = page(`<img src="${spelling}" alt="">`);
      const owner = job(html, { resources: own });
      for (let round = 0; round < 8; round++) {
        const [mine, other] = await Promise.all([service.print({ ...owner }), service.print(job(html))]);
        t.strictSame(pictures(mine.content), { jpeg: 1, other: 0 }, "the owner sees it");
        t.strictSame(pictures(other.content), { jpeg: 0, other: 0 }, "the other one does not");
      }
    }
  });

  t.test("a font of the template, at its first use and when it is missing", async (t) => {
    const font = "node_modules/@expo-google-fonts/noto-sans/900Black/NotoSans_900Black.ttf";
    const path = "/templates/0123456789abcdef/own.ttf";
    const html = page(
      "<p style='font-family:Own'>word</p>",
      `<style>@font-face{font-family:Own;src:url(${path})}</style>`,
    );
    const files = resources({ [path]: { mediaType: "font/ttf", content: readFileSync(font) } });
    const printed = await service.print(job(html, { resources: files }));
    t.match(Buffer.from(printed.content).toString("latin1"), /NotoSans-Black/);
    const without = await service.print(job(html));
    t.notMatch(Buffer.from(without.content).toString("latin1"), /NotoSans-Black/);
    t.strictSame(await pageTexts(without.content), ["word"]);
    t.match(without.errors, [{ id: "document-resource-missing" }]);
  });

  t.test("characters without a glyph are named in a warning", async (t) => {
    const printed = await service.print(job(page("Preis: 5 € für 椅子, auch &#x6905; und 椅\u200d")));
    t.match(printed.errors, [
      {
        id: "font-glyph-missing",
        type: "font",
        scopes: ["WARN"],
        additionalInformation: { characters: ["椅", "子"] },
      },
    ]);
  });

  t.test("Latin, Greek and Cyrillic texts are printed as they are written", async (t) => {
    const texts = [
      "Łódź, Čeština, Ångström, İstanbul, Việt Nam",
      "Ελληνικά: Καρέκλα ώ",
      "Кириллица: Стул ё, Ґудзик",
    ];
    const printed = await service.print(job(page(texts.map((text) => `<p>${text}</p>`).join(""))));
    t.strictSame(printed.errors, []);
    t.strictSame(await pageTexts(printed.content), [texts.join(" ")]);
  });

  t.test("scripts run for templates that ask for it, each in a context of its own", async (t) => {
    const html = page(
      "<p id=p></p><script>p.textContent = 'seen ' + (localStorage.seen ?? 'nothing'); localStorage.seen = 'before'</script>",
    );
    t.strictSame(await pageTexts((await service.print(job(html, { scripts: true }))).content), [
      "seen nothing",
    ]);
    t.strictSame(await pageTexts((await service.print(job(html, { scripts: true }))).content), [
      "seen nothing",
    ]);
    t.strictSame(await pageTexts((await service.print(job(html))).content), [""]);
  });

  t.test("many at once, each its own, and pages that are replaced in between", async (t) => {
    const busy = await startedService({
      varDirectory: varFolder(),
      pdf: { pages: 2, queueLength: 100, recycling: { documents: 5 } },
    });
    t.teardown(() => busy.stop());
    // None where the start of the browser takes longer than that of the service.
    t.ok(busy.health().pages <= 1, "one page is open until there is work for more");
    await busy.print(job(page("first")));
    await busy.print(job(page("second")));
    t.equal(busy.health().pages, 1, "documents one after the other need no further page");
    const numbers = Array.from({ length: 60 }, (_, index) => `document ${index}`);
    const printed = await Promise.all(numbers.map((text) => busy.print(job(page(text)))));
    t.strictSame((await Promise.all(printed.map((each) => pageTexts(each.content)))).flat(), numbers);
    const { pages, ...health } = busy.health();
    t.match(health, { queued: 0, running: 0, restarts: 0 });
    t.ok(pages > 1, `${pages} pages are open`);
  });
});

t.test("documents that take their pages with them do not open more and more", async (t) => {
  const service = await startedService({ varDirectory: varFolder(), pdf: { pages: 2, queueLength: 200 } });
  t.teardown(() => service.stop());
  const head = '<meta name="theme-color" content="#f00">';
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, service.health().pages);
  }, 5);
  t.teardown(() => clearInterval(watching));
  const numbers = Array.from({ length: 100 }, (_, index) => `document ${index}`);
  const printed = await Promise.all(numbers.map((text) => service.print(job(page(text, head)))));
  t.strictSame((await Promise.all(printed.map((each) => pageTexts(each.content)))).flat(), numbers);
  // One more than print, so that none has to wait for a page that gives memory back.
  t.ok(most <= 3, `at most ${most} pages are open`);
});

t.test("the icon that a browser asks for does not cost its page", async (t) => {
  const service = await startedService({ varDirectory: varFolder(), pdf: { pages: 1 } });
  t.teardown(() => service.stop());
  for (const text of ["one", "two"]) {
    const printed = await service.print(job(page(`${text}<img alt="" src="/favicon.ico">`)));
    t.strictSame(printed.errors, []);
    t.strictSame(await pageTexts(printed.content), [text]);
    t.equal(service.health().pages, 1, "the page is there for the next one");
  }
});

t.test("a browser that was replaced leaves the pages of the next one alone", async (t) => {
  const ready: (() => void)[] = [];
  const isReady = (): Promise<void> => new Promise((resolve) => ready.push(resolve));
  const info = (message: string): void => {
    if (message === "the browser is ready") ready.shift()?.();
  };
  const first = isReady();
  const service = await startedService({
    varDirectory: varFolder(),
    pdf: { pages: 1, recycling: { browserDocuments: 15 } },
    log: { ...quiet, info },
  });
  t.teardown(() => service.stop());
  await first;
  const next = isReady();
  const printed = async (text: string): Promise<void> => {
    const { content } = await service.print(job(page(text), { deadline: Date.now() + 20_000 }));
    t.strictSame(await pageTexts(content), [text]);
  };
  for (let number = 1; number <= 15; number++) await printed(`document ${number}`);
  // Holds the page of the old browser, which is being replaced now, until the new one is there.
  let end = (): void => undefined;
  const held = new Promise<undefined>((resolve) => {
    end = () => resolve(undefined);
  });
  const last = service.print(
    job(page(`last <img src="/assets/${hash("a")}">`), {
      resources: { load: () => held, has: () => Promise.resolve(true) },
    }),
  );
  await next;
  end();
  t.strictSame(await pageTexts((await last).content), ["last"]);
  for (let number = 1; number <= 12; number++) await printed(`next ${number}`);
  // Longer than a browser without documents waits until its pages give memory back.
  await pause(1000);
  await printed("after a pause");
  t.equal(service.health().restarts, 0);
});

t.test("leaves nothing behind when it stops, and refuses afterwards", async (t) => {
  const varDirectory = varFolder();
  const temporary = varFolder();
  const { TMPDIR } = process.env;
  process.env["TMPDIR"] = temporary;
  t.teardown(() => {
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
  });
  const service = await startedService({ varDirectory });
  const browser = browserOf(varDirectory);
  t.ok(processesOf(browser).length > 2, "browser and pages run");
  const last = service.print(job(page("last words")));
  await service.stop();
  t.strictSame(await pageTexts((await last).content), ["last words"]);
  t.strictSame(processesOf(browser), []);
  t.strictSame(readdirSync(join(varDirectory, "pdf")), ["fonts"], "no profile is left");
  t.strictSame(readdirSync(temporary), [], "nor what a full browser has in the temporary folder");
  await t.rejects(service.print(job(page("late"))), { code: 503, id: "plugin-unavailable" });
  t.equal(service.health().state, "stopped");
});

t.test("a configured browser that is none stops the start with its name and origin", async (t) => {
  const service = newService({ varDirectory: varFolder(), pdf: { executable: "/nowhere/browser" } });
  await t.rejects(service.start(), /pdf\.executable.*\/nowhere\/browser/);
  await service.stop();
});
