import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dashboardApi } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { DataTable, Loading } from '../../ui/data-table';
import { IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { timeText } from '../../ui/time';
import { useMode } from '../../ui/use-mode';

/** The entries that a transaction wrote into the ledger. */
export function TransactionLedger({ id, running }: { id: string; running: boolean }) {
  const mode = useMode();
  const { data, error } = useQuery({
    queryKey: [mode, 'transaction', id, 'ledger', running],
    queryFn: () =>
      bodyOf(
        dashboardApi.GET('/transactions/{id}/ledger', {
          params: { path: { id }, query: { livemode: mode === 'live' } },
        }),
      ),
  });
  return (
    <section aria-labelledby="ledger-title">
      <Title order={2} size="h4" id="ledger-title" mb="xs">
        Ledger lines
      </Title>
      {!data && !error && <Loading label="ledger lines" />}
      <ProblemAlert error={error} />
      {data && (
        <DataTable
          caption="Ledger lines of the transaction"
          rows={data.data}
          keyOf={({ id: line }) => line}
          columns={[
            {
              title: 'Account',
              cell: ({ wallet_id, account }) => (wallet_id ? <IdLink id={wallet_id} /> : `the ${account}`),
            },
            { title: 'Part', cell: ({ bucket }) => bucket },
            { title: 'Amount', cell: ({ amount_display }) => amount_display, numeric: true },
            {
              title: 'Balance after',
              cell: ({ balance_after, currency }) => moneyText(balance_after, currency),
              numeric: true,
            },
            { title: 'At', cell: ({ created_at }) => timeText(created_at) },
          ]}
        />
      )}
    </section>
  );
}
