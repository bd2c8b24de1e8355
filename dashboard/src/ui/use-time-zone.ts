import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../api/public-api';
import { useApi, useMode } from './use-mode';

const STALE_MS = 300_000;

/** The account's time zone, in which its days begin; undefined until it is known, UTC where it cannot be read. */
export function useTimeZone(): string | undefined {
  const mode = useMode();
  const api = useApi();
  const { data, error } = useQuery({
    queryKey: [mode, 'account'],
    queryFn: () => bodyOf(api.GET('/v4/account')),
    staleTime: STALE_MS,
  });
  return data?.time_zone ?? (error ? 'UTC' : undefined);
}
