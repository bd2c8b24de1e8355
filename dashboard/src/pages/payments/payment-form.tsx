import { Alert, Anchor, Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useRef } from 'react';
import { attemptKey, bodyOf, type Schemas } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { CURRENCIES, type Currency, toMinor } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { useApi } from '../../ui/use-mode';

export function PaymentForm() {
  const api = useApi();
  const key = useRef(attemptKey());
  const creation = useAction((body: Schemas['CreatePayment']) => bodyOf(api.POST('/api/v1/payments', { params: { header: { 'Idempotency-Key': key.current } }, body })), 'The checkout page is ready.');
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { amount = '', currency = 'NGN', description, reference } = fieldsOf(event.currentTarget);
    const minor = toMinor(amount, currency);
    if (minor === null) return;
    creation.mutate({ amount: minor, currency: currency as Currency, description: description || null, reference: reference || null }, { onSettled: () => (key.current = attemptKey()) });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput name="amount" label="Amount" inputMode="decimal" defaultValue="5000" required pattern="[0-9,]+(\.[0-9]{1,3})?" title="Such as 5000 or 5000.50" data-autofocus />
        <NativeSelect name="currency" label="Currency" data={[...CURRENCIES]} />
        <TextInput name="description" label="Description" />
        <TextInput name="reference" label="Reference" description="Your own id of it" />
        <ProblemAlert error={creation.error} />
        {creation.data?.checkout_url && (
          <Alert variant="outline" color="teal" title="The checkout page">
            <Anchor href={creation.data.checkout_url} target="_blank" rel="noreferrer noopener">
              Open it in a new tab
            </Anchor>
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={creation.isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
