import { Button, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useAheadMs } from '../../session/use-sandbox';
import { useMay } from '../../session/use-may';
import { PagedTable } from '../../ui/data-table';
import { AnchorLink, ButtonLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { StatusBadge } from '../../ui/status-badge';
import { useApi, useMode } from '../../ui/use-mode';
import { useNewForm } from '../../ui/use-new-form';
import { usePages } from '../../ui/use-pages';
import { Ago } from '../../ui/when';
import { EndpointForm } from './endpoint-form';
import { EndpointSecret } from './endpoint-secret';

export function WebhooksPage() {
  const mode = useMode();
  const api = useApi();
  const { hasScope } = useMay();
  const aheadMs = useAheadMs();
  const [creating, { open, close }] = useNewForm();
  const [made, setMade] = useState<Schemas['NewWebhookEndpoint'] | null>(null);
  const list = usePages([mode, 'webhooks'], (cursor) =>
    bodyOf(api.GET('/v4/webhooks', { params: { query: { cursor } } })),
  );
  const show = (endpoint: Schemas['NewWebhookEndpoint']) => {
    close();
    setMade(endpoint);
  };
  return (
    <>
      <PageHead title="Webhooks">
        <ButtonLink variant="default" to="/$mode/webhooks/catalogue" params={{ mode }}>
          Event catalogue
        </ButtonLink>
        {hasScope('webhooks:write') && <Button onClick={open}>New endpoint</Button>}
      </PageHead>
      <Stack>
        {made?.secret && <EndpointSecret secret={made.secret} onClose={() => setMade(null)} />}
        <PagedTable
          caption="Webhook endpoints"
          list={list}
          keyOf={({ id }) => id}
          empty="No endpoints yet. An endpoint is an address of yours that is told what happens."
          columns={[
            {
              title: 'Address',
              place: 'what',
              cell: ({ id, url }) => (
                <AnchorLink to="/$mode/webhooks/$id" params={{ mode, id }}>
                  {url}
                </AnchorLink>
              ),
            },
            { title: 'State', place: 'state', cell: ({ status }) => <StatusBadge status={status} /> },
            { title: 'Events', place: 'who', cell: ({ events }) => events.join(', ') },
            {
              title: 'Last success',
              place: 'time',
              cell: ({ health }) => <Ago at={health.last_success_at} aheadMs={aheadMs} />,
            },
            { title: 'Last failure', cell: ({ health }) => <Ago at={health.last_failure_at} aheadMs={aheadMs} /> },
          ]}
        />
      </Stack>
      <Modal opened={creating} onClose={close} title="New endpoint" size="lg">
        <EndpointForm onMade={show} onDone={close} />
      </Modal>
    </>
  );
}
