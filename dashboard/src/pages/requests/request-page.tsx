import { Alert, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { CopyField, JsonBlock } from '../../ui/copy-field';
import { Loading } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { IdLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { timeText } from '../../ui/time';
import { useLivemode, useMode } from '../../ui/use-mode';
import { asCurl } from './as-curl';
import { hasQueryOnly, problemIn, statusText } from './request-parts';

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
      <Asked request={data} />
      <Answered request={data} />
      <Part id="curl-title" title="Send it again">
        <Text size="sm" mb="xs">
          With your key in <code>DUKA_KEY</code>. What was cut out as a secret has to be filled in.
        </Text>
        <CopyField label="As curl" value={asCurl(data, location.origin)} />
      </Part>
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
    ['At', timeText(request.created_at)],
  ] as const;

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}

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
    <Part id="made-title" title="What it made or changed">
      {ids.length === 0 && <Text c="dimmed">Nothing.</Text>}
      <Stack gap={4}>
        {ids.map((id) => (
          <span key={id}>
            <IdLink id={id} />
          </span>
        ))}
      </Stack>
    </Part>
  );
}

function Asked({ request }: { request: Detail }) {
  const isQuery = hasQueryOnly(request);
  return (
    <Part id="asked-title" title="Request">
      <Stack gap="xs">
        {request.request_headers && <JsonBlock label="Headers of the request" value={request.request_headers} />}
        {request.request_body === null ? (
          <Text c="dimmed">{isQuery ? 'No query.' : 'No body.'}</Text>
        ) : (
          <>
            <Text size="sm">{isQuery ? 'Query' : 'Body'}, without secrets</Text>
            <JsonBlock label={`${isQuery ? 'Query' : 'Body'} of the request, redacted`} value={request.request_body} />
          </>
        )}
      </Stack>
    </Part>
  );
}

function Answered({ request }: { request: Detail }) {
  const { status, answer, answer_headers: headers, answer_days: days } = request;
  return (
    <Part id="answered-title" title="Answer">
      {headers === null ? (
        <Text c="dimmed">
          {status < 400
            ? 'Answers of requests that went well are not kept: what was made says it.'
            : `Not kept: answers are kept for ${days} days.`}
        </Text>
      ) : (
        <Stack gap="xs">
          <JsonBlock label="Headers of the answer" value={headers} />
          {answer === null ? (
            <Text c="dimmed">No body.</Text>
          ) : (
            <JsonBlock label="Body of the answer, redacted" value={answer} />
          )}
        </Stack>
      )}
    </Part>
  );
}
