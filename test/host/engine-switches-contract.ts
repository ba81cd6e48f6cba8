/** What engines that hosts can share promise for switches of plugins. Each store is tested by itself: over HTTP, races would be met by chance only. */
import t from "tap";
import type { Engine } from "../../host/engine/engine.js";
import type { PluginShelf, SwitchOrder, SwitchStore } from "../../host/plugins/fleet/fleet-contract.js";
import type { EngineKind, Place } from "./engine-support.js";

const standing = { pins: {}, quarantined: [], kept: [] };

function orderOf(version: string, base: number, more: Partial<SwitchOrder> = {}): SwitchOrder {
  const content = { version, source: version.repeat(8) };
  return {
    plugin: "Sample",
    base,
    agreement: { contents: [content], assignment: { "1.0": content }, standing },
    isPrepared: true,
    supersedes: false,
    isForced: false,
    patience: 60_000,
    ...more,
  };
}

interface Member {
  engine: Engine;
  switches: SwitchStore;
  shelf: PluginShelf;
}

async function member(place: Place): Promise<Member> {
  const engine = await place.engine();
  const { switches, shelf } = engine;
  if (switches === undefined || shelf === undefined) throw new Error("The engine cannot be shared");
  return { engine, switches, shelf };
}

async function enter({ switches }: Member): Promise<void> {
  const { change } = await switches.read();
  if (!(await switches.enter(change))) throw new Error("It did not get into service");
}

/** Hosts in service. */
async function inService(place: Place, count: number): Promise<Member[]> {
  const members = await Promise.all(Array.from({ length: count }, () => member(place)));
  for (const each of members) await enter(each);
  return members;
}

/** Proposes; returns the generation. */
async function made({ switches }: Member, order: SwitchOrder): Promise<number> {
  const proposal = await switches.propose(order);
  if (proposal.kind !== "made") throw new Error(`It is ${proposal.kind}`);
  return proposal.generation;
}

export function testSwitches(kind: EngineKind): void {
  if (!kind.isShared) return;

  t.test("a switch is committed once all in service are prepared, and once only", async (t) => {
    const place = await kind.place(t);
    const [one, other] = await inService(place, 2);
    if (one === undefined || other === undefined) throw new Error("There are no hosts");
    const generation = await made(one, orderOf("1", 0));
    await one.switches.vote("Sample", generation);
    t.equal(await one.switches.decide("Sample", generation), undefined, "the other has not answered");
    t.match(await other.switches.read(), { agreements: [], open: [{ generation, hasVoted: false }] });
    await other.switches.vote("Sample", generation);
    const ends = await Promise.all(
      [one, other, one, other].map(({ switches }) => switches.decide("Sample", generation)),
    );
    t.strictSame(
      ends.filter((end) => end !== undefined),
      [{ state: "committed" }],
    );
    t.match(await one.switches.read(), { agreements: [{ plugin: "Sample", generation }], open: [] });
    t.strictSame(await one.switches.endOf("Sample", generation), {
      state: "committed",
      reason: undefined,
      cause: undefined,
    });
    await one.switches.serves("Sample", generation);
    t.match(await other.switches.served("Sample", generation), { serving: ["test:1"], waiting: ["test:1"] });
  });

  t.test("of many proposals at once one is made", async (t) => {
    const place = await kind.place(t);
    const members = await inService(place, 3);
    const proposals = await Promise.all(
      members.map(({ switches }, n) => switches.propose(orderOf(`${n}`, 0))),
    );
    t.strictSame(proposals.map(({ kind: each }) => each).sort(), ["busy", "busy", "made"]);
    const [one] = members;
    if (one === undefined) throw new Error("There is no host");
    t.match(await one.switches.propose(orderOf("9", 7)), { kind: "outdated" });
    const open = (await one.switches.read()).open[0]?.generation ?? 0;
    const next = await made(one, orderOf("9", 0, { isPrepared: false, supersedes: true }));
    t.match(await one.switches.endOf("Sample", open), { state: "aborted", cause: "superseded" });
    t.match(await one.switches.read(), { agreements: [{ generation: next }], open: [] });
  });

  t.test("one refusal aborts, unless it is forced", async (t) => {
    const place = await kind.place(t);
    const [one, other] = await inService(place, 2);
    if (one === undefined || other === undefined) throw new Error("There are no hosts");
    for (const isForced of [false, true]) {
      const generation = await made(one, orderOf("1", 0, { isForced }));
      await one.switches.vote("Sample", generation);
      await other.switches.vote("Sample", generation, { reason: "no\0 room", isOfContent: false });
      const end = await other.switches.decide("Sample", generation);
      if (isForced) t.strictSame(end, { state: "committed" });
      else t.strictSame(end, { state: "aborted", cause: "host", reason: "test:1 cannot take it: no room" });
      t.match(await one.switches.list(), [{ generation, refused: [{ reason: "no room" }] }]);
      if (isForced) continue;
      const next = await made(one, orderOf("2", 0));
      await one.switches.vote("Sample", next, { reason: "not signed", isOfContent: true });
      t.match(await other.switches.decide("Sample", next), { state: "aborted", cause: "content" });
      t.match(await one.switches.endOf("Sample", next), { cause: "content" });
    }
  });

  t.test("what is not decided in time is aborted", async (t) => {
    const place = await kind.place(t);
    const [one] = await inService(place, 2);
    if (one === undefined) throw new Error("There are no hosts");
    const generation = await made(one, orderOf("1", 0, { patience: 0 }));
    await one.switches.vote("Sample", generation);
    t.match(await one.switches.decide("Sample", generation), {
      state: "aborted",
      cause: "deadline",
      reason: /Not prepared in time/,
    });
  });

  t.test("a host gets into service before a change, or with it", async (t) => {
    const place = await kind.place(t);
    const [one] = await inService(place, 1);
    if (one === undefined) throw new Error("There is no host");
    const late = await member(place);
    t.notOk(late.switches.isInService);
    await t.rejects(late.switches.propose(orderOf("1", 0)), /cannot reach the database/);
    const { change } = await late.switches.read();
    const generation = await made(one, orderOf("1", 0));
    t.notOk(await late.switches.enter(change), "something has changed");
    await enter(late);
    t.ok(late.switches.isInService);
    await one.switches.vote("Sample", generation);
    t.equal(await one.switches.decide("Sample", generation), undefined, "it is waited for");
    await late.switches.leave();
    t.notOk(late.switches.isInService);
    t.match(await one.switches.decide("Sample", generation), { state: "committed" });
  });

  t.test("a host whose lease is over is not waited for, and cannot act", async (t) => {
    const place = await kind.place(t);
    const [gone] = await inService(place, 1);
    if (gone === undefined) throw new Error("There is no host");
    const before = await gone.switches.read();
    await place.pass(60_000);
    const [one] = await inService(place, 1);
    if (one === undefined) throw new Error("There is no host");
    const generation = await made(one, orderOf("1", 0));
    await gone.switches.vote("Sample", generation);
    t.match(await one.switches.list(), [{ prepared: [], waiting: ["test:1"] }], "its vote counts no more");
    await one.switches.vote("Sample", generation);
    await t.rejects(gone.switches.propose(orderOf("2", 0, { plugin: "Other" })), /cannot reach the database/);
    t.notOk(await gone.switches.enter(before.change));
    t.match(await one.switches.decide("Sample", generation), { state: "committed" });
  });

  t.test("archives are there as a whole, once, as long as they are needed", async (t) => {
    const place = await kind.place(t);
    const [one, other] = [await member(place), await member(place)];
    const content = Buffer.alloc(5_000_000, "Slipway ");
    async function* pieces(bytes: Buffer) {
      for (let at = 0; at < bytes.length; at += 300_000) yield bytes.subarray(at, at + 300_000);
    }
    async function* torn() {
      yield content.subarray(0, 2_000_000);
      throw new Error("The file cannot be read");
    }
    await t.rejects(
      one.shelf.put("Sample", "a", async () => torn()),
      /cannot be read/,
    );
    t.equal(await other.shelf.get("Sample", "a"), undefined);
    const archive = async () => pieces(content);
    await Promise.all([one, other].map(({ shelf }) => shelf.put("Sample", "a", archive)));
    const found = await other.shelf.get("Sample", "a");
    const read: Uint8Array[] = [];
    for await (const piece of found ?? []) read.push(piece);
    t.ok(Buffer.concat(read).equals(content));
    await one.shelf.retain("Sample", []);
    t.ok(await other.shelf.get("Sample", "a"), "new ones stay: they may be proposed in a moment");
    await place.pass(7_200_000);
    await one.shelf.put("Sample", "a", () => Promise.reject(new Error("It is there already")));
    await other.shelf.retain("Sample", []);
    t.ok(await other.shelf.get("Sample", "a"), "so may those that were put again");
    await place.pass(7_200_000);
    await other.shelf.retain("Sample", []);
    t.equal(await one.shelf.get("Sample", "a"), undefined);
  });

  t.test("what lies in the folders of other living hosts is known", async (t) => {
    const place = await kind.place(t);
    const [one, other] = await inService(place, 2);
    if (one === undefined || other === undefined) throw new Error("There are no hosts");
    await one.switches.holds("Sample", ["a", "b"]);
    await other.switches.holds("Sample", ["b"]);
    t.strictSame(await one.switches.heldElsewhere("Sample", ["a", "b"]), ["b"]);
    await other.engine.close();
    t.strictSame(await one.switches.heldElsewhere("Sample", ["a", "b"]), []);
  });
}
