import { readdirSync, readFileSync } from 'node:fs';

/** Parent and process group of a living process, as Linux tells them. Null also for a zombie, which does nothing more. */
export function statOf(pid: number): { readonly parent: number; readonly group: number } | null {
  try {
    const [, state, parent, group] = /^\d+ \(.*\) (\S) (\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!;
    return state === 'Z' ? null : { parent: Number(parent), group: Number(group) };
  } catch {
    return null;
  }
}

/** Living processes of a process group. */
export const membersOf = (group: number): number[] => living('group', group);

/** Living processes that it started. */
export const childrenOf = (parent: number): number[] => living('parent', parent);

const living = (what: 'parent' | 'group', is: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && statOf(pid)?.[what] === is);
