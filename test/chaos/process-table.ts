import { readdirSync, readFileSync } from 'node:fs';

/** The process group of a living process, as Linux tells it. Null also for a zombie, which does nothing more. */
export function statOf(pid: number): { readonly group: number } | null {
  try {
    const [, state, group] = /^\d+ \(.*\) (\S) \d+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!;
    return state === 'Z' ? null : { group: Number(group) };
  } catch {
    return null;
  }
}

/** Living processes of a process group. */
export const membersOf = (group: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && statOf(pid)?.group === group);
