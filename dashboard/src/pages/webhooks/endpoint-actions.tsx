import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/dashboard-api';
import { bodyOf, type Schemas } from '../../api/public-api';
import { ConfirmButton } from '../../ui/confirm-button';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { useApi, useMode } from '../../ui/use-mode';

export function EndpointActions({ endpoint, onSecret }: { endpoint: Schemas['WebhookEndpoint']; onSecret: (secret: string) => void }) {
  const api = useApi();
  const mode = useMode();
  const navigate = useNavigate();
  const path = { params: { path: { id: endpoint.id } } };
  const test = useAction(() => api.POST('/v4/webhooks/{id}/test', path), 'A test event is on its way.');
  const enable = useAction(() => api.POST('/v4/webhooks/{id}/enable', path), 'The endpoint is enabled.');
  const show = useAction(async () => {
    const { secret } = await call<{ secret: string }>('GET', `/webhooks/${endpoint.id}/secret?livemode=${mode === 'live'}`);
    onSecret(secret);
  });
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
      {endpoint.status === 'enabled' ? (
        <>
          <Button size="xs" loading={test.isPending} onClick={() => test.mutate(undefined)}>
            Send test event
          </Button>
          <ConfirmButton label="Disable" question="Disable this endpoint?" explanation="Events are no longer sent here. What is missed can be replayed." done="Disabled." work={() => api.POST('/v4/webhooks/{id}/disable', path)} />
        </>
      ) : (
        <Button size="xs" loading={enable.isPending} onClick={() => enable.mutate(undefined)}>
          Enable
        </Button>
      )}
      <Button size="xs" variant="default" loading={show.isPending} onClick={() => show.mutate(undefined)}>
        Show secret
      </Button>
      <ConfirmButton label="Rotate secret" question="Make a new signing secret?" explanation="For 24 hours both secrets sign each request, so that your receiver can change over." done="The secret is rotated." work={rotate} />
      <ConfirmButton label="Delete" question="Delete this endpoint?" explanation="What is waiting for it is not sent any more." done="Deleted." work={remove} />
      <ProblemAlert error={test.error ?? enable.error ?? show.error} />
    </>
  );
}
