import { useParams } from '@tanstack/react-router';
import { publicApi, type Mode, type PublicApi } from '../api/public-api';

/** The mode is the path's: a link says which world it leads to. */
export function useMode(): Mode {
  const { mode } = useParams({ strict: false });
  return mode === 'live' ? 'live' : 'test';
}

export const useApi = (): PublicApi => publicApi(useMode());

/** `livemode` of the dashboard's own routes. */
export const useLivemode = (): boolean => useMode() === 'live';
