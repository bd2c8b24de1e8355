import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { dashboardApi } from '../api/dashboard-api';
import { bodyOf } from '../api/public-api';
import { AnchorLink, pageOf } from '../ui/links';
import { useMode } from '../ui/use-mode';

/** Of an id that this mode does not know: leads to it in the other one, if that has it. */
export default function OtherMode() {
  const { id = '' } = useParams({ strict: false });
  const mode = useMode();
  const { data } = useQuery({
    queryKey: [mode, 'find', id],
    queryFn: () => bodyOf(dashboardApi.GET('/search', { params: { query: { mode, q: id } } })),
    enabled: id !== '',
  });
  const hit = data?.data.flatMap(({ data: hits }) => hits).find((found) => found.id === id && found.mode !== mode);
  const page = pageOf(id);
  if (!hit || !page) return null;
  return (
    <AnchorLink to={page} params={{ mode: hit.mode, id }}>
      It is in {hit.mode} mode: open it there
    </AnchorLink>
  );
}
