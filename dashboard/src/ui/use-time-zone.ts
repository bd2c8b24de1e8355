import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../api/public-api';
import { useApi, useMode } from './use-mode';

const STALE_MS = 300_000;

/** The account's time zone; undefined until it is known, UTC where it cannot be read. */
export function useAccountZone(): string | undefined {
  const mode = useMode();
  const api = useApi();
  const { data, error } = useQuery({
    queryKey: [mode, 'account'],
    queryFn: () => bodyOf(api.GET('/v4/account')),
    staleTime: STALE_MS,
  });
  return data?.time_zone ?? (error ? 'UTC' : undefined);
}

/** Whether this person wants all times and days in UTC, like the API's. Kept by the browser, told to every tab. */
export function useUtcChoice() {
  return useLocalStorage({ key: 'duka-utc', defaultValue: false, getInitialValueInEffect: false });
}

/** By whose clocks the page shows times and begins days: the account's, or UTC where the person chose it. */
export function useTimeZone(): string | undefined {
  const zone = useAccountZone();
  const [utc] = useUtcChoice();
  return utc ? 'UTC' : zone;
}
