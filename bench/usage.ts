import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './figures';
import type { Timing } from './measured';

// Linux counts in hundredths of a second, whatever its own clock.
const TICKS_PER_SECOND = 100;

/** CPU time of a process, all its threads included; NaN where there is no /proc. */
export const cpuSecondsOf = (pid: number): number => ticksOf(pid, 'itself') / TICKS_PER_SECOND;

/** CPU time of a process with its children, those that ended included. */
export function cpuSecondsOfFamily(pid: number): number {
  const children = numbersIn('/proc').filter((child) => parentOf(child) === pid);
  const ticks = children.reduce(
    // One that has just ended says nothing.
    (sum, child) => sum + (ticksOf(child, 'itself') || 0),
    ticksOf(pid, 'itself') + ticksOf(pid, 'ended children'),
  );
  return ticks / TICKS_PER_SECOND;
}

/** How much `cpuSeconds` grows while a load that begins now is measured. */
export async function cpuSecondsOfLoad({ warmUpSeconds, seconds }: Timing, cpuSeconds: () => number): Promise<number> {
  await sleep(warmUpSeconds * 1_000);
  const before = cpuSeconds();
  await sleep(seconds * 1_000);
  return cpuSeconds() - before;
}

/** CPU time, of Duka and of PostgreSQL. */
export interface Cost {
  readonly api: number;
  readonly postgresql: number;
}

export const totalOf = ({ api, postgresql }: Cost): number => api + postgresql;

/** In whole numbers. */
export const costText = ({ api, postgresql }: Cost): string => `${Math.round(api)} + ${Math.round(postgresql)}`;

export const medianCost = (costs: readonly Cost[]): Cost => ({
  api: median(costs.map(({ api }) => api)),
  postgresql: median(costs.map(({ postgresql }) => postgresql)),
});

/** In microseconds, of what took so many seconds for all. */
export const costOfOne = ({ api, postgresql }: Cost, requests: number): Cost => ({
  api: (api / requests) * 1e6,
  postgresql: (postgresql / requests) * 1e6,
});

/** Seconds of some processes, and of some servers of PostgreSQL, while a load that begins now is measured. */
export async function cpuOfLoad(timing: Timing, apis: readonly number[], servers: readonly number[]): Promise<Cost> {
  const [api, postgresql] = await Promise.all([
    cpuSecondsOfLoad(timing, () => apis.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0)),
    cpuSecondsOfLoad(timing, () => servers.reduce((sum, pid) => sum + cpuSecondsOfFamily(pid), 0)),
  ]);
  return { api, postgresql };
}

/** The most memory that a process ever had resident, in MB; NaN where there is no /proc. */
export function peakMemoryMb(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1];
  return Number(kilobytes ?? NaN) / 1024;
}

/** Fields of `/proc/<pid>/stat` behind the name, which may itself hold spaces; see proc_pid_stat(5). */
function statOf(pid: number): number[] {
  const text = read(`/proc/${pid}/stat`);
  return text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
}

const parentOf = (pid: number): number | undefined => statOf(pid)[1];

function ticksOf(pid: number, whose: 'itself' | 'ended children'): number {
  const [user = NaN, system = NaN] = statOf(pid).slice(whose === 'itself' ? 11 : 13);
  return user + system;
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Empty when the process is gone, or the machine has no such file. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
