import { useComputedColorScheme } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { compactText, moneyText } from '../../ui/money';
import { shortTimeIn, timeTextIn } from '../../ui/time';
import type { Point } from './balance-curve';

const COLOURS = {
  light: { line: '#0b6f80', text: '#495057', grid: '#dee2e6', paper: '#ffffff' },
  dark: { line: '#3bc9db', text: '#ced4da', grid: '#495057', paper: '#1f2327' },
};

interface BalanceChartProps {
  readonly points: readonly Point[];
  readonly currency: string;
  readonly timeZone: string;
}

/** The balance as it went; statement and closed days below have the same figures as text. */
export default function BalanceChart({ points, currency, timeZone }: BalanceChartProps) {
  const colours = COLOURS[useComputedColorScheme('light')];
  const still = useReducedMotion();
  const iso = (at: number) => new Date(at).toISOString();
  return (
    <div className="chart" aria-hidden="true">
      <ResponsiveContainer width="100%" height="100%" minWidth={0}>
        <AreaChart data={[...points]} margin={{ top: 8, right: 8, bottom: 0, left: 8 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke={colours.grid} />
          <XAxis
            dataKey="at"
            type="number"
            scale="time"
            domain={['dataMin', 'dataMax']}
            minTickGap={56}
            tickFormatter={(at: number) => shortTimeIn(timeZone, iso(at)).replace(/,.*/, '')}
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
            labelFormatter={(at) => timeTextIn(timeZone, iso(Number(at)))}
            contentStyle={{ background: colours.paper, borderColor: colours.grid }}
          />
          <Area
            type="stepAfter"
            dataKey="balance"
            name="Balance"
            stroke={colours.line}
            fill={colours.line}
            fillOpacity={0.15}
            dot={false}
            isAnimationActive={!still}
          />
        </AreaChart>
      </ResponsiveContainer>
    </div>
  );
}
