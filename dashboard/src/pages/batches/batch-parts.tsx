import { Alert, List, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { bodyOf, type Schemas } from '../../api/public-api';
import { IdLink } from '../../ui/links';
import { sumText } from '../../ui/money';
import { useApi, useMode } from '../../ui/use-mode';

export type Batch = Schemas['Batch'];

export const KINDS = ['airtime', 'data', 'bill', 'transfer', 'payout'] as const satisfies readonly Batch['kind'][];

const POLL_MS = 1_500;
const WORKED_ON: readonly Batch['status'][] = ['validating', 'scheduled', 'running', 'paused'];

export const isWorkedOn = ({ status, counts }: Batch): boolean => WORKED_ON.includes(status) || counts.processing > 0;

/** A batch as it is now, read again as long as it goes on. */
export function useBatch(id: string | null) {
  const mode = useMode();
  const api = useApi();
  return useQuery({
    queryKey: [mode, 'batch', id],
    queryFn: () => bodyOf(api.GET('/v4/batches/{id}', { params: { path: { id: id ?? '' } } })),
    enabled: id !== null,
    refetchInterval: ({ state }) => (!state.data || isWorkedOn(state.data) ? POLL_MS : false),
  });
}

export const countOf = (counts: Batch['counts']): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

const ORDER = ['successful', 'processing', 'valid', 'pending', 'failed', 'invalid', 'cancelled'] as const;
const COLOURS = { successful: 'teal', processing: 'orange', failed: 'red', invalid: 'red' };

/** How many of its rows are how far; the words say what the bar shows. */
export function BatchProgress({ batch: { counts, status } }: { batch: Batch }) {
  const all = countOf(counts);
  const shown = ORDER.filter((state) => counts[state] > 0);
  const text = shown.map((state) => `${counts[state].toLocaleString('en')} ${state}`).join(', ');
  return (
    <Stack gap={4}>
      <Progress.Root size="lg" aria-hidden="true">
        {shown
          .filter((state) => state in COLOURS)
          .map((state) => (
            <Progress.Section
              key={state}
              value={(counts[state] / all) * 100}
              color={COLOURS[state as keyof typeof COLOURS]}
              aria-hidden="true"
            />
          ))}
      </Progress.Root>
      <Text size="sm" role="status">
        {all === 0 ? `${status}…` : `${text}, of ${all.toLocaleString('en')} rows.`}
      </Text>
    </Stack>
  );
}

/** Wallets that have less than their rows cost. */
export function Shortfalls({ batch: { shortfalls } }: { batch: Batch }) {
  if (!shortfalls || shortfalls.length === 0) return null;
  return (
    <Alert role="alert" variant="outline" color="orange" title="There is too little money in">
      <List size="sm">
        {shortfalls.map(({ wallet_id: wallet, currency, available, needed, lacking }) => (
          <List.Item key={wallet}>
            <IdLink id={wallet} />: {sumText(available, currency)} of {sumText(needed, currency)}, so{' '}
            {sumText(lacking, currency)} are missing.
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
