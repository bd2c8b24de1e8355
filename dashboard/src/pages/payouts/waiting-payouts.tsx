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
import { Decide } from './decide-payout';

const ASKED_AGAIN_MS = 15_000;

/** Payouts that a second person has to let go, with who asked for them. */
export function WaitingPayouts() {
  const mode = useMode();
  const { hasPermission } = useMay();
  const { data, error } = useQuery({
    queryKey: [mode, 'payouts', 'waiting'],
    queryFn: () => bodyOf(dashboardApi.GET('/payouts/waiting', { params: { query: { livemode: mode === 'live' } } })),
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
          caption="Payouts that wait for a second person"
          rows={data.data}
          keyOf={({ payout }) => payout.id ?? ''}
          columns={[
            {
              title: 'Paid to',
              cell: ({ payout }) => (
                <AnchorLink inherit to="/$mode/payouts/$id" params={{ mode, id: payout.id ?? '' }}>
                  {String(payout.details.account_name)}
                </AnchorLink>
              ),
              place: 'what',
            },
            {
              title: 'Amount',
              cell: ({ payout }) => <span className="amount">{moneyText(payout.amount, payout.currency)}</span>,
              numeric: true,
              place: 'amount',
            },
            {
              title: 'Asked by',
              cell: ({ made_by: maker, is_mine: isMine }) => (isMine ? 'you' : (maker?.name ?? 'an API key')),
              place: 'who',
            },
            { title: 'Asked', cell: ({ payout }) => <When at={payout.created_at} />, place: 'time' },
            {
              title: 'Decision',
              cell: (approval) => <Decide approval={approval} />,
              hidden: !hasPermission('payouts:approve'),
              place: 'state',
            },
          ]}
        />
      </Stack>
    </section>
  );
}
