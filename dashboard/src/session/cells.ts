import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type DashboardSchemas, type OperatorsApi, operatorsApi } from '../api/dashboard-api';
import { Problem } from '../api/problem';
import { bodyOf } from '../api/public-api';
import { useFilters } from '../ui/use-filters';
import { useMe } from './session';

export type Cell = DashboardSchemas['OperatorCell'];

const REFRESH_MS = 30_000;

const cellsQuery = queryOptions({
  queryKey: ['operators', 'cells'],
  queryFn: () => bodyOf(operatorsApi(null).GET('/operators/cells')),
});

/** Whether there is more than one to look after. */
export const useSeveralCells = (): boolean => useMe().user.several_cells;

/** All cells; none while there is one, or it is not known yet. */
export function useCells(): readonly Cell[] {
  const enabled = useSeveralCells();
  return useQuery({ ...cellsQuery, enabled, refetchInterval: REFRESH_MS }).data?.data ?? [];
}

/** The cell that the address names; null: that of the session. */
export function useChosenCell(): string | null {
  const { cell } = useFilters();
  return (useSeveralCells() && cell) || null;
}

/** Name of the cell that is shown; null: there is one, or it is not known yet. */
export function useShownCell(): string | null {
  const own = useCells().find((cell) => cell.own)?.name;
  return useChosenCell() ?? own ?? null;
}

/** Routes of operators, as the cell that is shown answers them; `key` begins the queries that keep what it said. */
export function useOperators(): { readonly api: OperatorsApi; readonly key: readonly unknown[] } {
  const cell = useChosenCell();
  return useMemo(
    () => ({ api: operatorsApi(cell), key: cell === null ? ['operators'] : ['operators', { cell }] }),
    [cell],
  );
}

/** A cell with what it said; null: it is away. */
export type CellAnswer<T> = Cell & { readonly answer: T | null };

/** Asks every cell the same. Whoever is away says nothing, and the others are shown without. */
export function useAllCells<T>(key: readonly unknown[], ask: (api: OperatorsApi) => Promise<T>) {
  const queries = useQueryClient();
  return useQuery({
    queryKey: ['operators', 'all cells', ...key],
    queryFn: async () => {
      const { data } = await queries.fetchQuery(cellsQuery);
      return Promise.all(data.map((cell) => answerOf(cell, ask)));
    },
    enabled: useSeveralCells(),
    refetchInterval: REFRESH_MS,
  });
}

async function answerOf<T>(cell: Cell, ask: (api: OperatorsApi) => Promise<T>): Promise<CellAnswer<T>> {
  if (!cell.answers) return { ...cell, answer: null };
  try {
    return { ...cell, answer: await ask(operatorsApi(cell.name)) };
  } catch (error) {
    if (error instanceof Problem && error.status >= 500) return { ...cell, answers: false, answer: null };
    throw error;
  }
}
