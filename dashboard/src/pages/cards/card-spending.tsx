import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { DataTable, Loading } from '../../ui/data-table';
import { sumText } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { useLivemode, useMode } from '../../ui/use-mode';
import { categoryGroup, categoryText } from './merchant-categories';

type Spending = DashboardSchemas['CardSpending'];

interface Group {
  readonly name: string;
  readonly amount: number;
  readonly count: number;
  readonly codes: readonly string[];
}

/** What the card was used for within 30 days, and what of its limits is used. */
export function useCardSpending(id: string) {
  const mode = useMode();
  const livemode = useLivemode();
  return useQuery({
    queryKey: [mode, 'card', id, 'spending'],
    queryFn: () => bodyOf(dashboardApi.GET('/cards/{id}/spending', { params: { path: { id }, query: { livemode } } })),
  });
}

function groupsOf(data: Spending['data']): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { mcc, amount, count } of data) {
    const name = categoryGroup(mcc);
    const before = groups.get(name) ?? { name, amount: 0, count: 0, codes: [] };
    const codes = [...before.codes, categoryText(mcc)];
    groups.set(name, {
      name,
      amount: before.amount + (amount ?? Number.MAX_SAFE_INTEGER),
      count: before.count + count,
      codes,
    });
  }
  return [...groups.values()].sort((a, b) => b.amount - a.amount);
}

export function CardSpending({ id }: { id: string }) {
  const { data, error, isPending } = useCardSpending(id);
  const groups = groupsOf(data?.data ?? []);
  const most = groups[0]?.amount ?? 1;
  const total = groups.reduce((sum, { amount }) => sum + amount, 0);
  const currency = data?.currency ?? 'USD';
  return (
    <Stack component="section" gap="xs" aria-labelledby="categories-title">
      <Title order={2} size="h4" id="categories-title">
        Spent by category, last 30 days
      </Title>
      <ProblemAlert error={error} />
      {isPending && <Loading label="spending" />}
      {data && (
        <DataTable
          caption="Spent by category"
          rows={groups}
          keyOf={({ name }) => name}
          empty="Nothing was spent within 30 days."
          columns={[
            {
              title: 'Category',
              cell: ({ name, codes }) => <span title={codes.join(', ')}>{name}</span>,
              place: 'what',
            },
            { title: 'Share', cell: ({ amount }) => <Bar part={amount} whole={most} />, place: 'who' },
            { title: 'Purchases', cell: ({ count }) => count, numeric: true },
            {
              title: 'Spent',
              cell: ({ amount }) => <span className="amount">{sumText(amount, currency)}</span>,
              numeric: true,
              place: 'amount',
            },
          ]}
        />
      )}
      {groups.length > 0 && (
        <Text size="sm">{sumText(total, currency)} in all: what is held or was taken, less what came back.</Text>
      )}
    </Stack>
  );
}

interface BarProps {
  readonly part: number;
  readonly whole: number;
  /** All of it is what should not be. */
  readonly warns?: boolean;
}

/** How much of something; the figures stand beside it. */
export function Bar({ part, whole, warns = false }: BarProps) {
  const share = whole > 0 ? Math.min(part / whole, 1) : 0;
  return (
    <div className="bar" aria-hidden="true" data-full={warns && part >= whole ? true : undefined}>
      <span style={{ width: `${(share * 100).toFixed(1)}%` }} />
    </div>
  );
}
