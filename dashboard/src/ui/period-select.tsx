import { NativeSelect } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useFilters } from './use-filters';

/** Of which time; it stands in the address. */
export function PeriodSelect({ periods }: { periods: readonly { value: string; label: string }[] }) {
  const { period } = useFilters();
  const navigate = useNavigate();
  return (
    <NativeSelect
      aria-label="Period"
      size="xs"
      value={periods.some(({ value }) => value === period) ? period : ''}
      data={[...periods]}
      onChange={({ currentTarget: { value } }) =>
        void navigate({ to: '.', search: ((before: object) => ({ ...before, period: value || undefined })) as never })
      }
    />
  );
}
