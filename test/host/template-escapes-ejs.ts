/** Ways out that EJS itself had, through data, through the arguments of include and through the text of a template. */

/** Hostile data for a template; `code` as in `Escape`, with the partial "inner" at hand, which prints "inner". */
export interface DataEscape {
  /** JSON. */
  data: string;
  code: string;
  works: boolean;
}

const injected = "x; return 'reached'; //";

/** Options that versions of EJS read from data and put into code. */
const options: Record<string, unknown> = {
  outputFunctionName: injected,
  localsName: injected,
  escapeFunction: injected,
  escape: injected,
  escapeXML: injected,
  destructuredLocals: [injected],
  client: true,
  compileDebug: true,
  debug: true,
  async: true,
  _with: true,
  strict: false,
  delimiter: "n",
  openDelimiter: "i",
  closeDelimiter: "r",
  filename: "/etc/passwd",
  root: "/",
  views: ["/etc"],
  cache: true,
  context: { inner: 1 },
};

const isChanged = '!== "inner" && { pid: 1 }';

function fromOptions(name: string, value: unknown): [string, DataEscape][] {
  const one = { [name]: value };
  const data = JSON.stringify({ ...one, settings: { "view options": one }, locals: one, _locals: one });
  return [
    [
      `${name} in the data (CVE-2022-29078)`,
      { data, code: `include("inner", d.data) ${isChanged}`, works: false },
    ],
    [
      `${name} as an argument of include`,
      { data, code: `include("inner", {}, d.data, d.data) ${isChanged}`, works: false },
    ],
  ];
}

const merging = `(() => {
  const merge = (to, from) => {
    for (const name of Object.keys(from)) {
      if (typeof from[name] === "object") merge(to[name] ??= {}, from[name]);
      else to[name] = from[name];
    }
  };
  try { merge({}, d.data); return ({}).escape && { pid: 1 }; }
  finally { delete Object.prototype.escape; delete Object.prototype.outputFunctionName; }
})()`;

const passing = `(() => {
  include("inner", d.data);
  include("inner", { ...d.data, ...d.data.constructor });
  Object.assign({}, d.data);
  d.t("x", d.data);
  d.number("1", d.data);
  return (({}).escape || [].escape || (() => {}).escape) && { pid: 1 };
})()`;

const polluting = {
  prototype: `{"__proto__": {"escape": ${JSON.stringify(injected)}, "outputFunctionName": ${JSON.stringify(injected)}}}`,
  constructor: `{"constructor": {"prototype": {"escape": ${JSON.stringify(injected)}}}}`,
};

export const dataEscapes: Record<string, DataEscape> = {
  ...Object.fromEntries(Object.entries(options).flatMap(([name, value]) => fromOptions(name, value))),
  "__proto__ in the data": { data: polluting.prototype, code: passing, works: false },
  "constructor.prototype in the data": { data: polluting.constructor, code: passing, works: false },
  "__proto__ in data that the template merges": { data: polluting.prototype, code: merging, works: true },
  "a partial outside of the template": {
    data: '{"path": "../../../../../../../etc/passwd"}',
    code: "(() => { try { return include(d.data.path) && { pid: 1 }; } catch {} })()",
    works: false,
  },
  "a partial by the name of a member of all objects": {
    data: '{"path": "constructor"}',
    code: "(() => { try { return include(d.data.path) && { pid: 1 }; } catch {} })()",
    works: false,
  },
};

/** Whole reports that close what EJS generated; where they succeed, "reached" is in the output. */
export interface TextEscape {
  report: string;
  works: boolean;
}

/** "reached" in a way that its own text does not show. */
const reached = "typeof process === 'object' ? 'rea' + 'ched' : 'held'";

export const textEscapes: Record<string, TextEscape> = {
  "the end of the function": {
    report: `<% } catch {} return __output; }), ((d) => { return ${reached}; try { %>`,
    works: false,
  },
  "the end of the block around the code": {
    report: `<% } catch {} finally { return ${reached}; } try { %>`,
    works: false,
  },
  "the end of the call that prints": {
    report: `<% let found; %><%= 1)); found = ${reached}; ((2 %><%= found %>`,
    works: true,
  },
  "a comment over tags": {
    report: `<% /* %>" + (${reached}) + "<% */ %>`,
    works: false,
  },
  "a template literal over tags": {
    report: `<% const found = \` %>\${${reached}}<% \`; %><%= found %>`,
    works: true,
  },
  "text that ends its own quotes": { report: `\\"); __append(${reached}); //`, works: false },
  "a backslash before the end of a line": {
    report: `\\\n"); __append(${reached}); ("\\`,
    works: false,
  },
  "line separators in text": { report: `\u2028"); __append(${reached}); //\u2029`, works: false },
  "a line separator in a comment": { report: `<% // \u2028 __append(${reached}); %>`, works: true },
  "a carriage return in a comment": { report: `<% // \r __append(${reached}); %>`, works: true },
  "tags that trim": { report: `<%_ const found = ${reached}; _%>  <%- found -%>\n`, works: true },
  "a comment tag with code": { report: `<%# */ __append(${reached}); /* %>`, works: false },
  "a tag in a tag": { report: `<%= "<%%" + (${reached}) %>`, works: false },
  "other delimiters": {
    report: `[%= ${reached} %]<?= ${reached} ?>\${${reached}}#{${reached}}`,
    works: false,
  },
  "an HTML comment in code": { report: `<% <!-- %><% \n __append(${reached}); %>`, works: true },
  "the end of an HTML comment in code": { report: `<% \n--> x\n __append(${reached}); %>`, works: true },
  "the function that is called for errors": {
    report: `<% try { rethrow(include, 1); } catch (it) { __append(it.constructor("return ${reached.replaceAll("'", "`")}")()); } %>`,
    works: true,
  },
  "the arguments of the function": {
    report: `<% __append([...arguments].map((it) => { try { return it.constructor("return ${reached.replaceAll("'", "`")}")(); } catch {} }).join("")) %>`,
    works: true,
  },
  "the function that tells where it is": {
    report: `<% began(() => process); __append(began.constructor("return ${reached.replaceAll("'", "`")}")()); %>`,
    works: true,
  },
};
