/** Code for the test of the syntax that templates may have. */

/** One piece of code for each kind of statement and expression. */
const samples = [
  ..."d\n--> d|d <!-- d|null|true|`x`|d`x`".split("|"),
  ...`{ d }
    ;
    a: d
    if (d) d; else d
    switch (d) { case 1: d; default: }
    for (;;) break
    for (const x in d);
    for (const x of d);
    while (d) continue
    do d; while (d)
    return d
    throw d
    try { d } catch { d } finally { d }
    try { d } catch ({ x }) { }
    var x
    let x = d
    const x = d
    function f() { return new.target }
    (function () {})
    () => d
    function* f() { yield d; yield* d; }
    async function f() { await d; for await (const x of d); }
    async () => { await d }
    class A {}
    (class extends d { static #x = 1; static { d } static get x() { return super.x } y = #x in d; })
    (class { constructor() { d } set y(z) {} static async *[d]() {} })
    [1, 1n, 0x1f, 1_000, "x", /x/gu]
    [this, , ...d]
    ({ x: d, [d]: d, ...d, d, f() {} })
    const [x, ...y] = d
    const { x, y: [z = 1], ...w } = d
    x = d
    x ||= d
    x ??= d
    x **= d
    [-d, typeof d, void d, delete d.x, x++]
    [d + d, d ** d, d in d, d instanceof d, d && d || d, d ?? d]
    d ? d : d
    (d, d)
    d(d, ...d)
    new d(d)
    [d.x, d[d], d?.x, d?.[d], d?.(d)]
    import('x')
    import('x', { with: {} })
    import.meta
    debugger
    import.source('x')
    import.defer('x')
    import.phase('x')
    with (d) d
    eval('d')
    using x = d
    { using x = d; }
    async () => { await using x = d }
    async () => { for await (using x of d); }
    for (using x of d);
    x = do { d }
    async do { d }
    throw d ?? throw d
    x => throw d
    d |> d
    d::d
    d?.x = 1
    @d class A {}
    class A { accessor x = d }
    module { }
    match (d) { }
    #{ x: 1 }
    #[1]
    import x from 'x'
    import defer * as x from 'x'
    export const x = d`
    .split("\n")
    .map((line) => line.trim()),
];

const words =
  `abstract accessor as assert async await break case catch class const continue debugger default defer delete do
  else enum eval export extends finally for from function get if implements import in instanceof interface let match
  meta module new of opaque package phase private protected public return set source static super switch sync target
  this throw try type typeof unsafe using var void while with yield`.split(/\s+/);

const forms: ((word: string) => string)[] = [
  (word) => word,
  (word) => `${word}("x")`,
  (word) => `${word}("x") { }`,
  (word) => `${word} (d) d`,
  (word) => `${word} x`,
  (word) => `${word} x = d`,
  (word) => `${word} { x: d }`,
  (word) => `(${word} d)`,
  (word) => `(${word} { d })`,
  (word) => `d ${word} d`,
  (word) => `${word}.x`,
  (word) => `${word}.x("x")`,
  (word) => `import.${word}`,
  (word) => `import.${word}("x")`,
  (word) => `import ${word} ("x")`,
  (word) => `new.${word}`,
  (word) => `function.${word}`,
  (word) => `for (${word} x of d);`,
  (word) => `async () => { await ${word} x = d; }`,
  (word) => `async () => { for await (${word} x of d); }`,
  (word) => `(class { ${word} x = d })`,
  (word) => `(class { ${word} { d } })`,
];

const signs = [..."!#%&*+-./:<=>?@^|~\\"];
const letters = [..."abcdefghijklmnopqrstuvwxyz"];
const operators = [
  ...signs,
  ...signs.flatMap((one) => signs.map((other) => one + other)),
  ...["<!--", "-->", "\n-->", ">>>", "**=", "??=", "|||", "<=>", "...", "?.#", "#!", "\n#!"],
];

/** Pieces of code with syntax that JavaScript has, may get, or never gets; an engine knows some of them. */
export const candidates = [
  ...samples,
  ...words.flatMap((word) => forms.map((form) => form(word))),
  ...operators.flatMap((operator) => [`x${operator}d`, `${operator}d`, `x${operator}`]),
  ...letters.flatMap((flag) => [
    `/x/${flag}`,
    `/(?${flag}:x)/`,
    `/(?-${flag}:x)/`,
    `/\\${flag}/u`,
    `/\\${flag}{x}/v`,
  ]),
];
