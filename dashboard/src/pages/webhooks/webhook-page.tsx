import { Alert, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { Loading, PagedTable } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { FilterBar, useFilters } from '../../ui/filters';
import { IdLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { StatusBadge } from '../../ui/status-badge';
import { timeText } from '../../ui/time';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { EndpointActions } from './endpoint-actions';
import { EndpointSecret } from './endpoint-secret';
import { ReplayForm } from './replay-form';

const POLL_MS = 3_000;
const STATUSES = [
  'pending',
  'retrying',
  'delivered',
  'exhausted',
  'disabled',
  'aborted',
] as const satisfies readonly Schemas['WebhookDelivery']['status'][];

export function WebhookPage() {
  const { id = '' } = useParams({ strict: false });
  const mode = useMode();
  const api = useApi();
  const { hasScope } = useMay();
  const [secret, setSecret] = useState<string | null>(null);
  const { data, error } = useQuery({
    queryKey: [mode, 'webhook', id],
    queryFn: () => bodyOf(api.GET('/v4/webhooks/{id}', { params: { path: { id } } })),
  });
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Loading label="endpoint" />;
  return (
    <Stack>
      <PageHead title={data.url}>
        <EndpointActions endpoint={data} onSecret={setSecret} />
      </PageHead>
      {secret && <EndpointSecret secret={secret} onClose={() => setSecret(null)} />}
      {data.disabled_reason && (
        <Alert color="red" variant="outline" title={`Disabled: ${data.disabled_reason.replaceAll('_', ' ')}`}>
          Nothing is sent here until it is enabled. Then replay what it missed.
        </Alert>
      )}
      <Facts
        items={[
          [
            'Id',
            <span key="id" className="id">
              {data.id}
            </span>,
          ],
          ['State', <StatusBadge key="state" status={data.status} />],
          ['Events', data.events.join(', ')],
          ['Description', data.description],
          ['Secrets sent whole', data.include_secrets ? 'yes' : 'no'],
          ['Old secret works until', timeText(data.previous_secret_expires_at)],
          ['Last success', timeText(data.health.last_success_at)],
          ['Failing since', timeText(data.health.failing_since)],
        ]}
      />
      {hasScope('webhooks:write') && <ReplayForm endpointId={id} />}
      <Deliveries endpointId={id} />
    </Stack>
  );
}

function Deliveries({ endpointId }: { endpointId: string }) {
  const mode = useMode();
  const api = useApi();
  const { status } = useFilters();
  const filter = STATUSES.find((word) => word === status);
  const list = usePages(
    [mode, 'deliveries', endpointId, filter],
    (cursor) =>
      bodyOf(
        api.GET('/v4/webhooks/{id}/deliveries', {
          params: { path: { id: endpointId }, query: { status: filter, cursor } },
        }),
      ),
    { refetchInterval: POLL_MS },
  );
  return (
    <section aria-labelledby="deliveries-title">
      <Title order={2} size="h4" id="deliveries-title" mb="xs">
        Deliveries
      </Title>
      <FilterBar fields={[{ name: 'status', label: 'Status', options: STATUSES }]} />
      <PagedTable
        caption="Deliveries"
        list={list}
        keyOf={({ id }) => id}
        empty="Nothing was sent here yet."
        columns={[
          { title: 'Delivery', cell: ({ id }) => <IdLink id={id} /> },
          { title: 'Event', cell: ({ event_type }) => event_type },
          { title: 'Status', cell: ({ status: word }) => <StatusBadge status={word} /> },
          { title: 'Attempts', cell: ({ attempt_count }) => attempt_count, numeric: true },
          { title: 'Last answer', cell: ({ last_code }) => last_code ?? '–' },
          { title: 'Created', cell: ({ created_at }) => timeText(created_at) },
        ]}
      />
    </section>
  );
}
