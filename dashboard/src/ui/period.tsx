import { NativeSelect } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useFilters } from './filters';
import { dayStartIn } from './time';

const HOUR_MS = 3_600_000;
const HOURS = 24;
const DAYS = 30;

/** Where the spans begin: whole hours, or days as the account's clocks have them. */
export function spansOf(period: string | undefined, zone: string): { from: string; step: 'hour' | 'day' } {
  const now = Date.now();
  if (period !== '30d')
    return { step: 'hour', from: new Date(Math.floor(now / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS).toISOString() };
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(now);
  return {
    step: 'day',
    from: dayStartIn(zone, today, 1 - DAYS) ?? new Date(now - DAYS * HOURS * HOUR_MS).toISOString(),
  };
}

/** Of which time figures are shown; it stands in the address. */
export function PeriodSelect() {
  const { period } = useFilters();
  const navigate = useNavigate();
  return (
    <NativeSelect
      aria-label="Period"
      size="xs"
      value={period === '30d' ? '30d' : ''}
      data={[
        { value: '', label: 'last 24 hours' },
        { value: '30d', label: 'last 30 days' },
      ]}
      onChange={({ currentTarget: { value } }) =>
        void navigate({ to: '.', search: ((before: object) => ({ ...before, period: value || undefined })) as never })
      }
    />
  );
}
