import { Alert, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { bodyOf } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { ConfirmButton } from '../../ui/confirm-button';
import { CopyField } from '../../ui/copy-field';
import { Loading } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { IdLink } from '../../ui/links';
import { MadeBy } from '../../ui/made-by';
import { moneyText } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { StatusBadge } from '../../ui/status-badge';
import { useApi, useMode } from '../../ui/use-mode';
import { When } from '../../ui/when';
import { Arrivals } from './arrivals';
import { SimulateArrival } from './simulate-arrival';
import type { VirtualAccount } from './virtual-account';

const POLL_MS = 3_000;

export function VirtualAccountPage() {
  const { id = '' } = useParams({ strict: false });
  const mode = useMode();
  const api = useApi();
  const { hasScope } = useMay();
  const { data: account, error } = useQuery({
    queryKey: [mode, 'virtual account', id],
    queryFn: () => bodyOf(api.GET('/v4/virtual-accounts/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? POLL_MS : false),
  });
  if (error) return <ProblemAlert error={error} />;
  if (!account) return <Loading label="virtual account" />;
  return (
    <Stack>
      <PageHead title={account.label ?? 'Virtual account'}>
        {account.status === 'active' && hasScope('virtual_accounts:write') && (
          <ConfirmButton
            label="Close"
            question="Close this account number for ever?"
            explanation="What arrives after that waits for a person."
            done="It is closed."
            work={() => api.POST('/v4/virtual-accounts/{id}/close', { params: { path: { id } } })}
          />
        )}
      </PageHead>
      {account.account_number && (
        <CopyField
          label={`${account.bank?.name ?? 'Account number'}, ${account.account_name ?? ''}`}
          value={account.account_number}
        />
      )}
      {account.failure && (
        <Alert variant="outline" color="red" title="The bank gave no number">
          {account.failure.message} <code>{account.failure.code}</code>
        </Alert>
      )}
      <Facts items={factsOf(account)} />
      {mode === 'test' && hasScope('sandbox:write') && account.account_number && <SimulateArrival account={account} />}
      <Arrivals account={account} />
    </Stack>
  );
}

const RULES = { review: 'waits for a person', accept_received: 'is taken as it is', refund: 'goes back to the payer' };

function factsOf(account: VirtualAccount) {
  const { amount, currency, on_underpaid: less, on_overpaid: more } = account;
  return [
    ['Id', <IdLink key="id" id={account.id} />],
    ['Status', <StatusBadge key="status" status={account.status} />],
    ['Kind', account.kind.replaceAll('_', ' ')],
    ['Credits', <IdLink key="wallet" id={account.wallet_id} />],
    ['Expects', amount === null ? `any ${currency}` : moneyText(amount, currency)],
    ['Less than that', less && RULES[less]],
    ['More than that', more && RULES[more]],
    ['Customer', account.customer_id && <IdLink key="customer" id={account.customer_id} />],
    ['Reference', account.reference],
    ['Request', <MadeBy key="request" id={account.id ?? ''} />],
    ['Expires', account.expires_at && <When key="expires" at={account.expires_at} />],
    ['Opened', <When key="opened" at={account.created_at} />],
  ] as const;
}
