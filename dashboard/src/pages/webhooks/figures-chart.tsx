import { useComputedColorScheme } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { DashboardSchemas } from '../../api/dashboard-api';
import { shortTimeIn } from '../../ui/time';

const COLOURS = {
  light: { ok: '#2b6a2f', failed: '#b02525', text: '#495057', grid: '#dee2e6', paper: '#ffffff' },
  dark: { ok: '#8ce99a', failed: '#ffa8a8', text: '#ced4da', grid: '#495057', paper: '#1f2327' },
};

interface ChartProps {
  readonly spans: readonly DashboardSchemas['SpanFigures'][];
  readonly zone: string;
}

/** Attempts by hour or day: what got through, and what failed. */
export default function FiguresChart({ spans, zone }: ChartProps) {
  const colours = COLOURS[useComputedColorScheme('light')];
  const still = useReducedMotion();
  const rows = spans.map((span) => ({ ...span, failed: span.attempts - span.successful }));
  const at = (from: string) => shortTimeIn(zone, from);
  return (
    <div className="chart" aria-hidden="true">
      <ResponsiveContainer width="100%" height="100%" minWidth={0}>
        <BarChart data={rows} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke={colours.grid} />
          <XAxis dataKey="from" tickFormatter={at} stroke={colours.text} fontSize={12} minTickGap={32} />
          <YAxis width={44} allowDecimals={false} stroke={colours.text} fontSize={12} />
          <Tooltip
            labelFormatter={(from) => at(String(from))}
            contentStyle={{ background: colours.paper, borderColor: colours.grid }}
            cursor={{ fill: colours.grid, opacity: 0.4 }}
          />
          <Legend />
          <Bar dataKey="successful" stackId="a" name="Delivered" fill={colours.ok} isAnimationActive={!still} />
          <Bar dataKey="failed" stackId="a" name="Failed" fill={colours.failed} isAnimationActive={!still} />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
