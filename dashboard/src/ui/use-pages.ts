import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';

interface AnyPage<Row> {
  readonly data: readonly Row[];
  readonly next_cursor?: string | null;
  /** Rows of all pages, where the list says it. */
  readonly total?: number;
}

/**
 * A list of the API, page by page. While another filter loads, `isPlaceholderData`: the rows are those of the filter
 * before.
 */
export function usePages<Row>(
  key: readonly unknown[],
  read: (cursor: string | undefined) => Promise<AnyPage<Row>>,
  options: { refetchInterval?: number; enabled?: boolean } = {},
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
