import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { useOperators } from '../../session/cells';
import { useSay } from '../../ui/announcer';
import { DataTable, Loading } from '../../ui/data-table';
import { ProblemAlert } from '../../ui/problem-alert';
import { StatusBadge } from '../../ui/status-badge';
import { timeText } from '../../ui/time';
import { Section } from './section';

type LiveCheck = DashboardSchemas['LiveCheck'];

/** Gone through when somebody wants it: each time every live provider is asked something. */
export function LiveChecklist() {
  const operators = useOperators();
  const say = useSay();
  const checklist = useQuery({
    queryKey: [...operators.key, 'live', 'checklist'],
    queryFn: () => bodyOf(operators.api.GET('/operators/live/checklist')),
    enabled: false,
    retry: false,
  });
  const { data, error, isFetching, dataUpdatedAt } = checklist;
  async function check() {
    const { data: found, isSuccess } = await checklist.refetch();
    if (found && isSuccess) say(summaryOf(found.items));
  }
  return (
    <Section
      title="Checklist"
      action={
        <Button onClick={() => void check()} loading={isFetching}>
          Check now
        </Button>
      }
    >
      <Stack gap="xs">
        <ProblemAlert error={error} />
        {!data && !isFetching && (
          <Text c="dimmed">Not checked yet. It asks every live provider something harmless, which takes seconds.</Text>
        )}
        {!data && isFetching && <Loading label="checklist" />}
        {data && (
          <>
            <Text size="sm">{`${summaryOf(data.items)} Checked at ${timeText(new Date(dataUpdatedAt).toISOString())}.`}</Text>
            <Checks items={data.items} />
          </>
        )}
      </Stack>
    </Section>
  );
}

function Checks({ items }: { items: readonly LiveCheck[] }) {
  return (
    <DataTable
      caption="Checklist"
      rows={items}
      keyOf={({ item, about }) => `${item} ${about}`}
      columns={[
        { title: 'Item', cell: ({ item }) => item },
        { title: 'About', cell: ({ about }) => about ?? '–' },
        { title: 'State', cell: ({ ready }) => <StatusBadge status={ready ? 'ready' : 'missing'} /> },
        { title: 'What was found', cell: ({ says }) => says },
      ]}
    />
  );
}

function summaryOf(items: readonly LiveCheck[]): string {
  const missing = items.filter(({ ready }) => !ready).length;
  return missing === 0 ? 'Everything is ready.' : `${missing} of ${items.length} items: missing.`;
}
