import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../api/public-api';
import { Loading } from '../../ui/data-table';
import { IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
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

/** Fields of a step that are amounts, in minor units of its currency. */
const AMOUNTS: ReadonlySet<string> = new Set(['amount', 'balance_after', 'fee']);

function Details({ details }: { details: Readonly<Record<string, unknown>> }) {
  const currency = typeof details.currency === 'string' ? details.currency : null;
  const shown = Object.entries(details).filter(
    ([name, value]) => value !== null && typeof value !== 'object' && name !== 'currency',
  );
  return (
    <Text size="sm" component="div">
      {shown.map(([name, value], index) => (
        <span key={name}>
          {index > 0 && ' · '}
          {name.replaceAll('_', ' ')}: <Detail name={name} value={value} currency={currency} />
        </span>
      ))}
    </Text>
  );
}

function Detail({ name, value, currency }: { name: string; value: unknown; currency: string | null }) {
  if (typeof value === 'number' && currency !== null && AMOUNTS.has(name))
    return <span className="amount">{moneyText(value, currency)}</span>;
  return ID.test(String(value)) ? <IdLink id={String(value)} /> : <>{String(value)}</>;
}
