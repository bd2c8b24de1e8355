import { type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { Problem } from './api/problem';

const TRIES = 2;

/** All that the page has read. An ended session empties it, and the page asks to log in. */
export const queries = new QueryClient({
  queryCache: new QueryCache({
    onError(error, query) {
      const isOver = error instanceof Problem && (error.status === 401 || error.code === 'other_account');
      if (isOver && query.queryKey[0] !== 'me') void queries.invalidateQueries({ queryKey: ['me'] });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal stays a refusal; only what may pass is asked again.
      retry: (count, error) => count < TRIES && !(error instanceof Problem && error.status < 500),
    },
  },
});

const isPaging = ({ state }: Query): boolean =>
  state.fetchStatus === 'fetching' && state.fetchMeta?.fetchMore !== undefined;

/** Reads again what is shown of these. A list whose next page is on its way would lose it: it is read behind that. */
export function readAgain(client: QueryClient, isWanted: (query: Query) => boolean = () => true): void {
  const paging = client.getQueryCache().findAll({ predicate: (query) => isWanted(query) && isPaging(query) });
  void client.invalidateQueries({ predicate: (query) => isWanted(query) && !isPaging(query) });
  for (const { queryKey, promise } of paging) {
    const again = () => client.invalidateQueries({ queryKey, exact: true });
    void promise?.then(again, again);
  }
}
