import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { type Column, DataTable, Loading, wholeText } from '../../ui/data-table';
import { DownloadCsv } from '../../ui/download-csv';
import { Facts } from '../../ui/facts';
import { FilterBar, type FilterField } from '../../ui/filters';
import { DAY_FILTERS } from '../../ui/list-filters';
import { IdLink } from '../../ui/links';
import { moneyText, sumText } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { useMode } from '../../ui/use-mode';
import { When } from '../../ui/when';
import { type Statement, usePeriod, type useStatement } from './use-statement';

type Line = Statement['data'][number];

const FILTERS: readonly FilterField[] = [...DAY_FILTERS];

/** As many lines as are drawn at a time; the file has all. */
const SHOWN_LINES = 100;

interface StatementProps {
  readonly walletId: string;
  readonly asked: ReturnType<typeof useStatement>;
}

/** What an accountant files: a line for each transaction of the period, between its opening and its closing balance. */
export function WalletStatement({ walletId, asked: { data, error, isPlaceholderData } }: StatementProps) {
  return (
    <section aria-label="Statement">
      <Stack gap="xs">
        <div className="section-head">
          <Title order={2} size="h4">
            Statement
          </Title>
          <Downloads walletId={walletId} />
        </div>
        <FilterBar fields={FILTERS} />
        <ProblemAlert error={error} />
        {!data && !error && <Loading label="statement" />}
        {data && (
          <div className={isPlaceholderData ? 'rows rows-before' : 'rows'} aria-busy={isPlaceholderData}>
            <Shown statement={data} />
          </div>
        )}
      </Stack>
    </section>
  );
}

function Downloads({ walletId }: { walletId: string }) {
  const mode = useMode();
  const period = usePeriod();
  if (!period) return null;
  const path = `/v4/wallets/${walletId}/statement`;
  const set = Object.entries({ ...period, format: 'pdf' }).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return (
    <Group gap="xs">
      <DownloadCsv path={path} filters={period} />
      <Button
        component="a"
        variant="default"
        href={`/dashboard/api/${mode}${path}?${new URLSearchParams(set).toString()}`}
        download
      >
        Download PDF
      </Button>
    </Group>
  );
}

function Shown({ statement }: { statement: Statement }) {
  const { data, currency, from, to, closed, hash, time_zone: timeZone } = statement;
  const [shown, setShown] = useState(SHOWN_LINES);
  const money = (minor: number) => moneyText(minor, currency);
  return (
    <Stack gap="xs">
      <Facts
        items={[
          ['From', <When key="from" at={from} />],
          ['Before', <When key="to" at={to} />],
          ['Opening balance', money(statement.opening)],
          ['In', sumText(statement.total_in, currency)],
          ['Out', sumText(statement.total_out, currency)],
          ['Closing balance', money(statement.closing)],
          ['Clocks of', timeZone],
          ['Period', closed ? 'closed: it will be the same for ever' : 'not closed yet: it can still grow'],
          [
            'Control hash',
            <span key="hash" className="id">
              {hash}
            </span>,
          ],
        ]}
      />
      <DataTable
        caption="Statement"
        rows={data.slice(0, shown)}
        keyOf={({ transaction_id: id, balance }) => `${id} ${balance}`}
        empty="Nothing happened to its money in this period."
        columns={columnsOf(currency)}
      />
      {data.length > shown && (
        <Group>
          <Button variant="default" onClick={() => setShown(shown + SHOWN_LINES)}>
            Show more
          </Button>
          <Text size="sm">{wholeText(shown, data.length)}</Text>
        </Group>
      )}
    </Stack>
  );
}

const columnsOf = (currency: string): readonly Column<Line>[] => {
  const money = (minor: number) => <span className="amount">{moneyText(minor, currency)}</span>;
  return [
    { title: 'At', cell: ({ at }) => <When at={at} />, place: 'time' },
    { title: 'What', cell: ({ description }) => description, place: 'what' },
    {
      title: 'Other side',
      cell: ({ counterparty, recipient }) => (counterparty ? <IdLink id={counterparty} /> : (recipient ?? '–')),
    },
    { title: 'Reference', cell: ({ reference }) => reference ?? '–' },
    { title: 'Transaction', cell: ({ transaction_id: id }) => <IdLink id={id} />, place: 'who' },
    {
      title: 'Amount',
      cell: (line) => (line.in > 0 ? money(line.in) : money(-line.out)),
      numeric: true,
      place: 'amount',
    },
    { title: 'Balance', cell: ({ balance }) => money(balance), numeric: true },
  ];
};
