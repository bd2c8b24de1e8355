import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useRef } from 'react';
import { attemptKey, bodyOf, type Schemas } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { toMinor } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { useApi } from '../../ui/use-mode';

type Step = 'fund' | 'withdraw';

/** Money between the card and the wallet that it is loaded from. */
export function CardMoney({ id, card: { status, currency } }: { id: string; card: Schemas['Card'] }) {
  const api = useApi();
  const key = useRef(attemptKey());
  const move = useAction(({ step, amount }: { step: Step; amount: number }) => {
    const call = { params: { path: { id }, header: { 'Idempotency-Key': key.current } }, body: { amount } };
    return bodyOf(step === 'fund' ? api.POST('/v4/cards/{id}/fund', call) : api.POST('/v4/cards/{id}/withdraw', call));
  }, 'The money is moved.');
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const pressed = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    const amount = toMinor(fieldsOf(event.currentTarget).amount ?? '', currency);
    if (amount !== null) move.mutate({ step: pressed?.value === 'withdraw' ? 'withdraw' : 'fund', amount }, { onSettled: () => (key.current = attemptKey()) });
  }
  if (status !== 'active') return null;
  return (
    <form onSubmit={submit} aria-label="Move money">
      <Group align="flex-end" gap="xs">
        <TextInput name="amount" label={`Amount (${currency})`} inputMode="decimal" required pattern="[0-9,]+(\.[0-9]{1,2})?" title="Such as 25 or 25.50" />
        <Button type="submit" value="fund" loading={move.isPending}>
          Load the card
        </Button>
        <Button type="submit" value="withdraw" variant="default" loading={move.isPending}>
          Take back
        </Button>
      </Group>
      <ProblemAlert error={move.error} />
    </form>
  );
}
