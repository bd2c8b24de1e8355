import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { bodyOf, type Schemas } from '../../api/public-api';
import { DataTable, Loading } from '../../ui/data-table';
import { IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { useApi, useMode } from '../../ui/use-mode';
import { When } from '../../ui/when';

/** What of a wallet's money is held, for what, and when it is free again by itself. */
export function WalletHolds({ wallet: { id, currency, balance } }: { wallet: Schemas['Wallet'] }) {
  const mode = useMode();
  const api = useApi();
  const { data, error } = useQuery({
    // Read anew when the held money is another.
    queryKey: [mode, 'wallet', id, 'holds', balance.held],
    queryFn: () => bodyOf(api.GET('/v4/wallets/{id}/holds', { params: { path: { id } } })),
    enabled: balance.held !== 0,
  });
  if (balance.held === 0) return null;
  return (
    <section aria-label="Held">
      <Stack gap="xs">
        <Title order={2} size="h4">
          {`Held: ${moneyText(data?.held ?? balance.held, currency)}`}
        </Title>
        <ProblemAlert error={error} />
        {!data && !error && <Loading label="what is held" />}
        {data && (
          <DataTable
            caption="What is held"
            rows={data.data}
            keyOf={({ transaction_id: transaction }) => transaction}
            columns={[
              { title: 'For', cell: ({ kind }) => kind.replaceAll('_', ' '), place: 'what' },
              { title: 'Transaction', cell: ({ transaction_id }) => <IdLink id={transaction_id} />, place: 'who' },
              {
                title: 'Amount',
                cell: ({ amount }) => <span className="amount">{moneyText(amount, currency)}</span>,
                numeric: true,
                place: 'amount',
              },
              { title: 'Since', cell: ({ since }) => <When at={since} /> },
              {
                title: 'Free again',
                cell: ({ releases_at: at }) => (at ? <When at={at} /> : 'when its outcome is known'),
                place: 'time',
              },
            ]}
          />
        )}
        {data?.has_more && (
          <Text size="sm">The {data.data.length} newest; their sum is less than what is held in all.</Text>
        )}
      </Stack>
    </section>
  );
}
