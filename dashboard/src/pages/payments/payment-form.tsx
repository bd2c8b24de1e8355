import { Alert, Anchor, Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { CURRENCIES, type Currency, toMinor } from '../../ui/money';
import { SendingAlert } from '../../ui/sending-alert';
import { useApi } from '../../ui/use-mode';
import { useSending } from '../../ui/use-sending';

export function PaymentForm() {
  const api = useApi();
  const creation = useSending(
    'payment',
    (body: Schemas['CreatePayment'], key) =>
      bodyOf(api.POST('/api/v1/payments', { params: { header: { 'Idempotency-Key': key } }, body })),
    'The checkout page is ready.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { amount = '', currency = 'NGN', description, reference } = fieldsOf(event.currentTarget);
    const minor = toMinor(amount, currency);
    if (minor === null) return;
    creation.mutate({
      amount: minor,
      currency: currency as Currency,
      description: description || null,
      reference: reference || null,
    });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          name="amount"
          label="Amount"
          inputMode="decimal"
          defaultValue="5000"
          required
          pattern="[0-9,]+(\.[0-9]{1,3})?"
          title="Such as 5000 or 5000.50"
          data-autofocus
        />
        <NativeSelect name="currency" label="Currency" data={[...CURRENCIES]} />
        <TextInput name="description" label="Description" />
        <TextInput name="reference" label="Reference" description="Your own id of it" />
        <SendingAlert sending={creation} />
        {creation.data?.checkout_url && (
          <Alert variant="outline" color="teal" title="The checkout page">
            <Anchor href={creation.data.checkout_url} target="_blank" rel="noreferrer noopener">
              Open it in a new tab
            </Anchor>
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" {...creation.button}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
