import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { memo, type ReactNode, type Ref, useMemo } from 'react';
import { Empty } from './empty';
import { NewRows } from './new-rows';
import { ProblemAlert } from './problem-alert';
import { timeText } from './time';
import type { NewRows as Fresh } from './use-new-rows';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly numeric?: boolean;
  /** Of what the person may not do. */
  readonly hidden?: boolean;
  /**
   * Its place on a narrow screen: what and amount above, who, state and time below. Once one column has a place, those
   * without are left out there.
   */
  readonly place?: 'what' | 'amount' | 'who' | 'state' | 'time';
}

interface DataTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly empty?: ReactNode;
}

/**
 * A table; on a narrow screen each row becomes two lines where its columns have places, else a block with the columns'
 * titles. The roles keep it a table for a screen reader then.
 */
export function DataTable<Row>({
  caption,
  columns: all,
  rows,
  keyOf,
  empty = 'Nothing here yet.',
}: DataTableProps<Row>) {
  const columns = useMemo(() => all.filter(({ hidden }) => !hidden), [all]);
  if (rows.length === 0) return typeof empty === 'string' ? <Empty title={empty} /> : empty;
  const placed = columns.some(({ place }) => place);
  return (
    <div className="table-scroll">
      <table className={placed ? 'data-table data-lines' : 'data-table'} role="table">
        <caption className="visually-hidden">{caption}</caption>
        <DataHead columns={columns} />
        <tbody role="rowgroup">
          {rows.map((row) => (
            <DataRow key={keyOf(row)} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The titles. */
export function DataHead<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <thead role="rowgroup">
      <tr role="row">
        {columns.map(({ title, numeric }) => (
          <th key={title} scope="col" role="columnheader" className={numeric ? 'numeric' : undefined}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface DataRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  /** Of a list that is drawn in part: which row it is, and who wants to know how high. */
  readonly at?: number;
  readonly measure?: Ref<HTMLTableRowElement>;
}

/** Drawn once: of a long list only what is new is drawn again, where the columns are the same ones. */
export const DataRow = memo(function DataRow<Row>({ row, columns, at, measure }: DataRowProps<Row>) {
  return (
    <tr role="row" ref={measure} data-index={at} aria-rowindex={at === undefined ? undefined : at + 2}>
      {columns.map(({ title, cell, numeric, place }) => (
        <td key={title} role="cell" data-title={title} data-place={place} className={numeric ? 'numeric' : undefined}>
          <div>{cell(row)}</div>
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: DataRowProps<Row>) => ReactNode;

export interface PagedTableProps<Row> extends Omit<DataTableProps<Row>, 'rows'> {
  readonly list: {
    readonly rows: readonly Row[];
    readonly error: unknown;
    readonly isPending: boolean;
    /** The rows are those of the filter before. */
    readonly isPlaceholderData: boolean;
    readonly isFetching: boolean;
    /** It was the next page that could not be read, not the rows that are there. */
    readonly isFetchNextPageError: boolean;
    readonly dataUpdatedAt: number;
    readonly refetch: () => unknown;
    readonly isFetchingNextPage: boolean;
    readonly hasNextPage: boolean;
    readonly fetchNextPage: () => unknown;
    readonly total?: number;
    readonly fresh?: Fresh | null;
  };
}

/** A table of a list that is read page by page. What could not be read leaves the rows that are there. */
export function PagedTable<Row>({ list, ...table }: PagedTableProps<Row>) {
  if (list.isPending) return <Loading label={table.caption} />;
  const again = () => (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch());
  const since = list.dataUpdatedAt > 0 && !list.isFetchNextPageError ? list.dataUpdatedAt : null;
  return (
    <Stack>
      {Boolean(list.error) && <NotRead error={list.error} since={since} busy={list.isFetching} onAgain={again} />}
      {list.fresh && <NewRows fresh={list.fresh} />}
      <div className={list.isPlaceholderData ? 'rows rows-before' : 'rows'} aria-busy={list.isPlaceholderData}>
        {list.isPlaceholderData && (
          <Text size="sm" role="status" mb="xs">
            Loading… These are still the rows of before.
          </Text>
        )}
        {(!list.error || list.rows.length > 0) && <DataTable {...table} rows={list.rows} />}
      </div>
      {list.hasNextPage && (
        <Group>
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            Load more
          </Button>
          {list.total !== undefined && <Text size="sm">{wholeText(list.rows.length, list.total)}</Text>}
        </Group>
      )}
    </Stack>
  );
}

/** "100 of 301": a list that is not whole says so. */
export const wholeText = (shown: number, total: number): string =>
  shown < total ? `${shown} of ${total.toLocaleString('en')}` : `${total.toLocaleString('en')}`;

interface NotReadProps {
  readonly error: unknown;
  /** When the rows that are shown were read; null: none are, or they are as good as they were. */
  readonly since: number | null;
  readonly busy: boolean;
  readonly onAgain: () => unknown;
}

/** That a list could not be read, and what its rows are worth now. */
export function NotRead({ error, since, busy, onAgain }: NotReadProps) {
  return (
    <Stack gap="xs" align="flex-start">
      <ProblemAlert error={error} />
      {since !== null && <Text size="sm">The rows below are from {timeText(new Date(since).toISOString())}.</Text>}
      <Button variant="default" size="xs" loading={busy} onClick={onAgain}>
        Try again
      </Button>
    </Stack>
  );
}

const SKELETON_WIDTHS = ['100%', '96%', '98%', '92%', '60%'];

export function Loading({ label }: { label: string }) {
  return (
    <Stack gap="xs" role="status" aria-label={`Loading: ${label}`}>
      {SKELETON_WIDTHS.map((width) => (
        <Skeleton key={width} height={20} my={6} width={width} />
      ))}
    </Stack>
  );
}
