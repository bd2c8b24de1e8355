import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { dashboardApi, type DashboardSchemas } from '../api/dashboard-api';
import { bodyOf } from '../api/public-api';

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => bodyOf(dashboardApi.GET('/me')),
  staleTime: 30_000,
  retry: false,
});

/** Whoever is logged in. Only below the layout that has made sure that somebody is. */
export const useMe = (): DashboardSchemas['Person'] => useSuspenseQuery(meQuery).data;
