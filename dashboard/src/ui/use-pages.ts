import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type AnyPage, useNewRows } from './use-new-rows';

interface ListOptions<Row> {
  readonly enabled?: boolean;
  readonly refetchInterval?: number | ((query: { state: { data?: { pages: AnyPage<Row>[] } } }) => number | false);
  /** A list of more pages is not read anew because its window is looked at again. */
  readonly pagesReadAnew?: number;
  /** First words of the types of events that may add to it (`payment`; `*`: any): it then says how much is new. */
  readonly live?: readonly string[];
}

const NONE: readonly string[] = [];

/** Reads a list again every so often as long as one of its rows goes on. */
export const asLongAs =
  <Row>(goesOn: (row: Row) => boolean, everyMs: number) =>
  ({ state: { data } }: { state: { data?: { pages: AnyPage<Row>[] } } }): number | false =>
    data?.pages.some((page) => page.data.some(goesOn)) ? everyMs : false;

/**
 * A list of the API, page by page. While another filter loads, `isPlaceholderData`: the rows are those of the filter
 * before.
 */
export function usePages<Row>(
  key: readonly unknown[],
  read: (cursor: string | undefined) => Promise<AnyPage<Row>>,
  { live = NONE, pagesReadAnew = Infinity, ...options }: ListOptions<Row> = {},
) {
  const fresh = useNewRows<Row, AnyPage<Row>>({ key, read: () => read(undefined), words: live });
  const { data, ...list } = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    // Page after page would be read: of a list that somebody walked far down, only when they ask for it.
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= pagesReadAnew,
    meta: { live: live.length > 0 },
    ...options,
  });
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  return { ...list, fresh, rows, total: data?.pages.at(-1)?.total };
}
