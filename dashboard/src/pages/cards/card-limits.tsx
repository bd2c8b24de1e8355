import { Button, Group, NativeSelect, Stack, TextInput, Title } from '@mantine/core';
import type { FormEvent } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { DataTable } from '../../ui/data-table';
import { fieldsOf } from '../../ui/form-fields';
import { moneyText, toMinor } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { useApi } from '../../ui/use-mode';

type Limit = Schemas['SpendingLimit'];
const INTERVALS = [
  'per_authorization',
  'daily',
  'weekly',
  'monthly',
  'all_time',
] as const satisfies readonly Limit['interval'][];

/** What may be spent with the card, by time. Merchant categories and countries are set by the API. */
export function CardLimits({
  id,
  card: { currency, spending_controls: controls },
}: {
  id: string;
  card: Schemas['Card'];
}) {
  const api = useApi();
  const mayChange = useMay().hasScope('cards:write');
  const limits = controls?.limits ?? [];
  const change = useAction(
    (next: Limit[]) =>
      bodyOf(
        api.PATCH('/v4/cards/{id}', {
          params: { path: { id } },
          body: { spending_controls: { ...controls, limits: next } },
        }),
      ),
    'The limits are changed.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { interval: word, limit = '' } = fieldsOf(event.currentTarget);
    const amount = toMinor(limit, currency);
    const interval = INTERVALS.find((known) => known === word);
    if (amount !== null && interval)
      change.mutate([...limits.filter((other) => other.interval !== interval), { amount, interval }]);
  }
  return (
    <Stack component="section" gap="xs" aria-labelledby="limits-title">
      <Title order={2} size="h4" id="limits-title">
        Limits
      </Title>
      <DataTable
        caption="Spending limits"
        rows={limits}
        keyOf={({ interval }) => interval}
        empty="No limits but the balance."
        columns={[
          { title: 'Interval', cell: ({ interval }) => interval.replaceAll('_', ' ') },
          { title: 'At most', cell: ({ amount }) => moneyText(amount, currency), numeric: true },
          {
            title: 'Actions',
            hidden: !mayChange,
            cell: ({ interval }) => (
              <Button
                size="xs"
                variant="default"
                aria-label={`Remove the limit: ${interval.replaceAll('_', ' ')}`}
                onClick={() => change.mutate(limits.filter((other) => other.interval !== interval))}
              >
                Remove
              </Button>
            ),
          },
        ]}
      />
      {mayChange && (
        <form onSubmit={submit} aria-label="Set a limit">
          <Group align="flex-end" gap="xs">
            <NativeSelect
              name="interval"
              label="Interval"
              data={INTERVALS.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
            />
            <TextInput name="limit" label={`At most (${currency})`} inputMode="decimal" required />
            <Button type="submit" variant="default" loading={change.isPending}>
              Set limit
            </Button>
          </Group>
        </form>
      )}
      <ProblemAlert error={change.error} />
    </Stack>
  );
}
