import { useComputedColorScheme } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { shortTimeIn } from './time';

const COLOURS = {
  light: { good: '#1e6333', wait: '#c9851b', bad: '#a3221b', text: '#5c5952', grid: '#e9e7e3', paper: '#ffffff' },
  dark: { good: '#8fdc9f', wait: '#f3c275', bad: '#ffaca4', text: '#b3aea6', grid: '#36332e', paper: '#23211e' },
};

interface SpansChartProps {
  readonly zone: string;
  /** What is stacked, from below. */
  readonly parts: readonly { readonly name: string; readonly tone: 'good' | 'wait' | 'bad' }[];
  /** One count for each part. */
  readonly spans: readonly { readonly from: string; readonly counts: readonly number[] }[];
}

/** Counts by hour or day, one part above the other. */
export default function SpansChart({ spans, zone, parts }: SpansChartProps) {
  const colours = COLOURS[useComputedColorScheme('light')];
  const still = useReducedMotion();
  const rows = spans.map(({ from, counts }) => ({
    from,
    ...Object.fromEntries(parts.map(({ name }, at) => [name, counts[at] ?? 0])),
  }));
  const told = (from: string) => shortTimeIn(zone, from);
  return (
    <div className="chart" aria-hidden="true">
      <ResponsiveContainer width="100%" height="100%" minWidth={0}>
        <BarChart data={rows} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke={colours.grid} />
          <XAxis dataKey="from" tickFormatter={told} stroke={colours.text} fontSize={12} minTickGap={32} />
          <YAxis width={44} allowDecimals={false} stroke={colours.text} fontSize={12} />
          <Tooltip
            labelFormatter={(from) => told(String(from))}
            contentStyle={{ background: colours.paper, borderColor: colours.grid }}
            cursor={{ fill: colours.grid, opacity: 0.4 }}
          />
          <Legend />
          {parts.map(({ name, tone }) => (
            <Bar key={name} dataKey={name} stackId="a" fill={colours[tone]} isAnimationActive={!still} />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
