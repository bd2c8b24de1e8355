import { Alert, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { bodyOf } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { ConfirmButton } from '../../ui/confirm-button';
import { JsonBlock } from '../../ui/copy-field';
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
import { ApprovalOf } from '../approvals/approval';
import { type Payout, payoutDetails } from './payout';

const POLL_MS = 2_000;
const isRunning = (payout: Payout | undefined) => payout?.status === 'pending' || payout?.status === 'processing';

export function PayoutPage() {
  const { id = '' } = useParams({ strict: false });
  const mode = useMode();
  const api = useApi();
  const { data: payout, error } = useQuery({
    queryKey: [mode, 'payout', id],
    queryFn: () => bodyOf(api.GET('/v4/payouts/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (isRunning(state.data) ? POLL_MS : false),
  });
  if (error) return <ProblemAlert error={error} />;
  if (!payout) return <Loading label="payout" />;
  const { approval } = payoutDetails(payout);
  return (
    <Stack>
      <PageHead title={`Payout to ${payoutDetails(payout).account_name}`}>
        {payout.status === 'pending' && <CancelPayout id={id} />}
      </PageHead>
      {payout.failure && (
        <Alert variant="outline" color="red" title="Why it failed">
          {payout.failure.message} <code>{payout.failure.code}</code>
        </Alert>
      )}
      {approval && <ApprovalOf id={id} state={approval} />}
      <Facts items={factsOf(payout)} />
      <JsonBlock label="The payout as JSON" value={payout} />
    </Stack>
  );
}

function factsOf(payout: Payout) {
  const { currency } = payout;
  const { bank, account_number_masked: number, account_name: name, session_id, narration } = payoutDetails(payout);
  const beneficiary = payoutDetails(payout).beneficiary_id;
  return [
    ['Transaction', <IdLink key="id" id={payout.id} />],
    ['Status', <StatusBadge key="status" status={payout.status} />],
    ['Amount', moneyText(payout.amount, currency)],
    ['Fee', moneyText(payout.fee, currency)],
    ['Total', moneyText(payout.total, currency)],
    ['Bank', `${bank.name} (${bank.code})`],
    ['Account', number],
    ['Name, as the bank said', name],
    ['Beneficiary', beneficiary && <IdLink key="beneficiary" id={beneficiary} />],
    ['Narration', narration],
    ['Session of the banks', session_id],
    ['Wallet', <IdLink key="wallet" id={payout.wallet_id} />],
    ['Review', payout.needs_review ? 'waits for a person' : null],
    ['Reference', payout.reference],
    ['Request', <MadeBy key="request" id={payout.id ?? ''} />],
    ['Came back by', payout.reversed_by && <IdLink key="reversed" id={payout.reversed_by} />],
    ['Created', <When key="created" at={payout.created_at} />],
    ['Ended', <When key="ended" at={payout.completed_at} />],
  ] as const;
}

function CancelPayout({ id }: { id: string }) {
  const api = useApi();
  const { hasScope } = useMay();
  if (!hasScope('payouts:write')) return null;
  return (
    <ConfirmButton
      label="Cancel it"
      question="Cancel this payout?"
      explanation="Only possible while no provider has been asked. The money goes back to the wallet."
      done="Cancelled."
      work={() => api.POST('/v4/transactions/{id}/cancel', { params: { path: { id } } })}
    />
  );
}
