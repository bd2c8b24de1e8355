import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { bodyOf } from '../../api/public-api';
import { JsonBlock } from '../../ui/copy-field';
import { Loading } from '../../ui/data-table';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { useApi, useMode } from '../../ui/use-mode';

export function EventPage() {
  const { id = '' } = useParams({ strict: false });
  const mode = useMode();
  const api = useApi();
  const { data, error } = useQuery({
    queryKey: [mode, 'event', id],
    queryFn: () => bodyOf(api.GET('/v4/events/{id}', { params: { path: { id } } })),
  });
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Loading label="event" />;
  return (
    <Stack>
      <PageHead title={data.type} />
      <JsonBlock label="The event as JSON" value={data} />
    </Stack>
  );
}
