import { Button, Group, Text, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { moneyText, toMinor } from '../../ui/money';
import { SendingAlert } from '../../ui/sending-alert';
import { useApi } from '../../ui/use-mode';
import { useSending } from '../../ui/use-sending';

type Step = 'fund' | 'withdraw';

/** Money between the card and the wallet that it is loaded from. */
export function CardMoney({ id, card }: { id: string; card: Schemas['Card'] }) {
  const { status, currency, debt } = card;
  const mayLoad = status === 'active' || (debt > 0 && status !== 'pending' && status !== 'failed');
  const mayTakeBack = status === 'active' || status === 'frozen' || status === 'expired';
  const api = useApi();
  const move = useSending(
    `card money ${id}`,
    ({ step, amount }: { step: Step; amount: number }, key) => {
      const call = { params: { path: { id }, header: { 'Idempotency-Key': key } }, body: { amount } };
      return bodyOf(
        step === 'fund' ? api.POST('/v4/cards/{id}/fund', call) : api.POST('/v4/cards/{id}/withdraw', call),
      );
    },
    'The money is moved.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const pressed = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    const amount = toMinor(fieldsOf(event.currentTarget).amount ?? '', currency);
    if (amount !== null) move.mutate({ step: pressed?.value === 'withdraw' || !mayLoad ? 'withdraw' : 'fund', amount });
  }
  // What is being sent is told to its end, whatever the card became.
  if (!mayLoad && !mayTakeBack && move.fate === null && !move.isPending) return null;
  return (
    <form onSubmit={submit} aria-label="Move money">
      <Group align="flex-end" gap="xs">
        <TextInput
          name="amount"
          label={`Amount (${currency})`}
          inputMode="decimal"
          required
          pattern="[0-9,]+(\.[0-9]{1,2})?"
          title="Such as 25 or 25.50"
        />
        {mayLoad && (
          <Button type="submit" value="fund" {...move.button}>
            Load the card
          </Button>
        )}
        {mayTakeBack && (
          <Button type="submit" value="withdraw" variant="default" {...move.button}>
            Take back
          </Button>
        )}
      </Group>
      {debt > 0 && (
        <Text size="sm" mt="xs">
          A load pays first what the card owes: {moneyText(debt, currency)}.
        </Text>
      )}
      <SendingAlert sending={move} />
    </form>
  );
}
