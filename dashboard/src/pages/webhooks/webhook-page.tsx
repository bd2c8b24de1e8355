import { Badge, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { Loading } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { AnchorLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { StatusBadge } from '../../ui/status-badge';
import { useApi, useMode } from '../../ui/use-mode';
import { EndpointActions } from './endpoint-actions';
import { EndpointDeliveries } from './endpoint-deliveries';
import { EndpointFigures } from './endpoint-figures';
import { EndpointEdit } from './endpoint-form';
import { EndpointSecret } from './endpoint-secret';
import { EndpointState } from './endpoint-state';
import { ReplayForm } from './replay-form';
import { When } from '../../ui/when';

/** One endpoint: how it is doing, what it was sent, and what can be done about it. */
export function WebhookPage() {
  const { id = '' } = useParams({ strict: false });
  const mode = useMode();
  const api = useApi();
  const { hasScope } = useMay();
  const [secret, setSecret] = useState<string | null>(null);
  const [editing, { open, close }] = useDisclosure();
  const { data, error } = useQuery({
    queryKey: [mode, 'webhook', id],
    queryFn: () => bodyOf(api.GET('/v4/webhooks/{id}', { params: { path: { id } } })),
  });
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Loading label="endpoint" />;
  return (
    <Stack gap="lg">
      <PageHead title={data.url}>
        <EndpointActions endpoint={data} onSecret={setSecret} onEdit={open} />
      </PageHead>
      {secret && <EndpointSecret secret={secret} onClose={() => setSecret(null)} />}
      <EndpointState endpoint={data} />
      <Described endpoint={data} />
      <EndpointFigures endpointId={id} />
      {hasScope('webhooks:write') && <ReplayForm endpointId={id} />}
      <EndpointDeliveries endpointId={id} />
      <Modal opened={editing} onClose={close} title="Edit the endpoint" size="lg">
        <EndpointEdit endpoint={data} onDone={close} />
      </Modal>
    </Stack>
  );
}

function Described({ endpoint }: { endpoint: Schemas['WebhookEndpoint'] }) {
  const { health, header_names, max_per_second } = endpoint;
  return (
    <Facts
      items={[
        [
          'Id',
          <span key="id" className="id">
            {endpoint.id}
          </span>,
        ],
        ['State', <StatusBadge key="state" status={endpoint.status} />],
        ['Events', <Patterns key="events" patterns={endpoint.events} />],
        ['Description', endpoint.description],
        ['Sent along', header_names.length > 0 ? header_names.join(', ') : 'no headers'],
        ['At once', `${endpoint.max_in_flight} requests`],
        ['A second', max_per_second ? `${max_per_second} requests` : 'as many as there are'],
        ['Secrets sent whole', endpoint.include_secrets ? 'yes' : 'no'],
        ['Old secret works until', <When key="until" at={endpoint.previous_secret_expires_at} />],
        ['Last success', <When key="success" at={health.last_success_at} />],
        ['Failing since', <When key="failing" at={health.failing_since} />],
      ]}
    />
  );
}

/** What it listens to; each leads to its place in the catalogue. */
function Patterns({ patterns }: { patterns: readonly string[] }) {
  const mode = useMode();
  return (
    <Group gap={6}>
      {patterns.map((pattern) => (
        <AnchorLink
          key={pattern}
          to="/$mode/webhooks/catalogue"
          params={{ mode }}
          search={(pattern.includes('*') ? { q: pattern.replace('*', '') || undefined } : { type: pattern }) as never}
        >
          <Badge variant="outline" tt="none" className="tone tone-quiet">
            {pattern === '*' ? 'all events' : pattern}
          </Badge>
        </AnchorLink>
      ))}
    </Group>
  );
}
