import { useQuery } from '@tanstack/react-query';
import { bodyOf, publicApi, type Schemas } from '../api/public-api';
import { useMode } from '../ui/use-mode';
import { useMay } from './use-may';

const ASKED_AGAIN_MS = 30_000;

/** The account's test clock; undefined in live mode, and for who may not read it. */
export function useTestClock(): Schemas['SandboxClock'] | undefined {
  const mode = useMode();
  const { hasScope } = useMay();
  const { data } = useQuery({
    queryKey: ['test', 'clock'],
    queryFn: () => bodyOf(publicApi('test').GET('/v4/sandbox/clock')),
    enabled: mode === 'test' && hasScope('purchases:read'),
    refetchInterval: ASKED_AGAIN_MS,
  });
  return mode === 'test' ? data : undefined;
}

/** How far the times of the mode's objects are ahead of the time. */
export const useAheadMs = (): number => (useTestClock()?.offset_seconds ?? 0) * 1_000;

/** Outages of providers that somebody ordered in test mode; none in live mode, and for who may not read them. */
export function useOutages(): readonly Schemas['SandboxOutage'][] {
  const mode = useMode();
  const { hasScope } = useMay();
  const { data } = useQuery({
    queryKey: ['test', 'outages'],
    queryFn: () => bodyOf(publicApi('test').GET('/v4/sandbox/providers/outages')),
    enabled: mode === 'test' && hasScope('purchases:read'),
    refetchInterval: ASKED_AGAIN_MS,
  });
  return mode === 'test' ? (data?.data ?? []) : [];
}
