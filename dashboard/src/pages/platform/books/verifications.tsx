import { Button, Code, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DashboardSchemas } from '../../../api/dashboard-api';
import { bodyOf } from '../../../api/public-api';
import { useOperators } from '../../../session/cells';
import { type Column, DataTable, Loading } from '../../../ui/data-table';
import { ProblemAlert } from '../../../ui/problem-alert';
import { StatusBadge } from '../../../ui/status-badge';
import { useAction } from '../../../ui/use-action';
import { Ago, When } from '../../../ui/when';
import { Section } from '../section';

type Verification = DashboardSchemas['Verification'];

const REFRESH_MS = 15_000;
const RUNNING_MS = 1_000;

/** Whether the books are in order, when that was proven, and what was found. */
export function Verifications() {
  const operators = useOperators();
  const { data, error, isPending } = useQuery({
    queryKey: [...operators.key, 'verifications'],
    queryFn: () => bodyOf(operators.api.GET('/operators/books/verifications')),
    refetchInterval: ({ state }) => (state.data?.data.some(isOpen) ? RUNNING_MS : REFRESH_MS),
  });
  const order = useAction(
    () => bodyOf(operators.api.POST('/operators/books/verifications')),
    'The books are being verified.',
  );
  const runs = data?.data ?? [];
  const open = runs.find(isOpen);
  const last = runs.find((run) => !isOpen(run));
  return (
    <Section
      title="Verification"
      action={
        <Button
          loading={order.isPending}
          disabled={!data || open !== undefined}
          onClick={() => order.mutate(undefined)}
        >
          Verify the books
        </Button>
      }
    >
      <Stack gap="sm">
        <ProblemAlert error={error ?? order.error} />
        {isPending && <Loading label="verifications" />}
        {open && <Running run={open} />}
        {data && !last && (
          <Text c="dimmed">
            Nobody has verified the books yet. A worker goes through every invariant, every balance and the chain of
            hashes, while the service runs.
          </Text>
        )}
        {last && <Last run={last} />}
        {runs.length > 0 && <DataTable caption="Verifications" rows={runs} keyOf={({ id }) => id} columns={COLUMNS} />}
      </Stack>
    </Section>
  );
}

const isOpen = ({ state }: Verification): boolean => state === 'waiting' || state === 'running';

function Running({ run: { state, done, checks, doing } }: { run: Verification }) {
  return (
    <Stack gap={4}>
      <Text size="sm" role="status">
        {state === 'waiting' ? 'Waits for a worker.' : `${done} of ${checks} checks are done.`}
      </Text>
      <Progress value={(100 * done) / checks} aria-label="Checks done" />
      {doing && <Text size="sm" c="dimmed">{`At ${doing}`}</Text>}
    </Stack>
  );
}

function Last({ run: { state, ended_at, checks, findings, failure } }: { run: Verification }) {
  return (
    <Stack gap="xs">
      <Text component="div">
        <StatusBadge status={wordOf(state)} /> {sentenceOf(state, checks, findings.length)} <Ago at={ended_at} />.
      </Text>
      {failure && <Text size="sm">{failure}</Text>}
      {findings.length > 0 && (
        <DataTable caption="Findings" rows={findings} keyOf={({ check }) => check} columns={FINDINGS} />
      )}
    </Stack>
  );
}

const wordOf = (state: Verification['state']): string => state.replaceAll('_', ' ');

function sentenceOf(state: Verification['state'], checks: number, broken: number): string {
  if (state === 'failed') return 'The last verification did not come to its end,';
  if (broken > 0) return `${broken} of ${checks} checks fail, found`;
  return `All ${checks} checks hold, proven`;
}

const FINDINGS: readonly Column<Verification['findings'][number]>[] = [
  { title: 'Check', place: 'what', cell: ({ check }) => check },
  { title: 'Found', place: 'amount', numeric: true, cell: ({ found }) => found.toLocaleString('en') },
  {
    title: 'Among them',
    place: 'who',
    cell: ({ sample }) => (
      <Stack gap={4}>
        {sample.map((row) => (
          <Code key={row} className="note">
            {row}
          </Code>
        ))}
      </Stack>
    ),
  },
];

const COLUMNS: readonly Column<Verification>[] = [
  { title: 'State', place: 'state', cell: ({ state }) => <StatusBadge status={wordOf(state)} /> },
  { title: 'Ordered', place: 'what', cell: ({ ordered_at }) => <When at={ordered_at} /> },
  { title: 'By', place: 'who', cell: ({ person }) => person ?? 'the command line' },
  { title: 'Checks', numeric: true, place: 'amount', cell: ({ done, checks }) => `${done} of ${checks}` },
  { title: 'Took', cell: ({ started_at, ended_at }) => tookText(started_at, ended_at) },
];

function tookText(from: string | null, to: string | null): string {
  if (from === null || to === null) return '–';
  const seconds = (Date.parse(to) - Date.parse(from)) / 1_000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60)} min`;
}
