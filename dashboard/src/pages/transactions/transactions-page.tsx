import { Stack, Text } from '@mantine/core';
import '../../styles/transactions.css';
import { bodyOf } from '../../api/public-api';
import { DownloadCsv } from '../../ui/download-csv';
import { FilterBar } from '../../ui/filters';
import { useFilters } from '../../ui/use-filters';
import { PageHead } from '../../ui/page-head';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { useTimeZone } from '../../ui/use-time-zone';
import { VirtualPagedTable } from '../../ui/virtual-table';
import { ColumnsChoice, useColumns } from './columns';
import { SavedViews } from './saved-views';
import { transactionFilters, transactionQuery } from './transaction-filters';
import { TransactionSearch } from './transaction-search';
import { FURTHER_COLUMNS, TRANSACTION_COLUMNS } from './transaction-table';
import { TransactionTotals } from './transaction-totals';

const PAGE_ROWS = 100;
const FURTHER = FURTHER_COLUMNS.map(({ title }) => title);

const COLUMNS = [...TRANSACTION_COLUMNS, ...FURTHER_COLUMNS];

/** The transactions that the address asks for. */
export function TransactionsPage() {
  const { q, ...filters } = useFilters();
  const mode = useMode();
  const api = useApi();
  const timeZone = useTimeZone();
  const wanted = transactionQuery(filters, timeZone ?? 'UTC');
  const list = usePages(
    [mode, 'transactions', wanted],
    (cursor) => bodyOf(api.GET('/v4/transactions', { params: { query: { ...wanted, cursor, limit: PAGE_ROWS } } })),
    { enabled: !q && timeZone !== undefined, pagesReadAnew: 10, live: q ? [] : ['*'] },
  );
  const { columns, choose } = useColumns('transactions', COLUMNS, FURTHER);
  return (
    <>
      <PageHead title="Transactions">
        {!q && timeZone && (
          <>
            <DownloadCsv own path="/transactions/export" filters={wanted} />
            <DownloadCsv own path="/transactions/export/xlsx" filters={wanted} label="Download XLSX" />
          </>
        )}
      </PageHead>
      <Stack>
        <TransactionSearch query={q} />
        {!q && (
          <Stack gap="xs">
            <FilterBar fields={transactionFilters(filters.currency)} />
            <div className="list-tools">
              <SavedViews filters={filters} />
              <ColumnsChoice columns={columns} choose={choose} />
            </div>
            {timeZone && (
              <Text size="sm" c="dimmed">
                Days and times by the clocks of {timeZone}; UTC is told where a time is pointed at.
              </Text>
            )}
            <TransactionTotals wanted={wanted} enabled={timeZone !== undefined} />
            <VirtualPagedTable
              caption="Transactions"
              list={list}
              keyOf={({ id }) => id ?? ''}
              empty="No transactions match."
              columns={columns}
            />
          </Stack>
        )}
      </Stack>
    </>
  );
}
