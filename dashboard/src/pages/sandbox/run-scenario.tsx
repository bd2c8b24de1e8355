import { Button, Group, Text } from '@mantine/core';
import { messageOf, Problem } from '../../api/problem';
import { IdLink } from '../../ui/links';
import { SendingAlert } from '../../ui/sending-alert';
import { StatusBadge } from '../../ui/status-badge';
import { useSending } from '../../ui/use-sending';

/** Tries a magic value, and shows what came of it. A refusal is a result here, too. */
export function RunScenario({
  label,
  run,
}: {
  label: string;
  run: (key: string) => Promise<{ id: string | null; status: string }>;
}) {
  const running = useSending(`scenario ${label}`, (_: void, key) => run(key));
  const { data, error, fate } = running;
  return (
    <Group gap="xs" role="group" aria-label={label}>
      <Button
        size="xs"
        variant="default"
        {...running.button}
        onClick={() => running.mutate()}
        aria-label={`Run ${label}`}
      >
        Run
      </Button>
      <div role="status">
        {data && (
          <>
            <StatusBadge status={data.status} /> <IdLink id={data.id} />
          </>
        )}
        {fate === null && error && (
          <Text size="sm">
            <StatusBadge status="refused" /> {error instanceof Problem ? error.code : ''} {messageOf(error)}
          </Text>
        )}
        {fate !== null && <SendingAlert sending={running} />}
      </div>
    </Group>
  );
}
