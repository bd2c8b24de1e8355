import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../api/public-api';
import { JsonBlock } from '../../ui/copy-field';
import { DataTable, Loading } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { IdLink } from '../../ui/links';
import { amountText, moneyText } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { useApi, useMode } from '../../ui/use-mode';
import { RequestExchange } from './request-exchange';
import type { StoryStep } from './use-story';

/** All that is known of a step. */
export function StepDetail({ step }: { step: StoryStep }) {
  const facts = [
    ...step.amounts.map(({ name, amount, currency }) => [name, <Amount key={name} of={[amount, currency]} />] as const),
    ...step.facts.map(({ name, value }) => [name, value] as const),
  ];
  return (
    <Stack gap="sm" className="step-detail">
      {facts.length > 0 && <Facts items={facts} />}
      {step.links.length > 0 && (
        <div className="step-links">
          {step.links.map((id) => (
            <IdLink key={id} id={id} />
          ))}
        </div>
      )}
      {step.lines.length > 0 && <Lines lines={step.lines} />}
      {step.request && <RequestExchange request={step.request} />}
      {step.kind === 'event' && <EventBody id={step.id} />}
      {step.answer && <Answer answer={step.answer} />}
      <Anchor size="sm" href={`#${step.id}`}>
        Link to this step
      </Anchor>
    </Stack>
  );
}

function Amount({ of: [amount, currency] }: { of: readonly [number, string] }) {
  return <span className="amount">{moneyText(amount, currency)}</span>;
}

/** The account's own lines of one posting. */
function Lines({ lines }: { lines: StoryStep['lines'] }) {
  return (
    <DataTable
      caption="Ledger lines"
      rows={lines}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Account', cell: ({ wallet_id, card_id }) => <IdLink id={wallet_id ?? card_id} /> },
        { title: 'Part', cell: ({ bucket }) => bucket },
        {
          title: 'Debit',
          cell: ({ amount, currency }) => (amount < 0 ? amountText(-amount, currency) : ''),
          numeric: true,
        },
        {
          title: 'Credit',
          cell: ({ amount, currency }) => (amount > 0 ? amountText(amount, currency) : ''),
          numeric: true,
        },
        {
          title: 'Balance after',
          cell: ({ balance_after, currency }) => moneyText(balance_after, currency),
          numeric: true,
        },
      ]}
    />
  );
}

function EventBody({ id }: { id: string }) {
  const mode = useMode();
  const api = useApi();
  const { data, error } = useQuery({
    queryKey: [mode, 'event', id],
    queryFn: () => bodyOf(api.GET('/v4/events/{id}', { params: { path: { id } } })),
  });
  if (error) return <ProblemAlert error={error} />;
  return data ? <JsonBlock label={`Event ${id}`} value={data} /> : <Loading label="event" />;
}

function Answer({ answer: { url, status, code, duration_ms, body } }: { answer: NonNullable<StoryStep['answer']> }) {
  return (
    <Stack gap="xs">
      <Text size="sm" className="label">
        POST {url} · {status === null ? code.replaceAll('_', ' ') : `HTTP ${status}`} · {duration_ms} ms
      </Text>
      {body === null ? (
        <Text size="sm" c="dimmed">
          No body.
        </Text>
      ) : (
        <JsonBlock label="Answer of the receiver" value={body} />
      )}
    </Stack>
  );
}
