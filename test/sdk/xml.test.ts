import { DocumentXmlWriter, StreamingXmlWriter, type XmlAttributes, type XmlWriter } from "@slipway/sdk";
import fc from "fast-check";
import { XmlDocument, type XmlElement } from "libxml2-wasm";
import t from "tap";
import { canonicalXml } from "./canonical-xml.js";

/** Writes the same with both writers. */
function byBoth(write: (writer: XmlWriter) => void): { streamed: string; built: string } {
  const streaming = new StreamingXmlWriter({ declaration: true });
  const building = new DocumentXmlWriter({ declaration: true });
  write(streaming);
  write(building);
  return { streamed: streaming.take(), built: building.text() };
}

/** What XML 1.0 allows of a text, character by character: the rule of the format, not the one of the writers. */
function allowed(text: string): string {
  return [...text]
    .filter((character) => {
      const code = character.codePointAt(0) ?? 0;
      return (
        code === 9 ||
        code === 10 ||
        code === 13 ||
        (code >= 0x20 && code <= 0xd7ff) ||
        (code >= 0xe000 && code <= 0xfffd) ||
        code >= 0x10000
      );
    })
    .join("");
}

const seed = 20_261_121;
const unit = fc.oneof(
  fc.constantFrom("]]>", "]]", ">", "&", "<", "&amp;", "&lt;", "&nbsp;", "&#10;", "<![CDATA[", '"', "'"),
  fc.constantFrom("\t", "\n", "\r", "\r\n", "  ", "\u0000", "\u001f", "\u007f", "\u0085", "\u2028"),
  fc.constantFrom("\ufffe", "\uffff", "\ud83e", "\udeb1", "🪑", "家", "\u0301"),
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  fc.string(),
);
const anyText = fc.array(unit, { maxLength: 12 }).map((parts) => parts.join(""));

t.test("what the streaming writer writes", async (t) => {
  const writer = new StreamingXmlWriter();
  writer.open("order", { number: 7, note: undefined, empty: "" });
  writer.element("text", `a & b < c > d "e" 'f'\r\n\tg ]]> &amp;`);
  writer.element("nothing", "");
  writer.element("nothing", "\u0000", { lang: "de" });
  writer.open("list", { at: `<&>"'\r\n\t` });
  writer.close();
  writer.cdataElement("raw", "<a>&amp;</a>");
  writer.cdataElement("raw", "a]]>b");
  writer.cdataElement("raw", "");
  writer.close();
  t.equal(
    writer.take(),
    `<order number="7" empty=""><text>a &amp; b &lt; c &gt; d "e" 'f'&#13;\n\tg ]]&gt; &amp;amp;</text>` +
      `<nothing/><nothing lang="de"/><list at="&lt;&amp;&gt;&quot;'&#13;&#10;&#9;"/>` +
      "<raw><![CDATA[<a>&amp;</a>]]></raw><raw><![CDATA[a]]]]><![CDATA[>b]]></raw><raw/></order>",
  );
  t.throws(() => writer.close(), { message: /no element is open/ });

  const odd = "a\u0000\u0008b\u000b\u000cc\u000e\u001fd\ufffe\uffffe\ud83ef\udeb1g🪑h\u0085";
  writer.element("x", odd, { y: odd });
  writer.cdataElement("x", odd);
  const kept = "abcdefg🪑h\u0085";
  t.equal(
    writer.take(),
    `<x y="${kept}">${kept}</x><x><![CDATA[${kept}]]></x>`,
    "what XML cannot hold is dropped",
  );
  writer.cdataElement("x", "]]\u0000>");
  t.equal(canonicalXml(writer.take()), "<x>]]&gt;</x>", "also where dropping makes an end of the section");
});

t.test("text is taken in parts", async (t) => {
  const whole = new StreamingXmlWriter({ declaration: true, pretty: true });
  const parts = new StreamingXmlWriter({ declaration: true, pretty: true });
  const taken: string[] = [];
  const step = (write: (writer: XmlWriter) => void): void => {
    write(whole);
    write(parts);
    taken.push(parts.take());
    t.equal(parts.length, 0);
  };
  step((writer) => writer.open("a", { b: 1 }));
  t.match(taken[0], /^<\?xml version="1.0" encoding="UTF-8"\?>\n<a b="1">$/, "start tags are whole");
  step((writer) => writer.element("c", "text"));
  step((writer) => writer.open("d"));
  step((writer) => writer.open("e"));
  step((writer) => writer.close());
  step((writer) => writer.close());
  step((writer) => writer.element("f", ""));
  step((writer) => writer.close());
  const text = whole.take();
  t.equal(
    text,
    `<?xml version="1.0" encoding="UTF-8"?>
<a b="1">
  <c>text</c>
  <d>
    <e/>
  </d>
  <f/>
</a>`,
  );
  t.equal(taken.join(""), text.replace("<e/>", "<e></e>"), "an empty element may be taken open");
  t.equal(whole.take(), "", "nothing is given twice");

  const fragments = new StreamingXmlWriter();
  fragments.open("a");
  t.ok(fragments.length > 0);
  fragments.close();
  fragments.element("b", "1");
  t.equal(fragments.take(), "<a/><b>1</b>", "fragments need no root and no declaration");
});

t.test("the document writer is for whole documents", async (t) => {
  const writer = new DocumentXmlWriter();
  t.throws(() => writer.close(), { message: /no element is open/ });
  writer.open("a");
  t.throws(() => writer.text(), { message: /1 elements are still open/ });
  writer.element("b", "&lt;&nbsp;\u0001");
  writer.close();
  t.equal(writer.text(), "<a><b>&amp;lt;&amp;nbsp;</b></a>");
});

t.test("any text comes back as it was, whoever writes it", async (t) => {
  const property = fc.property(anyText, anyText, (text, attribute) => {
    const { streamed, built } = byBoth((writer) => {
      writer.open("root", { attribute });
      writer.element("text", text);
      writer.cdataElement("raw", text);
      writer.close();
    });
    const document = XmlDocument.fromString(streamed);
    try {
      const root: XmlElement = document.root;
      const children = ["text", "raw"].map((name) => root.get(name)?.content);
      const lineEnds = allowed(text).replace(/\r\n?/g, "\n");
      return (
        root.attr("attribute")?.value === allowed(attribute) &&
        children[0] === allowed(text) &&
        // CDATA has no references: parsers make line feeds of other line ends there.
        children[1] === lineEnds &&
        !/<text>[^<]*\]\]>/.test(streamed) &&
        canonicalXml(streamed) === canonicalXml(built)
      );
    } finally {
      document.dispose();
    }
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 500, seed }));
});

t.test("both writers give the same document", async (t) => {
  interface Tree {
    name: string;
    attributes: XmlAttributes;
    content: string | Tree[];
    raw: boolean;
  }
  const name = fc.constantFrom("a", "docItem", "x-y", "v.1", "_z");
  const attributes: fc.Arbitrary<XmlAttributes> = fc.dictionary(
    fc.constantFrom("aNo", "lang", "b"),
    fc.oneof(anyText, fc.integer(), fc.constant(undefined)),
  );
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.record({
      name,
      attributes,
      content: fc.oneof({ maxDepth: 5 }, anyText, fc.array(tie("tree"), { maxLength: 4 })),
      raw: fc.boolean(),
    }),
  }));
  const write = (writer: XmlWriter, { name, attributes, content, raw }: Tree): void => {
    if (typeof content === "string") {
      if (raw) writer.cdataElement(name, content, attributes);
      else writer.element(name, content, attributes);
      return;
    }
    writer.open(name, attributes);
    for (const child of content) write(writer, child);
    writer.close();
  };
  const property = fc.property(tree, (each) => {
    const { streamed, built } = byBoth((writer) => write(writer, each));
    return canonicalXml(streamed) === canonicalXml(built);
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 300, seed }));
});
