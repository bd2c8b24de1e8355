import { Alert, Anchor, Button } from '@mantine/core';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { ConfirmButton } from '../../ui/confirm-button';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { useApi } from '../../ui/use-mode';

type Status = Schemas['Card']['status'];

export function CardActions({ id, status }: { id: string; status: Status }) {
  const { hasScope } = useMay();
  return (
    <>
      {hasScope('cards:write') && <StateActions id={id} status={status} />}
      {hasScope('cards:reveal') && isUsable(status) && <Reveal id={id} />}
    </>
  );
}

const isUsable = (status: Status): boolean => status === 'active' || status === 'frozen';

function StateActions({ id, status }: { id: string; status: Status }) {
  const api = useApi();
  const path = { params: { path: { id } } };
  const unfreeze = useAction(() => api.POST('/v4/cards/{id}/unfreeze', path), 'The card pays again.');
  return (
    <>
      {status === 'active' && (
        <ConfirmButton
          label="Freeze"
          question="Freeze this card?"
          explanation="Merchants are declined until it is unfrozen."
          done="The card is frozen."
          work={() => api.POST('/v4/cards/{id}/freeze', path)}
        />
      )}
      {status === 'frozen' && (
        <Button size="xs" loading={unfreeze.isPending} onClick={() => unfreeze.mutate(undefined)}>
          Unfreeze
        </Button>
      )}
      {(isUsable(status) || status === 'expired') && (
        <ConfirmButton
          label="Terminate"
          question="Terminate this card for ever?"
          explanation="Its balance goes back to the wallet. It cannot be undone, and not be done while a merchant still holds money."
          done="The card is terminated."
          work={() => api.POST('/v4/cards/{id}/terminate', path)}
        />
      )}
      <ProblemAlert error={unfreeze.error} />
    </>
  );
}

/** Number, expiry and CVV never pass through this page: they are on one of their own, once. */
function Reveal({ id }: { id: string }) {
  const api = useApi();
  const reveal = useAction(() => bodyOf(api.POST('/v4/cards/{id}/reveal', { params: { path: { id } } })));
  return (
    <>
      <Button size="xs" variant="default" loading={reveal.isPending} onClick={() => reveal.mutate(undefined)}>
        Reveal
      </Button>
      {reveal.data && (
        <Alert variant="outline" color="teal" title="Works once, for 60 seconds">
          <Anchor href={reveal.data.url} target="_blank" rel="noreferrer noopener" onClick={() => reveal.reset()}>
            Show number, expiry and CVV in a new tab
          </Anchor>
        </Alert>
      )}
      <ProblemAlert error={reveal.error} />
    </>
  );
}
