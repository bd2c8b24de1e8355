import { Button, Group, Stack, TextInput, Title } from '@mantine/core';
import type { FormEvent } from 'react';
import { bodyOf, publicApi, type Schemas } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { amountText, toMinor } from '../../ui/money';
import { SendingAlert } from '../../ui/sending-alert';
import { useSending } from '../../ui/use-sending';
import type { VirtualAccount } from './virtual-account';

/** The sandbox plays a payer. */
export function SimulateArrival({ account: { id, currency, amount: asked } }: { account: VirtualAccount }) {
  const path = { id: id ?? '' };
  const sending = useSending(
    `arrival ${id}`,
    (body: Schemas['PayVirtualAccount'], key) =>
      bodyOf(
        publicApi('test').POST('/v4/sandbox/virtual-accounts/{id}/deposit', {
          params: { path, header: { 'Idempotency-Key': key } },
          body,
        }),
      ),
    'The bank has it.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { amount = '', payer } = fieldsOf(event.currentTarget);
    const minor = toMinor(amount, currency);
    if (minor !== null) sending.mutate({ amount: minor, payer_name: payer || null });
  }
  return (
    <section aria-label="Simulate an arrival">
      <Title order={2} size="h4" mb="xs">
        Simulate an arrival
      </Title>
      <form onSubmit={submit}>
        <Stack gap="xs">
          <Group align="flex-end" gap="xs">
            <TextInput
              name="amount"
              label={`Amount (${currency})`}
              inputMode="decimal"
              required
              pattern="[0-9,]+(\.[0-9]{1,3})?"
              title="Such as 2500 or 2500.50"
              defaultValue={amountText(asked ?? 250_000, currency)}
            />
            <TextInput name="payer" label="Payer" defaultValue="Ada Obi" />
            <Button type="submit" {...sending.button}>
              Pay it
            </Button>
          </Group>
          <SendingAlert sending={sending} />
        </Stack>
      </form>
    </section>
  );
}
