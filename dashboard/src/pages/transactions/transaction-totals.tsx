import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { dashboardApi } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { DataTable } from '../../ui/data-table';
import { useMode } from '../../ui/use-mode';
import type { transactionQuery } from './transaction-filters';

interface TransactionTotalsProps {
  readonly wanted: ReturnType<typeof transactionQuery>;
  readonly enabled: boolean;
}

const COUNT = new Intl.NumberFormat('en-GB');

/** How many transactions the filters let through, and what they add up to by currency. */
export function TransactionTotals({ wanted, enabled }: TransactionTotalsProps) {
  const mode = useMode();
  const { data, isPlaceholderData } = useQuery({
    queryKey: [mode, 'transactions', 'totals', wanted],
    queryFn: () =>
      bodyOf(dashboardApi.GET('/transactions/totals', { params: { query: { ...wanted, livemode: mode === 'live' } } })),
    placeholderData: keepPreviousData,
    enabled,
  });
  if (!data || data.count === 0) return null;
  return (
    <section className={isPlaceholderData ? 'rows-before' : undefined} aria-busy={isPlaceholderData}>
      <Text size="sm" mb={4}>
        {data.capped
          ? `The newest ${COUNT.format(data.count)} of more; they add up to:`
          : `${COUNT.format(data.count)} match; they add up to:`}
      </Text>
      <DataTable
        caption="Sums of what matches"
        rows={data.data}
        keyOf={({ currency }) => currency}
        columns={[
          { title: 'Currency', cell: ({ currency, count }) => `${currency}: ${COUNT.format(count)}`, place: 'what' },
          { title: 'In', cell: ({ in_display }) => `+ ${in_display}`, numeric: true, place: 'amount' },
          { title: 'Out', cell: ({ out_display }) => `− ${out_display}`, numeric: true, place: 'time' },
          { title: 'Fees', cell: ({ fees_display }) => fees_display, numeric: true },
        ]}
      />
    </section>
  );
}
