import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { DataTable } from '../../ui/data-table';
import { fieldsOf } from '../../ui/form-fields';
import { amountText, moneyText, toMinor } from '../../ui/money';
import { SendingAlert } from '../../ui/sending-alert';
import { useApi, useMode } from '../../ui/use-mode';
import { asLongAs, usePages } from '../../ui/use-pages';
import { useSending } from '../../ui/use-sending';
import { ApprovalOf } from '../approvals/approval';
import { type Refund, REFUND_COLUMNS } from './refund-columns';

type Payment = Schemas['Payment'];

const POLL_MS = 3_000;
const isRunning = ({ status, needs_review: needsPerson }: Refund) =>
  !needsPerson && (status === 'pending' || status === 'processing');

/** What of a payment went back to its payer, what is left, and the form that sends it. */
export function PaymentRefunds({ payment }: { payment: Payment }) {
  const { id, refundable, amount_refunded: returned } = payment;
  const mode = useMode();
  const api = useApi();
  const { hasScope } = useMay();
  const isAny = returned > 0 || refundable > 0;
  const { rows } = usePages(
    [mode, 'payment', id, 'refunds'],
    (cursor) =>
      bodyOf(api.GET('/api/v1/payments/{id}/refunds', { params: { path: { id }, query: { cursor, limit: 100 } } })),
    { enabled: isAny, refetchInterval: asLongAs(isRunning, POLL_MS) },
  );
  if (!isAny && rows.length === 0) return null;
  return (
    <section aria-label="Refunds">
      <Stack gap="xs">
        <Title order={2} size="h4">
          Refunds
        </Title>
        {rows.length > 0 && (
          <DataTable caption="Refunds" rows={rows} keyOf={(refund) => refund.id} columns={REFUND_COLUMNS} />
        )}
        {rows.map(
          ({ id: of, transaction_id: transaction, approval, amount, currency }) =>
            approval &&
            transaction && (
              <ApprovalOf
                key={of}
                id={transaction}
                state={approval}
                what={`The refund of ${moneyText(amount, currency)}`}
              />
            ),
        )}
        {refundable > 0 && hasScope('payments:write') && <RefundForm payment={payment} />}
      </Stack>
    </section>
  );
}

const toldOf = ({ status, approval }: Refund): string => {
  if (approval?.status === 'awaiting') return 'It waits for a second person.';
  return status === 'successful' ? 'The payer has it.' : 'The refund is on its way.';
};

function RefundForm({
  payment: { id, refundable, currency: asked, currency_received: received },
}: {
  payment: Payment;
}) {
  const currency = received ?? asked;
  const api = useApi();
  const [invalid, setInvalid] = useState<string | null>(null);
  const sending = useSending(
    `refund ${id}`,
    (body: Schemas['CreateRefund'], key) =>
      bodyOf(
        api.POST('/api/v1/payments/{id}/refunds', {
          params: { path: { id }, header: { 'Idempotency-Key': key } },
          body,
        }),
      ),
    toldOf,
  );
  // What was sent stays as it was typed until it is known what became of it: sent again, it must be the same.
  const [left, setLeft] = useState(refundable);
  if (left !== refundable && sending.fate === null && !sending.isPending) setLeft(refundable);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { refund = '', reason, reference } = fieldsOf(event.currentTarget);
    const amount = toMinor(refund, currency);
    const isTooMuch = amount !== null && amount > left;
    const problem = isTooMuch ? `Only ${moneyText(left, currency)} is left` : null;
    setInvalid(amount === null ? 'An amount above zero, such as 250 or 250.50' : problem);
    if (amount === null || isTooMuch) return;
    sending.mutate({ amount, reason: reason || null, reference: reference || null });
  }
  return (
    <form onSubmit={submit} aria-label="Refund">
      <Stack gap="xs">
        <Text size="sm">
          {moneyText(refundable, currency)} can still go back. The wallet that was credited pays it; the fee of the
          payment stays paid.
        </Text>
        <Group align="flex-start" gap="xs">
          <TextInput
            // Another one when something went back: what is left is another amount.
            key={left}
            name="refund"
            label={`Refund (${currency})`}
            inputMode="decimal"
            required
            defaultValue={amountText(left, currency)}
            error={invalid}
          />
          <TextInput name="reason" label="Reason" maxLength={255} />
          <TextInput name="reference" label="Reference" pattern="[A-Za-z0-9._:\-]+" />
        </Group>
        <SendingAlert sending={sending} />
        <Group>
          <Button type="submit" variant="default" {...sending.button}>
            Refund
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
