import { Button, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemAlert } from './problem-alert';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly numeric?: boolean;
  /** Of what the person may not do. */
  readonly hidden?: boolean;
}

interface DataTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly empty?: ReactNode;
}

/** A table; on a narrow screen each row becomes a block with its columns' titles. The roles keep it a table for a screen reader then. */
export function DataTable<Row>({
  caption,
  columns: all,
  rows,
  keyOf,
  empty = 'Nothing here yet.',
}: DataTableProps<Row>) {
  if (rows.length === 0) return <Text c="dimmed">{empty}</Text>;
  const columns = all.filter(({ hidden }) => !hidden);
  return (
    <Table className="data-table" role="table">
      <caption className="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title, numeric }) => (
            <th key={title} scope="col" role="columnheader" className={numeric ? 'numeric' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map(({ title, cell, numeric }) => (
              <td key={title} role="cell" data-title={title} className={numeric ? 'numeric' : undefined}>
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

interface PagedTableProps<Row> extends Omit<DataTableProps<Row>, 'rows'> {
  readonly list: {
    readonly rows: readonly Row[];
    readonly error: unknown;
    readonly isPending: boolean;
    readonly isFetchingNextPage: boolean;
    readonly hasNextPage: boolean;
    readonly fetchNextPage: () => unknown;
    readonly total?: number;
  };
}

/** A table of a list that is read page by page. */
export function PagedTable<Row>({ list, ...table }: PagedTableProps<Row>) {
  if (list.isPending) return <Loading label={table.caption} />;
  if (list.error) return <ProblemAlert error={list.error} />;
  return (
    <Stack>
      <DataTable {...table} rows={list.rows} />
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

export function Loading({ label }: { label: string }) {
  return (
    <Stack gap="xs" role="status" aria-label={`Loading: ${label}`}>
      <Skeleton height={28} />
      <Skeleton height={28} />
      <Skeleton height={28} width="70%" />
    </Stack>
  );
}
