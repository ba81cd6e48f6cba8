/** Reads everything that was acknowledged again, from each host in turn. Uses the part itself to do so at once. */
import { checked, Type, Validator } from "@slipway/sdk";
import { mapConcurrent } from "../../host/system/concurrency.js";
import { Client, isGood, shown } from "./client.js";
import { type KnownSession, type Ledger, projectName, sha256 } from "./ledger.js";
import type { Projects } from "./projects.js";

const validator = new Validator();
const checkRevision = validator.compile(Type.Object({ revision: Type.Integer() }), "answer");
const checkList = validator.compile(
  Type.Object({ sessions: Type.Array(Type.Object({ project: Type.Object({ name: Type.String() }) })) }),
  "answer",
);

const concurrency = 8;

/** `urls`: of hosts that all live. What is missing, differs or is there twice is noted. */
export async function checkAcknowledged(
  urls: readonly string[],
  ledger: Ledger,
  projects: Projects,
): Promise<void> {
  const clients = urls.map((url) => new Client(url, concurrency));
  let turn = 0;
  const next = (): Client => {
    turn += 1;
    const client = clients[turn % clients.length];
    if (client === undefined) throw new Error("There is no host");
    return client;
  };
  await mapConcurrent(ledger.files, concurrency, async ({ path, sha256: expected }) => {
    const reply = await next().send({ path });
    if (!isGood(reply)) ledger.note("lost", `${path}: ${shown(reply)}`);
    else if (sha256(reply.body) !== expected)
      ledger.note("torn", `${path} has ${reply.body.length} bytes of other content`);
  });
  await mapConcurrent(ledger.sessions, concurrency, (session) =>
    checkSession(next(), session, ledger, projects),
  );
  await countSessions(next(), ledger);
  await Promise.all(clients.map((client) => client.stop()));
}

async function checkSession(
  client: Client,
  session: KnownSession,
  ledger: Ledger,
  projects: Projects,
): Promise<void> {
  const path = `/api/sessions/${session.id}`;
  const found = await client.send({ path });
  const project = await client.send({ path: `${path}/project` });
  if (!isGood(found) || !isGood(project))
    return ledger.note("lost", `${path}: ${shown(found)}, ${shown(project)}`);
  const digest = sha256(project.body);
  const fits = (number: number): boolean =>
    digest === projects.digest(session.shape, projectName(session.opening, number));
  const { revision } = checked(checkRevision(JSON.parse(found.body.toString("utf8"))), shown(found));
  if (revision === session.revision) {
    if (!fits(session.replacement)) ledger.note("torn", `${path} has another project`);
    return;
  }
  // What had no answer may be stored.
  const later = Array.from(
    { length: session.sent - session.replacement },
    (_, n) => session.replacement + 1 + n,
  );
  if (revision < session.revision || revision > session.revision + later.length)
    ledger.note("lost", `${path} was acknowledged with revision ${session.revision}: ${shown(found)}`);
  else if (!later.some(fits)) ledger.note("torn", `${path} has another project`);
}

/** Each opening made one session, however often it was sent. */
async function countSessions(client: Client, ledger: Ledger): Promise<void> {
  const reply = await client.send({ path: "/api/sessions" });
  const { sessions } = checked(checkList(JSON.parse(reply.body.toString("utf8"))), "sessions");
  const counts = new Map<string, number>();
  for (const { project } of sessions) {
    const [opening = ""] = project.name.split("/");
    counts.set(opening, (counts.get(opening) ?? 0) + 1);
  }
  for (const [opening, count] of counts)
    if (count > 1) ledger.note("doubled", `${count} sessions of ${opening}`);
}
