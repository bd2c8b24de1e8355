import { join } from 'node:path';
import { type Finding, median } from './figures';
import type { Measurement } from './measurements';
import type { TransferCosts } from './transfers';
import type { DeliveryCosts } from './webhook-measurements';

export const PAGE = join(__dirname, '..', 'docs', 'benchmarks.md');

type Row = readonly string[];

export function figureTable(findings: readonly Finding[]): string {
  const rows = findings.map((finding): Row => {
    const { what, unit, measuredMedian, referenceMedian, value, verdict, better, hold, aim } = finding;
    const sign = better === 'more' ? '≥' : '≤';
    const isRatio = finding.reference !== undefined;
    const inUnit = (bound: number) => `${sign} ${bound}${isRatio ? '' : ` ${unit}`}`;
    const reference = referenceMedian === undefined ? '–' : quantity(referenceMedian, unit);
    return [
      what,
      quantity(measuredMedian, unit),
      reference,
      isRatio ? number(value) : '–',
      inUnit(hold),
      inUnit(aim),
      verdict,
    ];
  });
  return table(['Figure', 'Measured', 'Reference', 'Ratio', 'Hold', 'Aim', 'Verdict'], rows);
}

const COSTS: Record<keyof TransferCosts, string> = {
  p50Ms: 'p50 ms',
  p99Ms: 'p99 ms',
  batchSize: 'Batch',
  walBytes: 'WAL bytes',
  apiCpuUs: 'API CPU µs',
  postgresCpuUs: 'PostgreSQL CPU µs',
  generatorCpuUs: 'Generator CPU µs',
};

const LOADS: Partial<Record<Measurement, string>> = {
  transfers: 'Random wallets',
  hot: 'One hot wallet',
  unbatched: 'Batching off',
  paced: 'Half of the peak rate',
  purchases: 'Purchases',
  pacedPurchases: 'Purchases, half of their peak rate',
  conversions: 'Conversions',
  payouts: 'Payouts',
  pacedPayouts: 'Payouts, half of their peak rate',
};

/** Medians of the rounds; everything but the latencies and the batch is for one transfer or purchase. */
export function costTable(costs: readonly (readonly [Measurement, TransferCosts])[]): string {
  const keys = Object.keys(COSTS) as (keyof TransferCosts)[];
  const rows = (Object.entries(LOADS) as [Measurement, string][]).flatMap(([name, title]): Row[] => {
    const runs = costs.filter(([of]) => of === name).map(([, cost]) => cost);
    return runs.length === 0 ? [] : [[title, ...keys.map((key) => number(median(runs.map((run) => run[key]))))]];
  });
  return table(['Load', ...Object.values(COSTS)], rows);
}

const DELIVERY_COSTS: Record<keyof DeliveryCosts, string> = {
  workerCpuUs: 'Worker CPU µs',
  postgresCpuUs: 'PostgreSQL CPU µs',
  bareCpuUs: 'Bare worker CPU µs',
};

/** Medians of the rounds, for one delivery. */
export function deliveryCostTable(costs: readonly DeliveryCosts[]): string {
  const keys = Object.keys(DELIVERY_COSTS) as (keyof DeliveryCosts)[];
  return table(
    ['Load', ...Object.values(DELIVERY_COSTS)],
    [['Deliveries', ...keys.map((key) => number(median(costs.map((cost) => cost[key]))))]],
  );
}

export function table(head: Row, rows: readonly Row[]): string {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]!.length)));
  const line = (cells: Row) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(' | ')} |`;
  const rule = `|${widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

const quantity = (value: number, unit: string): string =>
  Number.isNaN(value) ? '–' : `${number(value)}${unit === '/s' ? '' : ' '}${unit}`;

/** Three digits are more than a machine repeats. */
export function number(value: number): string {
  if (Number.isNaN(value)) return '–';
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}
