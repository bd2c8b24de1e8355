import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../api/public-api';
import { Loading } from '../../ui/data-table';
import { IdLink } from '../../ui/links';
import { ProblemAlert } from '../../ui/problem-alert';
import { timeText } from '../../ui/time';
import { useApi, useMode } from '../../ui/use-mode';

const POLL_MS = 2_000;
const ID = /^[a-z]{3}_[0-9a-z]{26}$/;

/** What happened to a transaction, step by step. */
export function TransactionTimeline({ id, running }: { id: string; running: boolean }) {
  const mode = useMode();
  const api = useApi();
  const { data, error } = useQuery({
    queryKey: [mode, 'transaction', id, 'timeline', running],
    queryFn: () => bodyOf(api.GET('/v4/transactions/{id}/timeline', { params: { path: { id } } })),
    refetchInterval: running ? POLL_MS : false,
  });
  return (
    <section aria-labelledby="timeline-title">
      <Title order={2} size="h4" id="timeline-title" mb="xs">
        Timeline
      </Title>
      {!data && !error && <Loading label="timeline" />}
      <ProblemAlert error={error} />
      <ol className="timeline">
        {data?.data.map(({ kind, at, data: details }) => (
          <li key={`${kind} ${at} ${JSON.stringify(details)}`}>
            <Text fw={600} component="span">
              {kind.replaceAll(/[._]/g, ' ')}
            </Text>{' '}
            <Text size="sm" c="dimmed" component="span">
              {timeText(at)}
            </Text>
            <Details details={details} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Details({ details }: { details: Readonly<Record<string, unknown>> }) {
  const shown = Object.entries(details).filter(([, value]) => value !== null && typeof value !== 'object');
  return (
    <Text size="sm" component="div">
      {shown.map(([name, value], index) => (
        <span key={name}>
          {index > 0 && ' · '}
          {name.replaceAll('_', ' ')}: {ID.test(String(value)) ? <IdLink id={String(value)} /> : String(value)}
        </span>
      ))}
    </Text>
  );
}
