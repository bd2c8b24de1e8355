import { Group, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from './data-table';
import { useFilters } from './use-filters';
import { PeriodSelect } from './period-select';
import { ProblemAlert } from './problem-alert';
import { dayStartIn, todayIn } from './time';
import { useMode } from './use-mode';
import { useTimeZone } from './use-time-zone';

const HOUR_MS = 3_600_000;
const HOURS = 24;
const DAYS = 30;
const POLL_MS = 30_000;
const PERIODS = [
  { value: '', label: 'last 24 hours' },
  { value: '30d', label: 'last 30 days' },
];

/** Hours or days up to now, as routes of figures take them. */
interface Spans {
  readonly from: string;
  readonly step: 'hour' | 'day';
}

interface FiguresProps<Data> {
  /** What they are of. */
  readonly of: readonly unknown[];
  readonly read: (spans: Spans) => Promise<Data>;
  readonly children: (data: Data, zone: string) => ReactNode;
}

/** How something has been going over the time that the address names. */
export function Figures<Data>({ of, read, children }: FiguresProps<Data>) {
  const mode = useMode();
  const zone = useTimeZone();
  const { period } = useFilters();
  const spans = spansOf(period, zone ?? 'UTC');
  const { data, error } = useQuery({
    queryKey: [mode, 'figures', ...of, spans],
    queryFn: () => read(spans),
    enabled: zone !== undefined,
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-labelledby="figures-title">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="figures-title">
          How it has been going
        </Title>
        <PeriodSelect periods={PERIODS} />
      </Group>
      <ProblemAlert error={error} />
      {data !== undefined && zone ? children(data, zone) : !error && <Loading label="figures" />}
    </section>
  );
}

/** Where the spans begin: whole hours, or days as the account's clocks have them. */
function spansOf(period: string | undefined, zone: string): Spans {
  const now = Date.now();
  if (period !== '30d')
    return { step: 'hour', from: new Date(Math.floor(now / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS).toISOString() };
  return {
    step: 'day',
    from: dayStartIn(zone, todayIn(zone), 1 - DAYS) ?? new Date(now - DAYS * HOURS * HOUR_MS).toISOString(),
  };
}

/** A time in milliseconds; null: there is none. */
export const msText = (ms: number | null): string => (ms === null ? '–' : `${ms.toLocaleString('en')} ms`);
