import { Alert, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { CopyField } from '../../ui/copy-field';
import { Loading } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { IdLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { useLivemode, useMode } from '../../ui/use-mode';
import { When } from '../../ui/when';
import { Story } from '../story/story';
import { problemIn, statusText } from './request-parts';

type Detail = DashboardSchemas['RequestDetail'];

/** One request: what was asked, what was answered, and what it made. */
export function RequestPage() {
  const { id = '' } = useParams({ strict: false });
  const mode = useMode();
  const livemode = useLivemode();
  const { data, error } = useQuery({
    queryKey: [mode, 'request', id],
    queryFn: () => bodyOf(dashboardApi.GET('/request-log/{id}', { params: { path: { id }, query: { livemode } } })),
  });
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Loading label="request" />;
  return (
    <Stack>
      <PageHead title={`${data.method} ${data.path}`} />
      <Problem request={data} />
      <Facts items={factsOf(data)} />
      <Made ids={data.made} />
      <Story id={id} />
    </Stack>
  );
}

const factsOf = (request: Detail) =>
  [
    ['Request', <CopyField key="id" label="Id" value={request.id} />],
    ['Status', statusText(request)],
    ['Took', `${request.duration_ms} ms`],
    ['Route', request.route],
    ['Key', request.key_last4 ? `…${request.key_last4}` : 'somebody at this dashboard'],
    ['Replayed', request.replayed ? 'yes' : 'no'],
    ['From', request.ip],
    ['Program', request.user_agent],
    ['At', <When key="at" at={request.created_at} />],
  ] as const;

function Problem({ request }: { request: Detail }) {
  const problem = problemIn(request);
  if (problem === null) return null;
  return (
    <Alert variant="outline" color="red" title="Why it failed">
      <Stack gap={4}>
        {problem.detail && <span>{problem.detail}</span>}
        {problem.params.map(({ param, detail }) => (
          <span key={`${param} ${detail}`}>
            <code>{param}</code> {detail}
          </span>
        ))}
        <a href={`/docs/errors#${problem.code}`}>
          What <code>{problem.code}</code> means
        </a>
      </Stack>
    </Alert>
  );
}

function Made({ ids }: { ids: readonly string[] }) {
  return (
    <section aria-labelledby="made-title">
      <Title order={2} size="h4" id="made-title" mb="xs">
        What it made or changed
      </Title>
      {ids.length === 0 && <Text c="dimmed">Nothing.</Text>}
      <Stack gap={4}>
        {ids.map((id) => (
          <span key={id}>
            <IdLink id={id} />
          </span>
        ))}
      </Stack>
    </section>
  );
}
