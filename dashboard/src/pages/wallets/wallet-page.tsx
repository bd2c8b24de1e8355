import { Button, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useAheadMs } from '../../session/use-sandbox';
import { useMay } from '../../session/use-may';
import { ConfirmButton } from '../../ui/confirm-button';
import { Loading } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { moneyText } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { StatusBadge } from '../../ui/status-badge';
import { timeText } from '../../ui/time';
import { useAction } from '../../ui/use-action';
import { useApi, useMode } from '../../ui/use-mode';
import { useTimeZone } from '../../ui/use-time-zone';
import { When } from '../../ui/when';
import { curveOf } from './balance-curve';
import { useStatement } from './use-statement';
import { useDays, WalletDays } from './wallet-days';
import { FreezeWallet } from './wallet-freeze';
import { WalletHolds } from './wallet-holds';
import { WalletSettings } from './wallet-settings';
import { WalletStatement } from './wallet-statement';
import { TransferFrom } from './wallet-transfer';

const BalanceChart = lazy(() => import('./balance-chart'));

export function WalletPage() {
  const { id = '' } = useParams({ strict: false });
  const mode = useMode();
  const api = useApi();
  const { hasScope } = useMay();
  const { data, error, dataUpdatedAt } = useQuery({
    queryKey: [mode, 'wallet', id],
    queryFn: () => bodyOf(api.GET('/v4/wallets/{id}', { params: { path: { id } } })),
  });
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Loading label="wallet" />;
  const { currency, balance, credit_limit: limit } = data;
  return (
    <Stack>
      <PageHead title={data.label ?? `${currency} wallet`}>
        {hasScope('wallets:write') && <WalletActions wallet={data} />}
      </PageHead>
      <Facts
        items={[
          [
            'Id',
            <span key="id" className="id">
              {data.id}
            </span>,
          ],
          ['State', <StatusBadge key="state" status={data.status} />],
          ...data.freezes.map((freeze) => [WHO_FROZE[freeze.by], freezeText(freeze)] as const),
          ['Available', moneyText(balance.available, currency)],
          ['Held', moneyText(balance.held, currency)],
          ['Ledger balance', moneyText(balance.ledger, currency)],
          ...(limit > 0
            ? [
                [
                  'Credit left',
                  `${moneyText(balance.credit_available, currency)} of ${moneyText(limit, currency)}`,
                ] as const,
              ]
            : []),
          [
            'Warns below',
            data.low_balance_threshold === null ? 'off' : moneyText(data.low_balance_threshold, currency),
          ],
          ['Reference', data.reference],
          ['Opened', <When key="at" at={data.created_at} />],
        ]}
      />
      <WalletHolds wallet={data} />
      <Books wallet={data} readAt={dataUpdatedAt} />
    </Stack>
  );
}

const WHO_FROZE = { owner: 'Frozen', operator: 'Frozen by an operator' };

const NO_MONEY = { debit: 'pays nothing', credit: 'takes nothing', both: 'neither pays nor takes money' };

function freezeText({ direction, until, reason }: Schemas['Wallet']['freezes'][number]): string {
  const end = until === null ? '' : ` until ${timeText(until)}`;
  return `${NO_MONEY[direction]}${end}${reason === null ? '' : `: ${reason}`}`;
}

function WalletActions({ wallet }: { wallet: Schemas['Wallet'] }) {
  const { id, status, freezes } = wallet;
  const api = useApi();
  const path = { params: { path: { id } } };
  const unfreeze = useAction(() => api.POST('/v4/wallets/{id}/unfreeze', path), 'The wallet pays again.');
  if (status === 'closed') return null;
  return (
    <>
      <TransferFrom wallet={wallet} />
      <WalletSettings wallet={wallet} />
      <FreezeWallet wallet={wallet} />
      {freezes.some(({ by }) => by === 'owner') && (
        <Button size="xs" loading={unfreeze.isPending} onClick={() => unfreeze.mutate(undefined)}>
          Unfreeze
        </Button>
      )}
      <ConfirmButton
        label="Close"
        question="Close this wallet for ever?"
        explanation="Its balance must be zero."
        done="The wallet is closed."
        work={() => api.POST('/v4/wallets/{id}/close', path)}
      />
      <ProblemAlert error={unfreeze.error} />
    </>
  );
}

/** The curve, the statement and the closed days, which say the same. */
function Books({ wallet, readAt }: { wallet: Schemas['Wallet']; readAt: number }) {
  const { hasScope } = useMay();
  const statement = useStatement(wallet.id);
  const days = useDays(wallet.id);
  const ahead = useAheadMs();
  const timeZone = useTimeZone();
  const now = { at: readAt + ahead, balance: wallet.balance.ledger };
  const points = curveOf({ days: days.rows, statement: statement.data, now });
  return (
    <>
      {points.length > 1 && timeZone && (
        <section aria-label="Balance over time">
          <Title order={2} size="h4" mb="xs">
            Balance over time
          </Title>
          <Suspense fallback={<Loading label="chart" />}>
            <BalanceChart points={points} currency={wallet.currency} timeZone={timeZone} />
          </Suspense>
        </section>
      )}
      {hasScope('transactions:read') && <WalletStatement walletId={wallet.id} asked={statement} />}
      <WalletDays list={days} />
    </>
  );
}
