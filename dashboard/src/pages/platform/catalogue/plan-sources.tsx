import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import type { DashboardSchemas } from '../../../api/dashboard-api';
import { bodyOf } from '../../../api/public-api';
import { useOperators } from '../../../session/cells';
import { type Column, DataTable } from '../../../ui/data-table';
import { Dialog } from '../../../ui/dialog';
import { toBasisPoints } from '../../../ui/money';
import { ProblemAlert } from '../../../ui/problem-alert';
import { StatusBadge } from '../../../ui/status-badge';
import { useAction } from '../../../ui/use-action';
import { Ago } from '../../../ui/when';
import '../../../styles/platform.css';

type Source = DashboardSchemas['PlanSource'];
type Sync = DashboardSchemas['PlanSync'];

const WORKING_MS = 1_000;
const REFRESH_MS = 30_000;

const isUnderWay = ({ last }: Source): boolean => last !== null && last.ended_at === null;

interface Opened {
  readonly provider: string;
  readonly what: 'order' | 'lines';
}

/** Live providers whose lists are brought into the catalogue, by the day or when somebody orders it. */
export function PlanSources() {
  const operators = useOperators();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const { data, error } = useQuery({
    queryKey: [...operators.key, 'catalogue', 'sources'],
    queryFn: () => bodyOf(operators.api.GET('/operators/catalogue/sources')),
    refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? WORKING_MS : REFRESH_MS),
  });
  const columns = useMemo(() => columnsWith(setOpened), []);
  const lines = data?.data.find(({ provider }) => provider === opened?.provider)?.last?.lines ?? [];
  return (
    <>
      <ProblemAlert error={error} />
      {data && data.data.length > 0 && (
        <DataTable caption="Lists of providers" rows={data.data} keyOf={({ provider }) => provider} columns={columns} />
      )}
      <Dialog opened={opened?.what === 'order'} onClose={close} title={`The list of ${opened?.provider ?? ''}`}>
        {opened?.what === 'order' && <OrderForm provider={opened.provider} onOrdered={close} />}
      </Dialog>
      <Dialog opened={opened?.what === 'lines'} onClose={close} size="xl" title="Changes">
        <Stack gap={4}>
          {lines.map((line) => (
            <Code key={line} className="note">
              {line}
            </Code>
          ))}
        </Stack>
      </Dialog>
    </>
  );
}

const columnsWith = (open: (opened: Opened) => void): readonly Column<Source>[] => [
  { title: 'Provider', place: 'what', cell: ({ provider }) => provider },
  { title: 'Last ordered', place: 'time', cell: ({ last }) => <Ago at={last?.ordered_at} /> },
  { title: 'By', cell: ({ last }) => last?.person ?? '–' },
  {
    title: 'State',
    place: 'state',
    cell: ({ last }) => (last === null ? '–' : <StatusBadge status={stateOf(last)} />),
  },
  { title: 'What came of it', place: 'who', cell: ({ last }) => (last === null ? '–' : resultText(last)) },
  {
    title: 'Actions',
    place: 'amount',
    cell: (source) => (
      <Group gap="xs" wrap="nowrap">
        {source.last !== null && source.last.lines.length > 0 && (
          <Button
            variant="default"
            size="xs"
            aria-label={`Changes of ${source.provider}`}
            onClick={() => open({ provider: source.provider, what: 'lines' })}
          >
            Changes
          </Button>
        )}
        <Button
          variant="default"
          size="xs"
          disabled={isUnderWay(source)}
          aria-label={`Ask ${source.provider} for its list`}
          onClick={() => open({ provider: source.provider, what: 'order' })}
        >
          Ask
        </Button>
      </Group>
    ),
  },
];

function stateOf({ ended_at, failure, dry_run }: Sync): string {
  if (ended_at === null) return 'running';
  if (failure !== null) return 'failed';
  return dry_run ? 'looked at' : 'imported';
}

function resultText({ ended_at, failure, dry_run, added, changed, unchanged, left }: Sync): string {
  if (ended_at === null) return '–';
  if (failure !== null) return failure;
  const sums = `${added} added, ${changed} changed, ${unchanged} as they were, ${left} left out`;
  return dry_run ? `It would be: ${sums}.` : `${sums}.`;
}

/** Looks at a list, or imports it within a bound. */
function OrderForm({ provider, onOrdered }: { provider: string; onOrdered: () => void }) {
  const operators = useOperators();
  const [percent, setPercent] = useState('5');
  const maxMove = percent.trim() === '' ? undefined : toBasisPoints(percent);
  const isWrong = maxMove === null || maxMove === 0;
  const order = useAction(
    (dryRun: boolean) =>
      operators.api.POST('/operators/catalogue/sources/{provider}/syncs', {
        params: { path: { provider } },
        body: { dry_run: dryRun, ...(maxMove && { max_move: maxMove }) },
      }),
    `${provider} is asked for its list.`,
  );
  const send = (dryRun: boolean) => order.mutate(dryRun, { onSuccess: onOrdered });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!isWrong) send(false);
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          Its plans come into the catalogue at its prices, and every account is told. To look at the list writes
          nothing.
        </Text>
        <TextInput
          label="Not when a price moves by more than (percent)"
          description="Empty: however far it moves"
          value={percent}
          error={isWrong ? 'From 0.01 to 100, such as 5' : null}
          onChange={(event) => setPercent(event.currentTarget.value)}
        />
        <ProblemAlert error={order.error} />
        <Group justify="flex-end">
          <Button variant="default" loading={order.isPending} onClick={() => send(true)}>
            Only look
          </Button>
          <Button type="submit" loading={order.isPending} disabled={isWrong}>
            Import
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
