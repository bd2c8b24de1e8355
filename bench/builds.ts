import { parseArgs } from 'node:util';
import { runProcess } from '../src/core/process/lifetime';
import { type Bank, openBank } from './bank';
import { median } from './figures';
import { describeMachine } from './machine';
import { type Timing, validated } from './measured';
import type { Requests } from './requests';
import { type Listening, Service } from './service';
import { type Cost, costOfOne, costText, cpuOfLoad, medianCost, totalOf } from './usage';

// `npm run bench:builds -- --than=<folder>`: what a request costs with this build, beside another one in its own folder.
// Both are loaded at the same time, so that a minute in which the machine is slower is slower for both.

const WALLETS = 1_000;
const CONNECTIONS = 32;
const TIMING: Timing = { warmUpSeconds: 8, seconds: 10 };
const KINDS = ['transfer', 'purchase', 'read'] as const;
type Kind = (typeof KINDS)[number];

interface Build {
  readonly service: Service;
  readonly api: Listening;
  readonly bank: Bank;
}

async function startBuild(service: Service): Promise<Build> {
  const api = await service.startApi();
  return { service, api, bank: await openBank(service, api.port, WALLETS) };
}

function requestsOf(kind: Kind, { api, bank: { partner, wallets } }: Build): Requests {
  const wanted = { port: api.port, key: partner.key };
  if (kind === 'read') return { ...wanted, kind, paths: wallets.map((id) => `/v4/wallets/${id}`) };
  return { ...wanted, kind, wallets };
}

const EXPECTED: Record<Kind, { status: number; text: string }> = {
  transfer: { status: 201, text: '"status":"successful"' },
  purchase: { status: 201, text: '"status":"successful"' },
  read: { status: 200, text: '"object":"wallet"' },
};

interface Round {
  readonly own: Cost;
  readonly other: Cost;
}

const ratioOf = ({ own, other }: Round): number => totalOf(own) / totalOf(other);

/** CPU for one request, in microseconds: of the API, and of its PostgreSQL. */
async function measure(kind: Kind, build: Build): Promise<Cost> {
  const { service, api } = build;
  const job = { ...TIMING, requests: requestsOf(kind, build), connections: CONNECTIONS, expected: EXPECTED[kind] };
  const using = cpuOfLoad(TIMING, [api.pid], [service.database.pid]);
  const outcome = await service.processes.load(job);
  return costOfOne(await using, validated(outcome).perSecond * TIMING.seconds);
}

runProcess(async (lifetime) => {
  lifetime.graceSeconds = 60;
  lifetime.endWithParent();
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '9' },
      than: { type: 'string' },
      only: { type: 'string', default: KINDS.join() },
    },
  });
  if (!values.than) throw new Error('the folder of the other build is missing: --than=<folder>');
  const kinds = KINDS.filter((kind) => values.only.split(',').includes(kind));
  const builds = [
    await startBuild(await Service.start(lifetime)),
    await startBuild(await Service.start(lifetime, { project: values.than })),
  ] as const;
  const rounds: Record<Kind, Round[]> = { transfer: [], purchase: [], read: [] };
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const kind of kinds) {
      const [own, other] = await Promise.all([measure(kind, builds[0]), measure(kind, builds[1])]);
      rounds[kind].push({ own, other });
      console.log(
        `${kind}: ${costText(own)} µs, the other ${costText(other)} µs: ${ratioOf({ own, other }).toFixed(3)}`,
      );
    }
  }
  for (const { service } of builds) await service.verifyBooks();
  const rows = kinds.map((kind) => {
    const ratios = rounds[kind].map(ratioOf);
    const range = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)).join('–');
    const [own, other] = [rounds[kind].map((round) => round.own), rounds[kind].map((round) => round.other)];
    return `| ${kind} | ${costText(medianCost(own))} | ${costText(medianCost(other))} | ${median(ratios).toFixed(3)} | ${range} |`;
  });
  console.log(`
${await describeMachine(builds[0].service.database.url)}

| CPU for one, in µs: Duka + PostgreSQL | This build | The other | ÷, median of ${values.rounds} rounds | from–to |
|---|--:|--:|--:|--:|
${rows.join('\n')}`);
  await lifetime.end(0);
});
