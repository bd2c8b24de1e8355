import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

interface AnyPage<Row> {
  readonly data: readonly Row[];
  readonly next_cursor?: string | null;
  /** Rows of all pages, where the list says it. */
  readonly total?: number;
}

interface PageOptions<Row> {
  readonly enabled?: boolean;
  /** A list of more pages is not read anew because its window is looked at again. */
  readonly pagesReadAnew?: number;
  readonly refetchInterval?: number | ((query: { state: { data?: { pages: AnyPage<Row>[] } } }) => number | false);
}

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
  options: PageOptions<Row> = {},
) {
  const { pagesReadAnew = Infinity, ...rest } = options;
  const { data, ...list } = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    // Page after page would be read: of a list that somebody walked far down, only when they ask for it.
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= pagesReadAnew,
    ...rest,
  });
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  return { ...list, rows, total: data?.pages.at(-1)?.total };
}
