import { useQuery } from '@tanstack/react-query';
import { dashboardApi } from '../api/dashboard-api';
import { bodyOf } from '../api/public-api';
import { useMay } from '../session/use-may';
import { IdLink } from './links';
import { useLivemode, useMode } from './use-mode';

/** The request that made something, for whoever may see requests. */
export function MadeBy({ id }: { id: string }) {
  const mode = useMode();
  const livemode = useLivemode();
  const { data } = useQuery({
    queryKey: [mode, 'requests', 'that made', id],
    queryFn: () => bodyOf(dashboardApi.GET('/request-log', { params: { query: { livemode, made: id, limit: 1 } } })),
    enabled: useMay().hasPermission('requests'),
  });
  return <IdLink id={data?.data[0]?.id} />;
}
