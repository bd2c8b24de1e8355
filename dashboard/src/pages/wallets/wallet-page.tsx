import { Button, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { ConfirmButton } from '../../ui/confirm-button';
import { Loading, PagedTable } from '../../ui/data-table';
import { DownloadCsv } from '../../ui/download-csv';
import { Facts } from '../../ui/facts';
import { IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { StatusBadge } from '../../ui/status-badge';
import { timeText } from '../../ui/time';
import { useAction } from '../../ui/use-action';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';

export function WalletPage() {
  const { id = '' } = useParams({ strict: false });
  const mode = useMode();
  const api = useApi();
  const { hasScope } = useMay();
  const { data, error } = useQuery({
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
          ['Opened', timeText(data.created_at)],
        ]}
      />
      <Statement walletId={id} />
    </Stack>
  );
}

const WHO_FROZE = { owner: 'Frozen', operator: 'Frozen by an operator' };

const NO_MONEY = { debit: 'pays nothing', credit: 'takes nothing', both: 'neither pays nor takes money' };

function freezeText({ direction, until, reason }: Schemas['Wallet']['freezes'][number]): string {
  const end = until === null ? '' : ` until ${timeText(until)}`;
  return `${NO_MONEY[direction]}${end}${reason === null ? '' : `: ${reason}`}`;
}

function WalletActions({ wallet: { id, status } }: { wallet: Schemas['Wallet'] }) {
  const api = useApi();
  const path = { params: { path: { id } } };
  const unfreeze = useAction(() => api.POST('/v4/wallets/{id}/unfreeze', path), 'The wallet pays again.');
  if (status === 'closed') return null;
  return (
    <>
      {status === 'active' ? (
        <ConfirmButton
          label="Freeze"
          question="Freeze this wallet?"
          explanation="It still receives, but pays nothing until it is unfrozen."
          done="The wallet is frozen."
          work={() => api.POST('/v4/wallets/{id}/freeze', { ...path, body: {} })}
        />
      ) : (
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

function Statement({ walletId }: { walletId: string }) {
  const mode = useMode();
  const api = useApi();
  const list = usePages([mode, 'entries', walletId], (cursor) =>
    bodyOf(api.GET('/v4/wallets/{id}/entries', { params: { path: { id: walletId }, query: { cursor } } })),
  );
  return (
    <section aria-label="Statement">
      <Stack gap="xs">
        <div className="section-head">
          <Title order={2} size="h4">
            Statement
          </Title>
          <DownloadCsv path={`/v4/wallets/${walletId}/entries`} />
        </div>
        <PagedTable
          caption="Statement"
          list={list}
          keyOf={({ id }) => id}
          empty="No entries yet."
          columns={[
            { title: 'At', cell: ({ created_at }) => timeText(created_at) },
            { title: 'Transaction', cell: ({ transaction_id }) => <IdLink id={transaction_id} /> },
            { title: 'Part', cell: ({ bucket }) => bucket },
            { title: 'Amount', cell: ({ amount, currency }) => moneyText(amount, currency), numeric: true },
            {
              title: 'Balance after',
              cell: ({ balance_after, currency }) => moneyText(balance_after, currency),
              numeric: true,
            },
          ]}
        />
      </Stack>
    </section>
  );
}
