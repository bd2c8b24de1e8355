import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dashboardApi } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { DataTable } from '../../ui/data-table';
import { AnchorLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { useMode } from '../../ui/use-mode';
import { When } from '../../ui/when';
import { type Approval, Decide, isRefund } from './decide';

const ASKED_AGAIN_MS = 15_000;

/** Payouts and refunds that a second person has to let go, with who asked for them. */
export function Waiting() {
  const mode = useMode();
  const { hasPermission } = useMay();
  const { data, error } = useQuery({
    queryKey: [mode, 'approvals'],
    queryFn: () => bodyOf(dashboardApi.GET('/approvals', { params: { query: { livemode: mode === 'live' } } })),
    refetchInterval: ASKED_AGAIN_MS,
  });
  if (error) return <ProblemAlert error={error} />;
  if (!data || data.data.length === 0) return null;
  return (
    <section aria-labelledby="waiting-title">
      <Stack gap="xs">
        <Title order={2} size="h4" id="waiting-title">
          {`Waiting for a second person: ${data.data.length}${data.has_more ? ' of more' : ''}`}
        </Title>
        <Text size="sm" c="dimmed">
          Their money is held, and nobody outside was asked yet.
        </Text>
        <DataTable
          caption="What waits for a second person"
          rows={data.data}
          keyOf={({ transaction }) => transaction.id ?? ''}
          columns={[
            { title: 'What', cell: ({ transaction }) => <What transaction={transaction} />, place: 'what' },
            {
              title: 'Amount',
              cell: ({ transaction: { amount, currency } }) => (
                <span className="amount">{moneyText(amount, currency)}</span>
              ),
              numeric: true,
              place: 'amount',
            },
            {
              title: 'Asked by',
              cell: ({ made_by: maker, is_mine: isMine }) => (isMine ? 'you' : (maker?.name ?? 'an API key')),
              place: 'who',
            },
            { title: 'Asked', cell: ({ transaction }) => <When at={transaction.created_at} />, place: 'time' },
            {
              title: 'Decision',
              cell: (approval) => <Decide approval={approval} />,
              hidden: !hasPermission('approvals:decide'),
              place: 'state',
            },
          ]}
        />
      </Stack>
    </section>
  );
}

function What({ transaction }: Pick<Approval, 'transaction'>) {
  const mode = useMode();
  const { id, details } = transaction;
  return isRefund(transaction) ? (
    <AnchorLink inherit to="/$mode/payments/$id" params={{ mode, id: String(details.payment_id) }}>
      Refund of {String(details.payment_reference ?? details.payment_id)}
    </AnchorLink>
  ) : (
    <AnchorLink inherit to="/$mode/payouts/$id" params={{ mode, id: id ?? '' }}>
      Payout to {String(details.account_name)}
    </AnchorLink>
  );
}
