import { parseArgs } from 'node:util';
import { CannotStart } from '../src/core/errors/cannot-start';
import { type Lifetime, runProcess } from '../src/core/process/lifetime';
import { type Figure, FIGURES, type Group, GROUPS, findingOf, type Measurement, measurementsFor } from './figures';
import { describeMachine } from './machine';
import { InvalidRun, type Timing } from './measured';
import { type Measurement as LedgerMeasurement, MEASUREMENTS, Measurements } from './measurements';
import { HOW_TO_GET_PGBENCH } from './pgbench';
import { writePage } from './page';
import { costTable, deliveryCostTable, figureTable, PAGE } from './report';
import { Service } from './service';
import { DASHBOARD_MEASUREMENTS, DashboardMeasurements } from './dashboard-measurements';
import { WEBHOOK_MEASUREMENTS, WebhookMeasurements } from './webhook-measurements';

const USAGE = `npm run bench:ledger|bench:purchases|bench:money|bench:webhooks|bench:dashboard [-- options]: measures the figures of docs/benchmarks.md.
  --only=<names>      some of: ${FIGURES.map(({ name }) => name).join(', ')}
  --quick             short and few rounds, for development
  --write             puts the result into docs/benchmarks.md
  --profile=<folder>  leaves CPU profiles of the API and of workers there`;

const ROUNDS = 3;
const TIMING: Timing = { warmUpSeconds: 3, seconds: 10 };
const QUICK_ROUNDS = 1;
const QUICK_TIMING: Timing = { warmUpSeconds: 2, seconds: 3 };
// A database that was written to at full speed takes a while to stop.
const GRACE_SECONDS = 60;

// Interleaved: whatever else the machine does meets all measurements alike.
runProcess(async (lifetime) => {
  lifetime.graceSeconds = GRACE_SECONDS;
  lifetime.endWithParent();
  const { values } = readOptions();
  if (values.help) console.log(USAGE);
  else await measureFigures(lifetime, values);
  await lifetime.end(0);
});

function readOptions() {
  return parseArgs({
    options: {
      group: { type: 'string', default: 'ledger' },
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      profile: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
}

async function measureFigures(
  lifetime: Lifetime,
  { group, only, quick, write, profile }: ReturnType<typeof readOptions>['values'],
): Promise<void> {
  const figures = chosen(group as Group, only);
  const service = await Service.start(lifetime, { profileFolder: profile });
  const timing = quick ? QUICK_TIMING : TIMING;
  const measure = { service, wanted: measurementsFor(figures), timing, rounds: quick ? QUICK_ROUNDS : ROUNDS };
  const measureGroup = {
    ledger: measureMoney,
    purchases: measureMoney,
    money: measureMoney,
    webhooks: measureWebhooks,
    dashboard: measureDashboard,
  }[group as Group];
  const { rounds, costs, pgbench } = await measureGroup(measure);
  const machine = await describeMachine(service.database.url, pgbench);
  const result = [machine, figureTable(figures.map((figure) => findingOf(figure, rounds))), costs]
    .filter(Boolean)
    .join('\n\n');
  console.log(`\n${result}`);
  if (write) writePage(PAGE, `bench:${group}`, result);
  if (write) console.log(`\nWritten to ${PAGE}`);
}

interface Measure {
  readonly service: Service;
  readonly wanted: ReadonlySet<Measurement>;
  readonly timing: Timing;
  readonly rounds: number;
}

interface Measured {
  readonly rounds: Map<Measurement, number[]>;
  /** A table of what it costs. */
  readonly costs: string;
  readonly pgbench?: string;
}

async function measureMoney({ service, wanted, timing, rounds: count }: Measure): Promise<Measured> {
  const measurements = await Measurements.prepare(service, timing);
  const rounds = new Map<Measurement, number[]>();
  // Long lists stand in the books without entries: the books are verified before there are any.
  const lists = new Set<LedgerMeasurement>(['thousand', 'million', 'thousandPurchases', 'millionPurchases']);
  const inOrder = MEASUREMENTS.filter((name) => wanted.has(name));
  for (const names of [inOrder.filter((name) => !lists.has(name)), inOrder.filter((name) => lists.has(name))]) {
    for (let round = 1; round <= count; round++) {
      for (const name of names) await attempt(name, () => measurements[name](), rounds);
    }
    if (names.length > 0 && !lists.has(names[0]!)) await service.verifyBooks();
  }
  return { rounds, costs: costTable(measurements.costs), pgbench: await measurements.pgbenchVersion() };
}

async function measureWebhooks({ service, wanted, timing, rounds: count }: Measure): Promise<Measured> {
  const measurements = await WebhookMeasurements.prepare(service, timing);
  const rounds = new Map<Measurement, number[]>();
  for (let round = 1; round <= count; round++) {
    for (const name of WEBHOOK_MEASUREMENTS)
      if (wanted.has(name)) await attempt(name, () => measurements[name](), rounds);
  }
  return { rounds, costs: deliveryCostTable(measurements.costs), pgbench: measurements.queues };
}

async function measureDashboard({ service, wanted, rounds: count }: Measure): Promise<Measured> {
  const measurements = await DashboardMeasurements.prepare(service);
  const rounds = new Map<Measurement, number[]>();
  for (let round = 1; round <= count; round++) {
    for (const name of DASHBOARD_MEASUREMENTS)
      if (wanted.has(name)) await attempt(name, () => measurements[name](), rounds);
  }
  return { rounds, costs: '' };
}

function chosen(group: Group, only: string | undefined): readonly Figure[] {
  if (!GROUPS.includes(group)) throw new CannotStart(`No group is called ${group}.\n\n${USAGE}`);
  if (only === undefined) return FIGURES.filter((figure) => figure.group === group);
  const names = only.split(',');
  const unknown = names.find((name) => !FIGURES.some((figure) => figure.name === name));
  if (unknown !== undefined) throw new CannotStart(`No figure is called ${unknown}.\n\n${USAGE}`);
  return FIGURES.filter(({ name }) => names.includes(name));
}

async function attempt(
  name: Measurement,
  measure: () => Promise<number>,
  rounds: Map<Measurement, number[]>,
): Promise<void> {
  const value = await measure().catch((error: unknown) => {
    if (!(error instanceof InvalidRun)) throw error;
    console.log(`${name}: INVALID: ${error.message}`);
    return NaN;
  });
  if (Number.isNaN(value)) console.log(`${name}: not measured${name === 'pgbench' ? `: ${HOW_TO_GET_PGBENCH}` : ''}`);
  else console.log(`${name}: ${value.toLocaleString('en', { maximumSignificantDigits: 4 })}`);
  rounds.set(name, [...(rounds.get(name) ?? []), value]);
}
