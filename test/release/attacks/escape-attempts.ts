/** What a hostile plugin tries, and what only one layer of the confinement refuses. */
import { join } from "node:path";
import { repository } from "../../start-host.js";

/** Each is the body of an async function, with `secret`, `host`, `port` and `pid` in scope. It returns what it got. */
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: code of the plugin
export const attempts: Record<string, string> = {
  "read a file of var": 'return fs.readFileSync(secret, "utf8");',
  "read it with promises": 'return await (await import("node:fs/promises")).readFile(secret, "utf8");',
  "read it as a stream": "for await (const part of fs.createReadStream(secret)) return String(part);",
  "open it": 'return fs.readSync(fs.openSync(secret, "r"), Buffer.alloc(9));',
  "copy it": 'fs.copyFileSync(secret, "copy"); return fs.readFileSync("copy", "utf8");',
  "read it through a link": 'fs.symlinkSync(secret, "link"); return fs.readFileSync("link", "utf8");',
  "read it through a hard link": 'fs.linkSync(secret, "hard"); return fs.readFileSync("hard", "utf8");',
  "read it by the working folder of another process":
    "return fs.readFileSync(`/proc/${pid}/root${secret}`, 'utf8');",
  "read it by its own root": "return fs.readFileSync(`/proc/self/root${secret}`, 'utf8');",
  "read it with dots":
    "return fs.readFileSync(`${process.cwd()}/../../../../../../../../..${secret}`, 'utf8');",
  "read it as a buffer path": 'return fs.readFileSync(Buffer.from(secret), "utf8");',
  "read it as a file address": "return fs.readFileSync(new URL(`file://${secret}`), 'utf8');",
  "import it": "return (await import(`file://${secret}?`, { with: { type: 'json' } })).default;",
  "require it": 'return (await import("node:module")).createRequire(import.meta.url)(secret);',
  "list var": "return fs.readdirSync(varFolder);",
  "list the root": 'return fs.readdirSync("/home");',
  "see whether it is there": "fs.statSync(secret); return 'there';",
  "watch it": "fs.watch(secret).close(); return 'watched';",
  "truncate it": "fs.truncateSync(secret); return 'cut';",
  "remove it": "fs.rmSync(secret); return 'gone';",
  "rename it": "fs.renameSync(secret, 'x'); return 'moved';",
  "change its mode": "fs.chmodSync(secret, 0o777); return 'changed';",
  "change its times": "fs.utimesSync(secret, 0, 0); return 'changed';",
  "write beside it": "fs.writeFileSync(`${secret}.new`, 'x'); return 'written';",
  "write into its own folder": "fs.writeFileSync('plugin.mjs', 'x'); return 'written';",
  "make a folder": "fs.mkdirSync(`${varFolder}/new`); return 'made';",
  "make a temporary folder": 'fs.mkdtempSync("/tmp/x"); return "made";',
  "write to shared memory": "fs.writeFileSync('/dev/shm/x', 'x'); return 'written';",
  "write into another's snapshot": "fs.writeFileSync(`${varFolder}/snapshots/x`, 'x'); return 'written';",
  "write code of the host": `fs.appendFileSync(${JSON.stringify(join(repository, "host", "dist", "cli", "slipway.js"))}, "\\n"); return 'written';`,
  "read the environment of the host": "return fs.readFileSync(`/proc/${pid}/environ`, 'utf8');",
  "read the memory of the host": "return fs.readFileSync(`/proc/${pid}/maps`, 'utf8');",
  "read an open file of the host": "return fs.readdirSync(`/proc/${pid}/fd`);",
  "read the command of the host": "return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');",
  "read the database socket's folder": 'return fs.readdirSync("/var/run/postgresql");',
  "read passwords of the system": 'return fs.readFileSync("/etc/shadow", "utf8");',
  "start a program":
    'return (await import("node:child_process")).execFileSync("/bin/cat", [secret], { encoding: "utf8" });',
  "start a shell": 'return (await import("node:child_process")).execSync("id", { encoding: "utf8" });',
  fork: 'const child = (await import("node:child_process")).fork("plugin.mjs"); child.kill(); return "forked";',
  "start a cluster": '(await import("node:cluster")).default.fork().process.kill(); return "forked";',
  "start a thread":
    'const { Worker } = await import("node:worker_threads"); await new Promise((done, failed) => new Worker("0", { eval: true }).on("exit", done).on("error", failed)); return "ran";',
  "start a thread without limits":
    'new (await import("node:worker_threads")).Worker("0", { eval: true, execArgv: [] }); return "ran";',
  "load native code": "process.dlopen({ exports: {} }, '/lib/x86_64-linux-gnu/libc.so.6'); return 'loaded';",
  "use an internal binding": "return Object.keys(process.binding('fs'));",
  "open the inspector":
    '(await import("node:inspector")).open(0); return (await import("node:inspector")).url();',
  "join an inspector session": 'new (await import("node:inspector")).Session().connect(); return "joined";',
  "use system interfaces of WebAssembly":
    'new (await import("node:wasi")).WASI({ version: "preview1", preopens: { "/": "/" } }); return "made";',
  "signal the host": "process.kill(pid, 0); return 'reached';",
  "end the host": "process.kill(pid, 'SIGTERM'); return 'sent';",
  "signal all": "process.kill(-1, 0); return 'reached';",
  "signal its parent": "process.kill(process.ppid === 1 ? pid : process.ppid, 0); return 'reached';",
  "connect to the loopback": "return await reached(net.connect(port, '127.0.0.1'));",
  "connect to the loopback by its name": "return await reached(net.connect(port, 'localhost'));",
  "connect to the metadata address": "return await reached(net.connect(80, '169.254.169.254'));",
  "connect to the database": "return await reached(net.connect('/var/run/postgresql/.s.PGSQL.5432'));",
  "connect to an abstract socket": "return await reached(net.connect('\\0slipway-abstract'));",
  "fetch from the loopback": "return (await fetch(`http://127.0.0.1:${port}`)).status;",
  "fetch from the host": "return (await host.fetch('http://example.com/')).status;",
  "call a service": "return await host.service('Reporter@^1.0.0', 'reports').call('print', {});",
  "send a datagram":
    'const { createSocket } = await import("node:dgram"); return await new Promise((done, failed) => createSocket("udp4").on("error", failed).send("x", port, "127.0.0.1", (error) => error ? failed(error) : done("sent")));',
  "ask for a name": 'return (await (await import("node:dns/promises")).resolve4("example.com"))[0];',
  "use descriptors that were left open":
    "for (let fd = 4; fd < 40; fd++) try { if (fs.fstatSync(fd).isFile()) return fs.readFileSync(fd, 'utf8'); } catch {} throw new Error('none');",
  "see its grants changed":
    'process.permission && Object.defineProperty(process.permission, "has", { value: () => true }); return fs.readFileSync(secret, "utf8");',
  "change the root":
    'return (await import("node:child_process")).spawnSync("/usr/sbin/chroot", ["/proc/1/root", "cat", secret]).stdout?.toString() || fail();',
  "become another user": "process.setuid(0); return fs.readFileSync(secret, 'utf8');",
};
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: code of the plugin

/** What only namespaces refuse, the network with Node.js before 25. */
export const needsNamespaces =
  /^(?:signal|end) |^connect |^fetch from the loopback|^send a datagram|^ask for a name/;

/** Their code, for an object by name. */
export const attemptsCode = Object.entries(attempts)
  .map(
    ([name, code]) =>
      `  ${JSON.stringify(name)}: async ({ secret, varFolder, host, port, pid }) => { ${code} },`,
  )
  .join("\n");

/** What they use besides. */
export const attemptTools = `import fs from "node:fs";
import net from "node:net";
const fail = () => { throw new Error("nothing"); };
const reached = (socket) => new Promise((done, failed) => {
  setTimeout(() => { socket.destroy(); failed(new Error("silence")); }, 2000);
  socket.on("connect", () => { socket.destroy(); done("connected"); }).on("error", failed);
});
`;
