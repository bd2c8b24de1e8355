import { NativeSelect, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { DashboardSchemas } from '../../../api/dashboard-api';
import { bodyOf } from '../../../api/public-api';
import { useOperators } from '../../../session/cells';
import { type Column, DataTable, Loading } from '../../../ui/data-table';
import { AnchorLink } from '../../../ui/links';
import { CURRENCIES, percentText } from '../../../ui/money';
import { PageHead } from '../../../ui/page-head';
import { ProblemAlert } from '../../../ui/problem-alert';
import { StatusBadge } from '../../../ui/status-badge';
import { useFilters } from '../../../ui/use-filters';
import { useMode } from '../../../ui/use-mode';
import { Ago, When } from '../../../ui/when';
import { ModeChoice } from '../mode-choice';
import { Section } from '../section';
import { Display } from './books';

type Positions = DashboardSchemas['Positions'];
type Position = DashboardSchemas['FxPosition'];
type Rate = DashboardSchemas['FxRate'];

const REFRESH_MS = 30_000;

/** What conversions left the platform with, by currency, and what that is worth now. */
export function PositionsPage() {
  const operators = useOperators();
  const mode = useMode();
  const { of, in: word } = useFilters();
  const livemode = of !== 'test';
  const target = CURRENCIES.find((currency) => currency === word) ?? 'USD';
  const query = { livemode, in: target };
  const { data, error, isPending, isPlaceholderData } = useQuery({
    queryKey: [...operators.key, 'positions', query],
    queryFn: () => bodyOf(operators.api.GET('/operators/books/positions', { params: { query } })),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHead title="Positions">
        <Target current={target} of={of} />
        <ModeChoice of="positions" current={livemode ? 'live' : 'test'} search={{ in: word }} />
      </PageHead>
      <Stack gap="lg" className={isPlaceholderData ? 'rows rows-before' : 'rows'} aria-busy={isPlaceholderData}>
        <Text size="sm" c="dimmed">
          Whoever converts leaves the platform with what they sold, and short of what they bought. Our money at
          providers, with floors, is at{' '}
          <AnchorLink to="/$mode/going-live" params={{ mode }}>
            Going live
          </AnchorLink>
          .
        </Text>
        <ProblemAlert error={error} />
        {isPending && <Loading label="positions" />}
        {data && <PositionTable positions={data} />}
        {data && (
          <Section title={`Rates of ${target}`}>
            <DataTable
              caption={`Rates of ${target}`}
              rows={data.rates.filter(({ base, quote }) => base === target || quote === target)}
              keyOf={({ base, quote }) => `${base} ${quote}`}
              empty={`There is no rate of ${target} in ${livemode ? 'live' : 'test'} mode.`}
              columns={RATES}
            />
          </Section>
        )}
      </Stack>
    </>
  );
}

function Target({ current, of }: { current: string; of: string | undefined }) {
  const navigate = useNavigate();
  return (
    <NativeSelect
      aria-label="Valued in"
      size="sm"
      value={current}
      data={[...CURRENCIES]}
      onChange={(event) => void navigate({ to: '.', search: { of, in: event.currentTarget.value } as never })}
    />
  );
}

function PositionTable({ positions: { data, value_display, in: target } }: { positions: Positions }) {
  return (
    <Section title="By currency">
      <Stack gap="sm">
        <DataTable
          caption="Positions"
          rows={data}
          keyOf={({ currency }) => currency}
          empty="Nothing was ever converted in this mode."
          columns={columnsIn(target)}
        />
        {data.length > 0 && (
          <Text>
            Together:{' '}
            {value_display === null ? `not known, a rate to ${target} is missing` : <Display text={value_display} />}
          </Text>
        )}
      </Stack>
    </Section>
  );
}

const columnsIn = (target: string): readonly Column<Position>[] => [
  { title: 'Currency', place: 'what', cell: ({ currency }) => currency },
  { title: 'Side', place: 'state', cell: ({ side }) => <StatusBadge status={side} /> },
  { title: 'As the day began', numeric: true, cell: ({ before_display }) => <Display text={before_display} /> },
  { title: 'Came today', numeric: true, cell: ({ taken_display }) => <Display text={taken_display} /> },
  { title: 'Went today', numeric: true, cell: ({ given_display }) => <Display text={given_display} /> },
  { title: 'Open', place: 'amount', numeric: true, cell: ({ amount_display }) => <Display text={amount_display} /> },
  { title: 'Rate', numeric: true, cell: ({ rate }) => rate ?? '–' },
  {
    title: `In ${target}`,
    place: 'who',
    numeric: true,
    cell: ({ value_display }) => (value_display === null ? 'no rate' : <Display text={value_display} />),
  },
];

const RATES: readonly Column<Rate>[] = [
  { title: 'One', place: 'what', cell: ({ base, quote }) => `${base} in ${quote}` },
  { title: 'Is worth', place: 'amount', numeric: true, cell: ({ rate }) => <span className="amount">{rate}</span> },
  { title: 'Spread', numeric: true, cell: ({ spread_basis_points: points }) => `${percentText(points)} %` },
  { title: 'Said by', place: 'who', cell: ({ person }) => person },
  { title: 'Set', place: 'time', cell: ({ set_at }) => <Ago at={set_at} /> },
  { title: 'Quoted until', cell: ({ good_until }) => (good_until === null ? 'for good' : <When at={good_until} />) },
];
