import { Group, NativeSelect, Button, Stack, Title, Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { SCOPE_OF } from '../../../../src/vocabulary/products';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useIsLive } from '../../session/live-state';
import { useMay } from '../../session/use-may';
import { JsonBlock } from '../../ui/copy-field';
import { ConfirmButton } from '../../ui/confirm-button';
import { Loading } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { IdLink } from '../../ui/links';
import { MadeBy } from '../../ui/made-by';
import { moneyText } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { StatusBadge } from '../../ui/status-badge';
import { useAction } from '../../ui/use-action';
import { useApi, useMode } from '../../ui/use-mode';
import { When } from '../../ui/when';
import { hasSecrets, TransactionSecrets } from './transaction-secrets';
import { ApprovalOf } from '../approvals/approval';
import { Story } from '../story/story';
import { ReceiptLink } from '../story/story-page';

type Transaction = Schemas['Transaction'];
const POLL_MS = 2_000;
const isRunning = (transaction: Transaction | undefined) =>
  transaction?.status === 'pending' || transaction?.status === 'processing';

export function TransactionPage() {
  const { id = '' } = useParams({ strict: false });
  const mode = useMode();
  const api = useApi();
  const isLive = useIsLive();
  const { data, error, isPending } = useQuery({
    queryKey: [mode, 'transaction', id],
    queryFn: () => bodyOf(api.GET('/v4/transactions/{id}', { params: { path: { id } } })),
    refetchInterval: (query) => (!isLive && isRunning(query.state.data) ? POLL_MS : false),
  });
  if (isPending) return <Loading label="transaction" />;
  if (error) return <ProblemAlert error={error} />;
  return (
    <Stack>
      <PageHead title={data.type.replaceAll('_', ' ')}>
        {isRunning(data) && <Actions id={id} type={data.type} />}
        <ReceiptLink id={id} />
      </PageHead>
      {data.failure && (
        <Alert variant="outline" color="red" title="Why it failed">
          {String(data.failure.message)} <code>{String(data.failure.code)}</code>
        </Alert>
      )}
      {'approval' in data.details && <ApprovalOf id={id} state={data.details.approval as Schemas['Approval']} />}
      <Facts items={factsOf(data)} />
      {hasSecrets(data.details) && <TransactionSecrets id={id} />}
      <Story id={id} running={isRunning(data)} />
      <section aria-labelledby="object-title">
        <Title order={2} size="h4" id="object-title" mb="xs">
          As the API shows it
        </Title>
        <JsonBlock label="The transaction as JSON" value={data} />
      </section>
    </Stack>
  );
}

/** What of an account's a transaction paid for, by the field that names it. */
const ABOUT = [
  ['payment_id', 'Payment'],
  ['card_id', 'Card'],
] as const;

const aboutOf = (details: Readonly<Record<string, unknown>>) =>
  ABOUT.flatMap(([field, name]) => {
    const id = details[field];
    return typeof id === 'string' ? [[name, <IdLink key={field} id={id} />] as const] : [];
  });

function factsOf(transaction: Transaction) {
  const {
    id,
    status,
    amount_display,
    direction,
    fee,
    commission,
    total,
    currency,
    wallet_id,
    counterparty,
    recipient,
    reference,
    provider,
  } = transaction;
  return [
    ['Id', <IdLink key="id" id={id} />],
    ['Status', <StatusBadge key="status" status={status} />],
    ['Amount', `${direction === 'debit' ? '−' : '+'} ${amount_display}`],
    ['Fee', moneyText(fee, currency)],
    ['Commission', moneyText(commission, currency)],
    ['Total', moneyText(total, currency)],
    ['Wallet', <IdLink key="wallet" id={wallet_id} />],
    ['Other side', <IdLink key="other" id={counterparty} />],
    ['Recipient', recipient],
    ['Reference', reference],
    ['Provider', provider && `${provider.name} (asked ${provider.attempts} times)`],
    ...aboutOf(transaction.details),
    ['Request', <MadeBy key="request" id={id} />],
    ['Reverses', <IdLink key="reverses" id={transaction.reverses} />],
    ['Reversed by', <IdLink key="reversed" id={transaction.reversed_by} />],
    ['Created', <When key="at" at={transaction.created_at} />],
    ['Ended', <When key="at" at={transaction.completed_at} />],
  ] as const;
}

function Actions({ id, type }: Pick<Transaction, 'type'> & { id: string }) {
  const mode = useMode();
  const { hasScope } = useMay();
  return (
    <>
      {hasScope(SCOPE_OF[type]) && <AskOrCancel id={id} />}
      {mode === 'test' && hasScope('sandbox:write') && <Settle id={id} />}
    </>
  );
}

function AskOrCancel({ id }: { id: string }) {
  const api = useApi();
  const path = { params: { path: { id } } };
  const requery = useAction(() => api.POST('/v4/transactions/{id}/requery', path), 'The provider was asked again.');
  return (
    <>
      <Button variant="default" size="xs" loading={requery.isPending} onClick={() => requery.mutate(undefined)}>
        Ask the provider again
      </Button>
      <ConfirmButton
        label="Cancel it"
        question="Cancel this transaction?"
        explanation="Only possible while no provider has been asked. The money goes back to the wallet."
        done="Cancelled."
        work={() => api.POST('/v4/transactions/{id}/cancel', path)}
      />
      <ProblemAlert error={requery.error} />
    </>
  );
}

function Settle({ id }: { id: string }) {
  const api = useApi();
  const [status, setStatus] = useState<'successful' | 'failed' | 'reversed'>('successful');
  const settle = useAction(
    () => api.POST('/v4/sandbox/transactions/{id}/settle', { params: { path: { id } }, body: { status } }),
    'Settled.',
  );
  return (
    <Group gap="xs">
      <NativeSelect
        size="xs"
        aria-label="Settle as"
        data={['successful', 'failed', 'reversed']}
        value={status}
        onChange={(event) => setStatus(event.currentTarget.value as typeof status)}
      />
      <Button size="xs" loading={settle.isPending} onClick={() => settle.mutate(undefined)}>
        Settle
      </Button>
      <ProblemAlert error={settle.error} />
    </Group>
  );
}
