import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { dashboardApi, type DashboardSchemas } from '../api/dashboard-api';
import { bodyOf } from '../api/public-api';
import { showsAccount } from '../api/shown-account';

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => {
    const me = await bodyOf(dashboardApi.GET('/me'));
    // Another window went to another account: what this page has read is of the one before.
    if (!showsAccount(me.account.id)) location.assign('/dashboard/test');
    return me;
  },
  staleTime: 30_000,
  retry: false,
});

/** Whoever is logged in. Only below the layout that has made sure that somebody is. */
export const useMe = (): DashboardSchemas['Person'] => useSuspenseQuery(meQuery).data;

let left = false;

/** Whether the person goes by themselves: then nothing leads them back to where they were. */
export const isLeaving = (): boolean => left;

/** Ends the session, of which the page may hear by its stream before the service has answered. */
export async function leaving(work: () => Promise<unknown>): Promise<void> {
  left = true;
  try {
    await work();
  } catch (error) {
    left = false;
    throw error;
  }
}
