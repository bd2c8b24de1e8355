import { Stack, Title } from '@mantine/core';
import { bodyOf, type Schemas } from '../../api/public-api';
import { type Column, PagedTable } from '../../ui/data-table';
import { IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { StatusBadge } from '../../ui/status-badge';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';

type Item = Schemas['BatchItem'];

const POLL_MS = 3_000;
const PAGE_ROWS = 50;

/** `/items/3/amount` is the field "amount". */
const fieldOf = (pointer: string | null): string => pointer?.split('/').slice(3).join('.') ?? '';

function why({ failure }: Item): string {
  if (failure === null) return '–';
  const field = fieldOf(failure.param);
  return field ? `${field}: ${failure.detail}` : failure.detail;
}

/** The first row below the header of a file is row 1. */
const COLUMNS: readonly Column<Item>[] = [
  { title: 'Row', cell: ({ number }) => number + 1, place: 'time' },
  { title: 'Reference', cell: ({ reference }) => reference ?? '–', place: 'what' },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} />, place: 'state' },
  {
    title: 'Total',
    cell: ({ total, currency }) =>
      total === null || currency === null ? '–' : <span className="amount">{moneyText(total, currency)}</span>,
    numeric: true,
    place: 'amount',
  },
  { title: 'What it made', cell: ({ resource_id: id }) => <IdLink id={id} /> },
  { title: 'Why not', cell: (item) => <span className="label">{why(item)}</span>, place: 'who' },
];

interface BatchItemsProps {
  readonly id: string;
  readonly title: string;
  readonly status?: string;
  readonly running: boolean;
}

/** What was sent, row by row, and what became of it. */
export function BatchItems({ id, title, status, running }: BatchItemsProps) {
  const mode = useMode();
  const api = useApi();
  const list = usePages(
    // Once it has ended they are read once more, whatever was read before.
    [mode, 'batch', id, 'items', status, running],
    (cursor) =>
      bodyOf(
        api.GET('/v4/batches/{id}/items', { params: { path: { id }, query: { status, cursor, limit: PAGE_ROWS } } }),
      ),
    running ? { refetchInterval: POLL_MS } : {},
  );
  return (
    <section aria-label={title}>
      <Stack gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        <PagedTable
          caption={title}
          list={list}
          keyOf={({ number }) => String(number)}
          empty={status ? 'No row is in that state.' : 'Its rows are being read.'}
          columns={COLUMNS}
        />
      </Stack>
    </section>
  );
}
