/**
 * With `CELLS=3`: files that are about one process and run as without it, and tests (`file: name`) that ask their own
 * cell instead of another; and why.
 */
export const OF_ONE_PROCESS: Readonly<Record<string, string>> = {
  'hostile/hang-ups.e2e-spec.ts': 'counts requests in flight in its process, where those of the other cell count, too',
};
