import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeId, encodeId } from '../../../src/core/http/ids';
import { runProcess } from '../../../src/core/process/lifetime';
import { brokenChecks } from '../../support/books';
import { conclude, figure } from '../command-line';
import { listenForEvents } from '../listener';
import { ask } from '../faults';
import { type CellUnderFire, killPostgres, startFleet } from './fleet';
import { type Party, Payers, type Told, Wire } from './payers';

const OPENING = 1_000_000;
const WALLETS = 3;
const CLIENTS = 24;
const REST_MS = 180_000;

// `npm run test:chaos:cells`: three cells, whose processes and servers are killed while accounts of each pay those of others.
runProcess(async (lifetime) => {
  const isShort = process.argv.includes('--short');
  const seconds = figure('CHAOS_SECONDS', isShort ? 15 : 300);
  lifetime.graceSeconds = 60;
  const fleet = await startFleet(lifetime);
  const wire = new Wire(fleet.map(({ member }) => member.url));
  const heard = new Set<string>();
  const receiver = await listenForEvents<{ id: string }>(lifetime, ({ id }) => heard.add(id));
  const parties = (await Promise.all(fleet.map((cell, i) => openParties(wire, cell, i, receiver)))).flat();

  const payers = new Payers(wire, parties);
  const paying = payers.run(CLIENTS);
  const kills = await strike(fleet, seconds, isShort ? 1 : 2);
  payers.stop();
  await paying;
  const restedMs = await rest(fleet, heard);
  const wrong = [...payers.faults, ...(await reckon(fleet, wire, parties, payers.told))];
  for (const { databaseUrl, name } of fleet) {
    for (const check of await brokenChecks(databaseUrl)) wrong.push(`${name}: ${JSON.stringify(check).slice(0, 300)}`);
    const untold = (await eventsOf(databaseUrl)).filter((id) => !heard.has(id));
    if (untold.length > 0) wrong.push(`${name}: ${untold.length} events were not delivered, such as ${untold[0]}`);
  }
  if (wrong.length > 0) wrong.push(...fleet.map(({ program }) => program.lastWords.slice(-2_000)));

  const count = (is: (told: Told) => boolean): number => payers.told.filter(is).length;
  for (const [name, value] of Object.entries({
    'processes killed': kills.processes,
    'servers killed': kills.servers,
    requests: wire.requests,
    '  sent again': wire.resent,
    transfers: payers.told.length,
    '  between cells': count(({ isAcross }) => isAcross),
    '    answered as processing': count(({ end }) => end === 'processing'),
    '  refused': count(({ end }) => end === 'refused'),
    'events delivered': heard.size,
    'until all had ended': `${Math.round(restedMs / 1_000)} s`,
  }))
    console.log(`${name.padEnd(40)}${String(value).padStart(10)}`);
  await conclude(lifetime, wrong, 'Every transfer ended once, and nothing is on its way.');
});

async function openParties(wire: Wire, { keys }: CellUnderFire, cell: number, url: string): Promise<Party[]> {
  return Promise.all(
    keys.map(async (key) => {
      const made = async (path: string, body: object): Promise<any> => {
        const answer = await wire.call('POST', path, key, body);
        if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
        return answer.body;
      };
      const wallets: string[] = [];
      for (let i = 0; i <= WALLETS; i++) wallets.push((await made('/v4/wallets', { currency: 'NGN' })).id);
      const frozen = wallets.pop()!;
      for (const id of wallets) await made(`/v4/sandbox/wallets/${id}/credit`, { amount: OPENING });
      await made(`/v4/wallets/${frozen}/freeze`, { direction: 'both' });
      await made('/v4/webhooks', { url, events: ['transfer.*', 'transaction.*'] });
      return { cell, key, wallets, frozen };
    }),
  );
}

/** A process each second, while two are ready, and each server so many times. */
async function strike(
  fleet: readonly CellUnderFire[],
  seconds: number,
  times: number,
): Promise<{ processes: number; servers: number }> {
  const kills = { processes: 0, servers: 0 };
  const servers = Array.from({ length: times }, () => fleet).flat();
  const pause = seconds / (servers.length + 1);
  const until = performance.now() + seconds * 1_000;
  const ofServers = (async () => {
    for (const cell of servers) {
      await sleep(pause * 1_000);
      await killPostgres(cell);
      kills.servers++;
    }
  })();
  const ready = new Set(fleet.map(({ member }) => member));
  while (performance.now() < until) {
    await sleep(1_000);
    // Where one is left nothing happens between cells that could be interrupted.
    if (ready.size < 2) continue;
    const member = [...ready][randomInt(ready.size)]!;
    ready.delete(member);
    await member.kill();
    kills.processes++;
    void member.untilReady().then(() => ready.add(member));
  }
  await ofServers;
  await Promise.all(fleet.map(({ member }) => member.untilReady()));
  return kills;
}

const eventsOf = async (url: string): Promise<string[]> =>
  (
    await ask<{ id: string }>(
      url,
      `SELECT e.id FROM events e JOIN webhook_endpoints w ON w.account_id = e.account_id AND w.livemode = e.livemode
        WHERE (e.type LIKE 'transfer.%' OR e.type LIKE 'transaction.%') AND e.id > w.id`,
    )
  ).map(({ id }) => encodeId('evt', id));

/** Until nothing is on its way and all is told, or the time for that is over. */
async function rest(fleet: readonly CellUnderFire[], told: ReadonlySet<string>): Promise<number> {
  const since = performance.now();
  for (; performance.now() - since < REST_MS; await sleep(1_000)) {
    let open = 0;
    for (const { databaseUrl } of fleet) {
      const [row] = await ask<{ open: number }>(
        databaseUrl,
        `SELECT count(*)::integer AS open FROM transfers WHERE status = 'processing'`,
      );
      open += row!.open + (await eventsOf(databaseUrl)).filter((id) => !told.has(id)).length;
    }
    if (open === 0) break;
  }
  return performance.now() - since;
}

/** Compares what clients were told with what the cells have, and sums all of it. */
async function reckon(
  fleet: readonly CellUnderFire[],
  wire: Wire,
  parties: readonly Party[],
  told: readonly Told[],
): Promise<string[]> {
  const wrong: string[] = [];
  const expected = new Map(parties.flatMap(({ wallets }) => wallets.map((id) => [id, OPENING])));
  for (const { id, from, to, amount, end, key } of told) {
    if (end === 'refused') continue;
    const { body } = await wire.call('GET', `/v4/wallets/transfers/${id}`, key);
    const isRight =
      end === 'successful' ? body.status === 'successful' : ['successful', 'failed'].includes(body.status);
    if (!isRight) wrong.push(`${id} was told as ${end} and is ${body.status ?? body.code}`);
    if (body.status !== 'successful') continue;
    expected.set(from, expected.get(from)! - amount);
    expected.set(to, expected.get(to)! + amount);
  }
  let [sum, inTransit, holds] = [0, 0, 0];
  const known = new Set(told.flatMap(({ id }) => (id === null ? [] : [decodeId('trf', id)])));
  for (const { name, databaseUrl } of fleet) {
    const rows = await ask<{ id: string; name: string; available: string; held: string }>(
      databaseUrl,
      `SELECT id, name, available, held FROM ledger_accounts WHERE currency = 'NGN' AND NOT livemode`,
    );
    const found = new Map(rows.map((row) => [row.id, Number(row.available) + Number(row.held)]));
    for (const [wallet, amount] of expected) {
      const balance = found.get(decodeId('wal', wallet)!);
      if (balance === undefined) continue;
      sum += balance;
      if (balance !== amount) wrong.push(`${name}: ${wallet} has ${balance}, not ${amount}`);
    }
    for (const row of rows) {
      if (row.name === 'in_transit') inTransit += Number(row.available);
      holds += Number(row.held);
    }
    const unasked = await ask<{ id: string }>(databaseUrl, `SELECT id FROM transfers WHERE status <> 'failed'`);
    for (const { id } of unasked) if (!known.has(id)) wrong.push(`${name}: nobody was told of transfer ${id}`);
    const twice = await ask(databaseUrl, `SELECT reference FROM transfers GROUP BY 1 HAVING count(*) > 1`);
    if (twice.length > 0) wrong.push(`${name}: ${twice.length} references have two transfers`);
  }
  if (sum !== OPENING * expected.size) wrong.push(`wallets have ${sum}, not ${OPENING * expected.size}`);
  if (inTransit !== 0 || holds !== 0) wrong.push(`${inTransit} in transit, ${holds} held`);
  return wrong;
}
