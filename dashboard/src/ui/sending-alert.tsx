import { Alert, Button, Stack, Text } from '@mantine/core';
import { Problem } from '../api/problem';
import { IdLink } from './links';
import { ProblemAlert } from './problem-alert';
import { StatusBadge } from './status-badge';
import type { Fate, Sending } from './use-sending';

const TOLD: Readonly<Record<Fate, { title: string; text: string }>> = {
  unknown: {
    title: 'It is not known yet whether it was done',
    text: 'The connection was lost before the service answered. The page keeps asking. Sending it again is safe: it takes effect once.',
  },
  not_seen: {
    title: 'Nothing was done',
    text: 'The connection was lost before the service had it. Send it again: it takes effect once.',
  },
  in_progress: {
    title: 'The service is still at it',
    text: 'The connection was lost, but the service has it. The page tells when it is done.',
  },
  completed: { title: 'It was done', text: 'Only the answer got lost. Do not send it again.' },
};

const wordOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Why something was not done, or what became of it when the answer got lost. */
export function SendingAlert({
  sending: { error, fate, found, acknowledge },
  onDone,
}: {
  sending: Sending;
  onDone?: () => void;
}) {
  if (fate === null) return <ProblemAlert error={error} />;
  const { title, text } = TOLD[fate];
  const goOn = () => {
    acknowledge();
    onDone?.();
  };
  return (
    <Stack gap="xs">
      {error instanceof Problem && <ProblemAlert error={error} />}
      <Alert role="alert" variant="outline" color="teal" title={title}>
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{text}</Text>
          {found && (
            <Text size="sm" component="div">
              <IdLink id={wordOf(found.id)} /> <StatusBadge status={wordOf(found.status) ?? 'done'} />
            </Text>
          )}
          {fate === 'completed' && (
            <Button size="xs" variant="default" onClick={goOn}>
              Go on
            </Button>
          )}
        </Stack>
      </Alert>
    </Stack>
  );
}
