import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { CURRENCIES, type Currency } from '../../ui/money';
import { SendingAlert } from '../../ui/sending-alert';
import { useApi } from '../../ui/use-mode';
import { useSending } from '../../ui/use-sending';
import { useTimeZone } from '../../ui/use-time-zone';

type Order = Schemas['CreateReport'];

export const KINDS = [
  'transactions',
  'settlements',
  'fees',
  'commissions',
  'payouts',
] as const satisfies readonly Order['kind'][];

/** A file of a period's lines, made in the background. */
export function ReportForm({ onDone }: { onDone: () => void }) {
  const api = useApi();
  const timeZone = useTimeZone();
  const sending = useSending(
    'report',
    (body: Order, key) => bodyOf(api.POST('/v4/reports', { params: { header: { 'Idempotency-Key': key } }, body })),
    'The report is being made.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { kind, format, from = '', to = '', currency } = fieldsOf(event.currentTarget);
    const filters = currency ? { currency: currency as Currency } : null;
    const body = { kind: kind as Order['kind'], format: format as Order['format'], from, to, filters };
    sending.mutate(body, { onSuccess: onDone });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <NativeSelect name="kind" label="Lines of" data={[...KINDS]} data-autofocus />
        <Group grow>
          <TextInput name="from" type="date" label="From day" required />
          <TextInput
            name="to"
            type="date"
            label="To day"
            required
            description={`By the clocks of ${timeZone ?? 'the account'}`}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
        </Group>
        <NativeSelect name="currency" label="Currency" data={[{ value: '', label: 'all' }, ...CURRENCIES]} />
        <NativeSelect name="format" label="Format" data={['csv', 'json']} />
        <SendingAlert sending={sending} onDone={onDone} />
        <Group justify="flex-end">
          <Button type="submit" {...sending.button}>
            Make it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
