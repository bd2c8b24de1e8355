import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useAheadMs } from '../../session/use-sandbox';
import { useFilters } from '../../ui/use-filters';
import { useApi, useMode } from '../../ui/use-mode';
import { useTimeZone } from '../../ui/use-time-zone';

export type Statement = Schemas['Statement'];

const DAY_MS = 86_400_000;
/** Shown where the address names no period. */
const SHOWN_DAYS = 7;

/** The day of a moment by the clocks of a zone, as the API takes it. */
const dayIn = (timeZone: string, ms: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(ms);

/** The days that the address names; the last week where it names none. Undefined until the zone is known. */
export function usePeriod() {
  const timeZone = useTimeZone();
  const ahead = useAheadMs();
  const { from, to } = useFilters();
  const [opened] = useState(() => Date.now());
  if (timeZone === undefined) return undefined;
  const last = to ? Date.parse(`${to}T12:00:00Z`) : opened + ahead;
  return { from: from ?? dayIn(timeZone, last - (SHOWN_DAYS - 1) * DAY_MS), to };
}

/** What happened to the money of a wallet in the period of the address. */
export function useStatement(walletId: string) {
  const mode = useMode();
  const api = useApi();
  const period = usePeriod();
  return useQuery({
    queryKey: [mode, 'wallet', walletId, 'statement', period],
    queryFn: () => bodyOf(api.GET('/v4/wallets/{id}/statement', { params: { path: { id: walletId }, query: period } })),
    enabled: period !== undefined,
    placeholderData: keepPreviousData,
  });
}
