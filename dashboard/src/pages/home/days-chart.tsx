import { NativeSelect, Text, useComputedColorScheme } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { useState } from 'react';
import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { DashboardSchemas } from '../../api/dashboard-api';
import { DataTable } from '../../ui/data-table';
import { compactText, moneyText } from '../../ui/money';

type OverviewDay = DashboardSchemas['OverviewDay'];

const DAY_MS = 86_400_000;
const COLOURS = {
  light: { in: '#076f53', out: '#c9851b', text: '#5c5952', grid: '#e9e7e3', paper: '#ffffff' },
  dark: { in: '#63caa7', out: '#e7ba69', text: '#b3aea6', grid: '#36332e', paper: '#23211e' },
};

interface DaysChartProps {
  readonly days: readonly OverviewDay[];
  /** The first day and the last one. */
  readonly from: string;
  readonly to: string;
  /** Of the wallets, most money first. */
  readonly held: readonly string[];
}

/**
 * Money in and out by day, of one currency at a time, that with most money first; the same figures as a table for who
 * does not see the bars.
 */
export default function DaysChart({ days, from, to, held }: DaysChartProps) {
  const currencies = [...new Set([...held, ...days.map(({ currency }) => currency)])];
  const [chosen, setChosen] = useState<string | null>(null);
  const colours = COLOURS[useComputedColorScheme('light')];
  const still = useReducedMotion();
  const currency = chosen ?? currencies[0];
  if (!currency || days.length === 0)
    return <Text c="dimmed">No transactions yet. They show here from the first one on.</Text>;
  const rows = everyDay(
    days.filter((day) => day.currency === currency),
    { from, to, currency },
  );
  return (
    <>
      {currencies.length > 1 && (
        <NativeSelect
          label="Currency"
          data={currencies}
          value={currency}
          onChange={(event) => setChosen(event.currentTarget.value)}
          maw={140}
          mb="xs"
        />
      )}
      <div className="chart" aria-hidden="true">
        <ResponsiveContainer width="100%" height="100%" minWidth={0}>
          <BarChart data={rows} margin={{ top: 8, right: 8, bottom: 0, left: 8 }} accessibilityLayer={false}>
            <CartesianGrid vertical={false} stroke={colours.grid} />
            <XAxis
              dataKey="day"
              tickFormatter={(day: string) => day.slice(5, 10)}
              stroke={colours.text}
              fontSize={12}
            />
            <YAxis
              width={56}
              tickFormatter={(minor: number) => compactText(minor, currency)}
              stroke={colours.text}
              fontSize={12}
            />
            <Tooltip
              formatter={(minor) => moneyText(Number(minor), currency)}
              labelFormatter={(day) => String(day)}
              contentStyle={{ background: colours.paper, borderColor: colours.grid }}
              cursor={{ fill: colours.grid, opacity: 0.4 }}
            />
            <Legend />
            <Bar dataKey="amount_in" name="In" fill={colours.in} isAnimationActive={!still} />
            <Bar dataKey="amount_out" name="Out" fill={colours.out} isAnimationActive={!still} />
          </BarChart>
        </ResponsiveContainer>
      </div>
      <details>
        <summary>The same as a table</summary>
        <DataTable
          caption={`Transactions by day, ${currency}`}
          rows={rows.filter(({ count }) => count > 0)}
          keyOf={({ day }) => day}
          columns={[
            { title: 'Day', cell: ({ day }) => day },
            { title: 'Transactions', cell: ({ count }) => count, numeric: true },
            { title: 'Successful', cell: ({ successful }) => successful, numeric: true },
            {
              title: 'In',
              cell: ({ amount_in_display }) => <span className="amount">{amount_in_display}</span>,
              numeric: true,
            },
            {
              title: 'Out',
              cell: ({ amount_out_display }) => <span className="amount">{amount_out_display}</span>,
              numeric: true,
            },
          ]}
        />
      </details>
    </>
  );
}

/** Also those on which nothing happened: a bar stands where its day is. */
function everyDay(
  rows: readonly OverviewDay[],
  { from, to, currency }: { from: string; to: string; currency: string },
): OverviewDay[] {
  const known = new Map(rows.map((row) => [row.day, row]));
  const none = moneyText(0, currency);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return Array.from({ length: days }, (_, at) => {
    const day = new Date(Date.parse(from) + at * DAY_MS).toISOString().slice(0, 10);
    const nothing = { count: 0, successful: 0, amount_in: 0, amount_in_display: none };
    return known.get(day) ?? { day, currency, ...nothing, amount_out: 0, amount_out_display: none };
  });
}
