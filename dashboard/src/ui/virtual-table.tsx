import { Button, Group, Stack, Text } from '@mantine/core';
import { useEventListener } from '@mantine/hooks';
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Empty } from './empty';
import { NewRows } from './new-rows';
import { type Column, DataHead, DataRow, Loading, NotRead, type PagedTableProps, wholeText } from './data-table';

/** Two lines in a narrow window, one in a wide one; each is measured once it is drawn. */
const ROW_PX = 44;
const OVERSCAN = 10;
/** The next page is read when so many rows are left below. */
const AHEAD = 60;

/** As `PagedTable`, of which only the rows in sight are drawn. The next page is read before its rows are in sight. */
export function VirtualPagedTable<Row>({ list, ...table }: PagedTableProps<Row>) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  if (list.isPending) return <Loading label={table.caption} />;
  const again = () => (isFetchNextPageError ? fetchNextPage() : list.refetch());
  const since = list.dataUpdatedAt > 0 && !isFetchNextPageError ? list.dataUpdatedAt : null;
  return (
    <Stack>
      {list.fresh && <NewRows fresh={list.fresh} />}
      {Boolean(list.error) && <NotRead error={list.error} since={since} busy={list.isFetching} onAgain={again} />}
      <div className={list.isPlaceholderData ? 'rows rows-before' : 'rows'} aria-busy={list.isPlaceholderData}>
        {list.isPlaceholderData && (
          <Text size="sm" role="status" mb="xs">
            Loading… These are still the rows of before.
          </Text>
        )}
        {(!list.error || list.rows.length > 0) && (
          <VirtualTable {...table} rows={list.rows} total={hasNextPage ? list.total : list.rows.length} onEnd={more} />
        )}
      </div>
      {hasNextPage && (
        <Group>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Load more
          </Button>
          {list.total !== undefined && <Text size="sm">{wholeText(list.rows.length, list.total)}</Text>}
        </Group>
      )}
    </Stack>
  );
}

interface VirtualTableProps<Row> extends Omit<PagedTableProps<Row>, 'list'> {
  readonly rows: readonly Row[];
  /** Of the whole list; not known: undefined. */
  readonly total: number | undefined;
  /** The end of what was read is near. */
  readonly onEnd: () => void;
}

/** The rows keep their numbers for a screen reader; the one with the focus stays, wherever one scrolls. */
function VirtualTable<Row>({ caption, columns: all, rows, keyOf, empty, total, onEnd }: VirtualTableProps<Row>) {
  const columns = useMemo(() => all.filter(({ hidden }) => !hidden), [all]);
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const [focused, setFocused] = useState<number | null>(null);
  const isEmpty = rows.length === 0;
  // Whatever stands above it may grow.
  useEffect(() => {
    const seen = new ResizeObserver(() => {
      if (body.current) setTop(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
    });
    seen.observe(document.body);
    return () => seen.disconnect();
  }, [isEmpty]);
  // oxlint-disable-next-line react/incompatible-library -- what is drawn follows the scrolling, and is never memoized
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
    getItemKey: (at) => keyOf(rows[at] as Row),
    rangeExtractor: (range) => {
      const seen = defaultRangeExtractor(range);
      if (focused === null || focused >= rows.length || seen.includes(focused)) return seen;
      return [...seen, focused].toSorted((a, b) => a - b);
    },
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - AHEAD) onEnd();
  }, [last, rows.length, onEnd]);
  const table = useEventListener('focusin', ({ target }: FocusEvent) => {
    const index = (target as Element).closest('tr')?.dataset.index;
    setFocused(index === undefined ? null : Number(index));
  });
  if (isEmpty) return typeof empty === 'string' ? <Empty title={empty} /> : empty;
  return (
    <table
      className={`data-table virtual-table${columns.some(({ place }) => place) ? ' data-lines' : ''}`}
      role="table"
      aria-rowcount={total === undefined ? -1 : total + 1}
      ref={table}
    >
      <caption className="visually-hidden">{caption}</caption>
      <DataHead columns={columns} />
      <tbody role="rowgroup" ref={body}>
        {items.map((item, i) => {
          const before = i === 0 ? top : (items[i - 1]?.end ?? top);
          return (
            <RowAt
              key={item.key}
              gap={item.start - before}
              row={rows[item.index] as Row}
              at={item.index}
              columns={columns}
              measure={virtualizer.measureElement}
            />
          );
        })}
        <Gap height={virtualizer.getTotalSize() + top - (items.at(-1)?.end ?? top)} />
      </tbody>
    </table>
  );
}

interface RowAtProps<Row> {
  readonly gap: number;
  readonly row: Row;
  readonly at: number;
  readonly columns: readonly Column<Row>[];
  readonly measure: (row: HTMLTableRowElement | null) => void;
}

function RowAt<Row>({ gap, ...row }: RowAtProps<Row>) {
  return (
    <>
      <Gap height={gap} />
      <DataRow {...row} />
    </>
  );
}

/** In place of rows that are out of sight. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr className="virtual-gap" aria-hidden="true" ref={(row) => row?.style.setProperty('height', `${height}px`)} />
  );
}
