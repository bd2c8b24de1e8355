import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useIsLive } from '../../session/live-state';
import { CopyField, JsonBlock } from '../../ui/copy-field';
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
import { PaymentRefunds } from './refund-form';
import { Story } from '../story/story';
import { ReceiptLink } from '../story/story-page';

const POLL_MS = 3_000;
const isRunning = (payment: Schemas['Payment'] | undefined) =>
  payment?.status === 'pending' || payment?.status === 'processing';

/** What a person decided about money that was not what had been asked for. */
const RESOLVED: Readonly<Record<NonNullable<Schemas['Payment']['resolution']>, string>> = {
  accept_received: 'accepted: what came in counts',
  accept_requested: 'accepted: what was asked for counts',
  refund_payer: 'goes back to the payer',
};

export function PaymentPage() {
  const { id = '' } = useParams({ strict: false });
  const mode = useMode();
  const api = useApi();
  const isLive = useIsLive();
  const { data: payment, error } = useQuery({
    queryKey: [mode, 'payment', id],
    queryFn: () => bodyOf(api.GET('/api/v1/payments/{id}', { params: { path: { id } } })),
    refetchInterval: (query) => (!isLive && isRunning(query.state.data) ? POLL_MS : false),
  });
  if (error) return <ProblemAlert error={error} />;
  if (!payment) return <Loading label="payment" />;
  return (
    <Stack>
      <PageHead title={payment.description ?? 'Payment'}>
        <ReceiptLink id={payment.id ?? id} />
      </PageHead>
      <Facts
        items={[
          [
            'Id',
            <span key="id" className="id">
              {payment.id}
            </span>,
          ],
          ['Status', <StatusBadge key="status" status={payment.status} />],
          ['Amount', moneyText(payment.amount, payment.currency)],
          ['Fee', moneyText(payment.fee, payment.currency)],
          [
            'Received',
            payment.amount_received === null
              ? '–'
              : moneyText(payment.amount_received, payment.currency_received ?? payment.currency),
          ],
          ['Sent back', payment.amount_refunded ? moneyText(payment.amount_refunded, payment.currency) : '–'],
          ['Review', payment.needs_review ? 'waits for a person' : payment.resolution && RESOLVED[payment.resolution]],
          ['Transaction', <IdLink key="transaction" id={payment.transaction_id} />],
          ['Request', <MadeBy key="request" id={payment.id} />],
          ['Gateway', payment.gateway],
          ['Reference', payment.reference],
          ['Expires', <When key="at" at={payment.expires_at} />],
          ['Created', <When key="at" at={payment.created_at} />],
        ]}
      />
      {payment.checkout_url && isRunning(payment) && (
        <CopyField label="Checkout page for the payer" value={payment.checkout_url} />
      )}
      <PaymentRefunds payment={payment} />
      <Story id={id} running={isRunning(payment)} />
      <JsonBlock label="The payment as JSON" value={payment} />
    </Stack>
  );
}
