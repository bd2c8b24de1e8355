import { Stack } from '@mantine/core';
import { TRANSACTION_TYPES } from '../../../../src/vocabulary/products';
import { bodyOf, type Schemas } from '../../api/public-api';
import { PagedTable } from '../../ui/data-table';
import { dayStart, timeText } from '../../ui/time';
import { FilterBar, type FilterField, useFilters } from '../../ui/filters';
import { IdLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { StatusBadge } from '../../ui/status-badge';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { DownloadCsv } from '../../ui/download-csv';
import { TransactionSearch } from './transaction-search';
import { CURRENCIES } from '../../ui/money';

type Transaction = Schemas['Transaction'];

const STATUSES = [
  'pending',
  'processing',
  'successful',
  'failed',
  'cancelled',
  'reversed',
] as const satisfies readonly Transaction['status'][];

const FILTERS: readonly FilterField[] = [
  { name: 'type', label: 'Type', options: TRANSACTION_TYPES },
  { name: 'status', label: 'Status', options: STATUSES },
  { name: 'direction', label: 'Direction', options: ['debit', 'credit'] },
  { name: 'currency', label: 'Currency', options: CURRENCIES },
  { name: 'wallet_id', label: 'Wallet' },
  { name: 'created_gte', label: 'From (UTC)', type: 'date' },
  { name: 'created_lt', label: 'Before (UTC)', type: 'date' },
];

/** The transactions that the address asks for. */
export function TransactionsPage() {
  const { q, ...filters } = useFilters();
  const mode = useMode();
  const api = useApi();
  const wanted = transactionQuery(filters);
  const list = usePages([mode, 'transactions', wanted], (cursor) =>
    bodyOf(api.GET('/v4/transactions', { params: { query: { ...wanted, cursor } } })),
  );
  return (
    <>
      <PageHead title="Transactions">
        <DownloadCsv path="/v4/transactions" filters={wanted} />
      </PageHead>
      <Stack>
        <TransactionSearch query={q} />
        {!q && (
          <div>
            <FilterBar fields={FILTERS} />
            <TransactionTable list={list} />
          </div>
        )}
      </Stack>
    </>
  );
}

function transactionQuery({ created_gte, created_lt, ...filters }: Readonly<Record<string, string | undefined>>) {
  const known = Object.fromEntries(
    Object.entries(filters).filter(([name]) => FILTERS.some((field) => field.name === name)),
  );
  return { ...known, created_gte: dayStart(created_gte), created_lt: dayStart(created_lt) };
}

export function TransactionTable({ list }: { list: ReturnType<typeof usePages<Transaction>> }) {
  return (
    <PagedTable
      caption="Transactions"
      list={list}
      keyOf={({ id }) => id ?? ''}
      empty="No transactions match."
      columns={[
        { title: 'Transaction', cell: ({ id }) => <IdLink id={id} /> },
        { title: 'Type', cell: ({ type }) => type.replaceAll('_', ' ') },
        { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
        {
          title: 'Amount',
          cell: ({ amount_display, direction }) => `${direction === 'debit' ? '−' : '+'} ${amount_display}`,
          numeric: true,
        },
        { title: 'For', cell: ({ recipient, reference }) => recipient ?? reference ?? '–' },
        { title: 'Created', cell: ({ created_at }) => timeText(created_at) },
      ]}
    />
  );
}
