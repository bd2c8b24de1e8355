import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { call } from '../api/dashboard-api';
import type { Me } from '../api/dashboard-types';

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => call<Me>('GET', '/me'),
  staleTime: 30_000,
  retry: false,
});

/** Whoever is logged in. Only below the layout that has made sure that somebody is. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data;
