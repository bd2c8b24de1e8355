import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf, Problem } from '../../api/problem';
import { IdLink } from '../../ui/links';
import { StatusBadge } from '../../ui/status-badge';

/** Tries a magic value, and shows what came of it. A refusal is a result here, too. */
export function RunScenario({ label, run }: { label: string; run: () => Promise<{ id: string | null; status: string }> }) {
  const queries = useQueryClient();
  const { data, error, isPending, mutate } = useMutation({ mutationFn: run, onSettled: () => queries.invalidateQueries({ queryKey: ['test', 'wallets'] }) });
  return (
    <Group gap="xs" role="group" aria-label={label}>
      <Button size="xs" variant="default" loading={isPending} onClick={() => mutate()} aria-label={`Run ${label}`}>
        Run
      </Button>
      <div role="status">
        {data && (
          <>
            <StatusBadge status={data.status} /> <IdLink id={data.id} />
          </>
        )}
        {error && (
          <Text size="sm">
            <StatusBadge status="refused" /> {error instanceof Problem ? error.code : ''} {messageOf(error)}
          </Text>
        )}
      </div>
    </Group>
  );
}
