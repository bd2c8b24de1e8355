import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';

interface AnyPage<Row> {
  readonly data: readonly Row[];
  readonly next_cursor?: string | null;
  /** Rows of all pages, where the list says it. */
  readonly total?: number;
}

interface PageOptions<Row> {
  readonly enabled?: boolean;
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
  const { data, ...list } = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    ...options,
  });
  return { ...list, rows: data?.pages.flatMap((page) => page.data) ?? [], total: data?.pages.at(-1)?.total };
}
