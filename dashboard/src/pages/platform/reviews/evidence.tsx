import { Text } from '@mantine/core';
import type { DashboardSchemas } from '../../../api/dashboard-api';
import { DataTable } from '../../../ui/data-table';
import { moneyText } from '../../../ui/money';
import { When } from '../../../ui/when';
import { wordsOf } from './reviews';

type Evidence = DashboardSchemas['ReviewEvidence'];

/** Fields of a step that are amounts, in minor units of its currency. */
const AMOUNTS: ReadonlySet<string> = new Set(['amount', 'balance_after', 'fee']);

export function Steps({ steps }: { steps: Evidence['timeline'] }) {
  return (
    <ol className="timeline">
      {steps.map(({ at, kind, data }) => (
        <li key={`${at} ${kind} ${JSON.stringify(data)}`}>
          <Text fw={600} component="span">
            {kind.replaceAll(/[._]/g, ' ')}
          </Text>{' '}
          <Text size="sm" c="dimmed" component="span">
            <When at={at} />
          </Text>
          <Text size="sm" component="div" className="note">
            {detailsOf(data)}
          </Text>
        </li>
      ))}
    </ol>
  );
}

function detailsOf(data: Readonly<Record<string, unknown>>): string {
  const currency = typeof data.currency === 'string' ? data.currency : null;
  return Object.entries(data)
    .filter(([name, value]) => value !== null && typeof value !== 'object' && name !== 'currency')
    .map(([name, value]) => {
      const isAmount = typeof value === 'number' && currency !== null && AMOUNTS.has(name);
      return `${wordsOf(name)}: ${isAmount ? moneyText(value, currency) : String(value)}`;
    })
    .join(' · ');
}

/** Where a statement of a company and our books say differently. */
export function StatementLines({ lines }: { lines: Evidence['statement_lines'] }) {
  if (lines.length === 0)
    return <Text c="dimmed">No statement that was compared so far says anything else than the books.</Text>;
  return (
    <DataTable
      caption="Lines of statements"
      rows={lines}
      keyOf={({ provider, reference, kind }) => `${provider} ${reference} ${kind}`}
      columns={[
        { title: 'Reference', place: 'what', cell: ({ reference }) => <span className="id">{reference}</span> },
        { title: 'Company', place: 'who', cell: ({ provider }) => provider },
        { title: 'What differs', place: 'state', cell: ({ kind }) => wordsOf(kind) },
        { title: 'In the books', numeric: true, cell: ({ ours, currency }) => moneyText(ours, currency) },
        {
          title: 'In the statement',
          place: 'amount',
          numeric: true,
          cell: ({ theirs, currency }) => moneyText(theirs, currency),
        },
        { title: 'Found', place: 'time', cell: ({ found_at }) => <When at={found_at} /> },
        { title: 'Explained', cell: ({ explanation }) => explanation ?? '–' },
      ]}
    />
  );
}

/** Requests and answers as they were kept: for 90 days, without keys, tokens and PINs. */
export function Exchanges({ exchanges, kind }: { exchanges: Evidence['exchanges']; kind: string }) {
  if (kind === 'customer')
    return <Text c="dimmed">Who somebody is stands on the page of whoever checked it, and not here.</Text>;
  if (exchanges.length === 0)
    return <Text c="dimmed">Nothing is kept: it is older than 90 days, or nobody outside was asked.</Text>;
  return exchanges.map((exchange) => (
    <details key={`${exchange.at} ${exchange.path}`} className="exchange">
      <summary>
        {exchange.company}: {exchange.method} <span className="id">{exchange.path}</span> ·{' '}
        {exchange.status ?? exchange.fault ?? 'no answer'} · {exchange.duration_ms} ms · <When at={exchange.at} />
      </summary>
      <Body label="Sent" text={exchange.request} />
      <Body label="Answered" text={exchange.answer} />
    </details>
  ));
}

function Body({ label, text }: { label: string; text: string | null }) {
  return (
    <>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <pre>{text ?? 'Nothing'}</pre>
    </>
  );
}
