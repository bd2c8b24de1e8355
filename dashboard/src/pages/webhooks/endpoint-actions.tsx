import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { dashboardApi } from '../../api/dashboard-api';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { ConfirmButton } from '../../ui/confirm-button';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { useApi, useMode } from '../../ui/use-mode';

interface EndpointProps {
  readonly endpoint: Schemas['WebhookEndpoint'];
  readonly onSecret: (secret: string) => void;
}

export function EndpointActions({ endpoint, onSecret, onEdit }: EndpointProps & { readonly onEdit: () => void }) {
  const { hasPermission, hasScope } = useMay();
  return (
    <>
      {hasScope('webhooks:write') && (
        <Button size="xs" variant="default" onClick={onEdit}>
          Edit
        </Button>
      )}
      {hasScope('webhooks:write') && endpoint.status === 'enabled' && <Switch endpoint={endpoint} />}
      {hasPermission('webhooks:secret') && <ShowSecret endpoint={endpoint} onSecret={onSecret} />}
      {hasScope('webhooks:write') && <Changes endpoint={endpoint} onSecret={onSecret} />}
    </>
  );
}

function Switch({ endpoint: { id } }: Pick<EndpointProps, 'endpoint'>) {
  const api = useApi();
  const path = { params: { path: { id } } };
  const test = useAction(() => api.POST('/v4/webhooks/{id}/test', path), 'A test event is on its way.');
  return (
    <>
      <Button size="xs" loading={test.isPending} onClick={() => test.mutate(undefined)}>
        Send test event
      </Button>
      <ConfirmButton
        label="Disable"
        question="Disable this endpoint?"
        explanation="Events are no longer sent here. What is missed can be replayed."
        done="Disabled."
        work={() => api.POST('/v4/webhooks/{id}/disable', path)}
      />
      <ProblemAlert error={test.error} />
    </>
  );
}

function ShowSecret({ endpoint, onSecret }: EndpointProps) {
  const mode = useMode();
  const show = useAction(async () => {
    const { secret } = await bodyOf(
      dashboardApi.GET('/webhooks/{id}/secret', {
        params: { path: { id: endpoint.id }, query: { livemode: mode === 'live' } },
      }),
    );
    onSecret(secret);
  });
  return (
    <>
      <Button size="xs" variant="default" loading={show.isPending} onClick={() => show.mutate(undefined)}>
        Show secret
      </Button>
      <ProblemAlert error={show.error} />
    </>
  );
}

function Changes({ endpoint, onSecret }: EndpointProps) {
  const api = useApi();
  const mode = useMode();
  const navigate = useNavigate();
  const path = { params: { path: { id: endpoint.id } } };
  async function rotate() {
    const { secret } = await bodyOf(api.POST('/v4/webhooks/{id}/rotate-secret', { ...path, body: {} }));
    if (secret) onSecret(secret);
  }
  async function remove() {
    await api.DELETE('/v4/webhooks/{id}', path);
    await navigate({ to: '/$mode/webhooks', params: { mode } });
  }
  return (
    <>
      <ConfirmButton
        label="Rotate secret"
        question="Make a new signing secret?"
        explanation="For 24 hours both secrets sign each request, so that your receiver can change over."
        done="The secret is rotated."
        work={rotate}
      />
      <ConfirmButton
        label="Delete"
        question="Delete this endpoint?"
        explanation="What is waiting for it is not sent any more."
        done="Deleted."
        work={remove}
      />
    </>
  );
}
