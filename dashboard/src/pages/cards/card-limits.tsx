import { Button, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import type { FormEvent } from 'react';
import type { DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { DataTable } from '../../ui/data-table';
import { fieldsOf } from '../../ui/form-fields';
import { moneyText, toMinor } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { useApi } from '../../ui/use-mode';
import { Bar, useCardSpending } from './card-spending';

type Limit = Schemas['SpendingLimit'];
/** Taken without asking, a clearing may pass a limit. */
function leftText(limit: number, spent: number | null, currency: string): string {
  if (spent === null) return '–';
  return spent < limit ? `${moneyText(limit - spent, currency)} left` : 'nothing left';
}

/** Null: nobody counts it. What is more than a number holds is more than any limit. */
const spentOf = (used: DashboardSchemas['CardUsed'] | undefined, interval: Limit['interval']): number | null =>
  used === undefined || interval === 'per_authorization' ? null : (used[interval] ?? Infinity);

const INTERVALS = [
  'per_authorization',
  'daily',
  'weekly',
  'monthly',
  'all_time',
] as const satisfies readonly Limit['interval'][];

/** What may be spent with the card, by time, and what of it is spent. */
export function CardLimits({
  id,
  card: { currency, spending_controls: controls },
}: {
  id: string;
  card: Schemas['Card'];
}) {
  const api = useApi();
  const mayChange = useMay().hasScope('cards:write');
  const used = useCardSpending(id).data?.used;
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
  const set = (limit: Limit) => change.mutate([...limits.filter((other) => other.interval !== limit.interval), limit]);
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
          { title: 'Interval', cell: ({ interval }) => interval.replaceAll('_', ' '), place: 'what' },
          {
            title: 'Used',
            cell: ({ interval, amount }) => {
              const spent = spentOf(used, interval);
              return spent === null ? '–' : <Bar part={spent} whole={amount} warns />;
            },
            place: 'who',
          },
          {
            title: 'Left',
            cell: ({ interval, amount }) => leftText(amount, spentOf(used, interval), currency),
            numeric: true,
            place: 'time',
          },
          {
            title: 'At most',
            cell: ({ amount }) => <span className="amount">{moneyText(amount, currency)}</span>,
            numeric: true,
            place: 'amount',
          },
          {
            title: 'Actions',
            place: 'state',
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
      {mayChange && <NewLimit currency={currency} isPending={change.isPending} onSet={set} />}
      <Text size="sm" c="dimmed">
        Days, weeks (from Monday) and months are those of UTC. What is held counts, and what came back does not count
        back.
      </Text>
      <ProblemAlert error={change.error} />
    </Stack>
  );
}

interface NewLimitProps {
  readonly currency: string;
  readonly isPending: boolean;
  readonly onSet: (limit: Limit) => void;
}

function NewLimit({ currency, isPending, onSet }: NewLimitProps) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { interval: word, limit = '' } = fieldsOf(event.currentTarget);
    const amount = toMinor(limit, currency);
    const interval = INTERVALS.find((known) => known === word);
    if (amount !== null && interval) onSet({ amount, interval });
  }
  return (
    <form onSubmit={submit} aria-label="Set a limit">
      <Group align="flex-end" gap="xs">
        <NativeSelect
          name="interval"
          label="Interval"
          data={INTERVALS.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
        />
        <TextInput name="limit" label={`At most (${currency})`} inputMode="decimal" required />
        <Button type="submit" variant="default" loading={isPending}>
          Set limit
        </Button>
      </Group>
    </form>
  );
}
