import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../src/core/process/ports';
import { runProcess } from '../src/core/process/lifetime';
import { type Bank, openBank } from './bank';
import { describeMachine } from './machine';
import { CONNECTIONS, type Timing, validated } from './measured';
import { writePage } from './page';
import { type Budget, budgetOf, LAYERS, profileOf } from './profile';
import type { Requests } from './requests';
import { number, table } from './report';
import { Service } from './service';
import { cpuSecondsOf, cpuSecondsOfLoad } from './usage';
import { WebhookMeasurements } from './webhook-measurements';

// `npm run bench:budget`: where the processor time of a request goes, by layer, from a profile of the running process.

const PAGE = join(__dirname, '..', 'docs', 'budget.md');
const WALLETS = 1_000;
const TIMING: Timing = { warmUpSeconds: 20, seconds: 15 };
const GRACE_SECONDS = 60;

interface Column {
  readonly name: string;
  /** Of all threads, in microseconds, for one. */
  readonly cpuUs: number;
  readonly budget: Budget;
}

const inspected = (port: number): NodeJS.ProcessEnv => ({ NODE_OPTIONS: `--inspect=127.0.0.1:${port}` });

/** What one of these requests takes of an API process that serves nothing else. */
async function measure(service: Service, bank: Bank, name: string, wanted: Partial<Requests>): Promise<Column> {
  const inspector = await freePort();
  const { port, pid } = await service.startApi(inspected(inspector));
  const [outcome, cpuSeconds, profile] = await Promise.all([
    service.processes.load({
      ...TIMING,
      requests: { ...wanted, port, key: bank.partner.key } as Requests,
      connections: CONNECTIONS.peak,
      expected: wanted.kind === 'read' ? { status: 200, text: '"id"' } : { status: 201, text: '"status":"successful"' },
    }),
    cpuSecondsOfLoad(TIMING, () => cpuSecondsOf(pid)),
    profileOf(inspector, TIMING),
  ]);
  await service.processes.stopById(pid);
  const answers = validated(outcome).perSecond * TIMING.seconds;
  return { name, cpuUs: (cpuSeconds / answers) * 1e6, budget: budgetOf(profile) };
}

/** The same of a worker for one delivery. */
async function measureDelivery(service: Service): Promise<Column> {
  const webhooks = await WebhookMeasurements.prepare(service, TIMING);
  const inspector = await freePort();
  service.settings = { ...service.settings, ...inspected(inspector) };
  // The first one starts the worker.
  await webhooks.delivered();
  const profiling = new AbortController();
  const profile = profileOf(inspector, { warmUpSeconds: 0, seconds: Infinity }, profiling.signal);
  await webhooks.delivered();
  profiling.abort();
  return { name: 'Delivery', cpuUs: webhooks.costs.at(-1)!.workerCpuUs, budget: budgetOf(await profile) };
}

function budgetTable(columns: readonly Column[]): string {
  const shareOf = ({ budget }: Column, layer: string): number => budget.get(layer) ?? 0;
  const rows = LAYERS.filter((layer) => columns.some((column) => shareOf(column, layer) >= 0.005)).map((layer) => [
    layer,
    ...columns.map((column) => number(shareOf(column, layer) * column.cpuUs)),
  ]);
  return table(
    ['CPU µs', ...columns.map(({ name }) => name)],
    [...rows, ['**all**', ...columns.map(({ cpuUs }) => number(cpuUs))]],
  );
}

runProcess(async (lifetime) => {
  lifetime.graceSeconds = GRACE_SECONDS;
  lifetime.endWithParent();
  const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
  const service = await Service.start(lifetime);
  const first = await service.startApi();
  const bank = await openBank(service, first.port, WALLETS);
  await service.processes.stopById(first.pid);
  const { wallets } = bank;
  const columns = [
    await measure(service, bank, 'Transfer', { kind: 'transfer', wallets }),
    await measure(service, bank, 'Wallet', { kind: 'read', paths: wallets.map((id) => `/v4/wallets/${id}`) }),
    await measure(service, bank, 'Purchase', { kind: 'purchase', wallets }),
  ];
  await service.verifyBooks();
  columns.push(await measureDelivery(service));
  const result = `${await describeMachine(service.database.url)}\n\n${budgetTable(columns)}`;
  console.log(result);
  if (values.write) writePage(PAGE, 'bench:budget', result);
  await lifetime.end(0);
});
