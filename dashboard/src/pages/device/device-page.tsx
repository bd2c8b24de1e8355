import { Alert, Button, Group, NativeSelect, SegmentedControl, Stack, Switch, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { useMe } from '../../session/session';
import { Facts } from '../../ui/facts';
import { fieldsOf } from '../../ui/form-fields';
import { AnchorLink } from '../../ui/links';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { Ago } from '../../ui/when';
import { AuthFrame } from '../auth/auth-pages';
import { Scopes } from '../keys/new-key-form';

interface Asking {
  readonly code: string;
  readonly request: DashboardSchemas['DeviceRequest'];
}

/** Where a person gives a command line a key: `duka login` shows the code that is entered here. */
export function DevicePage() {
  const { may, accounts } = useMe();
  const [asking, setAsking] = useState<Asking | null>(null);
  const [end, setEnd] = useState<string | null>(null);
  return (
    <AuthFrame title="Log in a command line">
      <Stack>
        {accounts.length > 1 && asking === null && end === null && <Account />}
        {end !== null ? (
          <Text>{end}</Text>
        ) : !may.dashboard.includes('keys:write') ? (
          <Text>Your role in this account may not make API keys.</Text>
        ) : asking === null ? (
          <EnterCode onFound={setAsking} />
        ) : (
          <Decide asking={asking} onEnd={setEnd} />
        )}
        <AnchorLink to="/" size="sm">
          To the dashboard
        </AnchorLink>
      </Stack>
    </AuthFrame>
  );
}

/** Of which account the key will be. */
function Account() {
  const { account, accounts } = useMe();
  const goTo = useAction((id: string) => dashboardApi.POST('/accounts/{id}/switch', { params: { path: { id } } }));
  return (
    <>
      <NativeSelect
        label="Account"
        data={accounts.map(({ id, name }) => ({ value: id, label: name }))}
        value={account.id}
        disabled={goTo.isPending}
        // A whole new document, so that nothing of the account before stays in memory.
        onChange={(event) => goTo.mutate(event.currentTarget.value, { onSuccess: () => location.reload() })}
      />
      <ProblemAlert error={goTo.error} />
    </>
  );
}

function EnterCode({ onFound }: { onFound: (asking: Asking) => void }) {
  const lookUp = useAction(async (code: string) => {
    const request = await bodyOf(dashboardApi.POST('/device/look-up', { body: { user_code: code } }));
    return { code, request };
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    lookUp.mutate(fieldsOf(event.currentTarget).code ?? '', { onSuccess: onFound });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          name="code"
          label="Code"
          description="Eight letters that duka login shows in your own terminal. Never enter one that somebody sent you."
          placeholder="BCDF-GHJK"
          required
          maxLength={16}
          autoComplete="off"
          autoFocus
        />
        <ProblemAlert error={lookUp.error} />
        <Button type="submit" loading={lookUp.isPending} fullWidth>
          Continue
        </Button>
      </Stack>
    </form>
  );
}

function Decide({ asking: { code, request }, onEnd }: { asking: Asking; onEnd: (text: string) => void }) {
  const { account, may } = useMe();
  const [mode, setMode] = useState('test');
  const [limited, setLimited] = useState(false);
  const [scopes, setScopes] = useState<string[]>([]);
  const mayLive = account.live_enabled && may.dashboard.includes('live_keys:write');
  const approve = useAction(() =>
    dashboardApi.POST('/device/approve', {
      body: { user_code: code, livemode: mode === 'live', scopes: limited ? scopes : null },
    }),
  );
  const deny = useAction(() => dashboardApi.POST('/device/deny', { body: { user_code: code } }));
  return (
    <Stack>
      <Facts
        items={[
          ['Calls itself', request.name],
          ['Asks from', request.ip],
          ['Program', request.user_agent],
          ['Asked', <Ago key="asked" at={request.created_at} />],
          ['Account', account.name],
        ]}
      />
      <Warning sameNetwork={request.same_network} />
      <SegmentedControl
        aria-label="Mode"
        fullWidth
        value={mode}
        onChange={(chosen) => {
          setMode(chosen);
          if (chosen === 'live') setLimited(true);
        }}
        data={[
          { value: 'test', label: 'Test' },
          { value: 'live', label: 'Live, real money', disabled: !mayLive },
        ]}
      />
      <Switch
        label="Limit what it may do"
        checked={limited}
        onChange={(event) => setLimited(event.currentTarget.checked)}
      />
      {limited ? (
        <Scopes chosen={scopes} onChange={setScopes} />
      ) : (
        <Text size="sm">It may do everything in {mode} mode.</Text>
      )}
      <Text size="sm" c="dimmed">
        The key is good for 90 days. You can revoke it at any time under API keys.
      </Text>
      <ProblemAlert error={approve.error ?? deny.error} />
      <Group grow>
        <Button
          variant="default"
          loading={deny.isPending}
          onClick={() => deny.mutate(undefined, { onSuccess: () => onEnd('Refused. Nothing was given away.') })}
        >
          Refuse
        </Button>
        <Button
          loading={approve.isPending}
          disabled={limited && scopes.length === 0}
          onClick={() =>
            approve.mutate(undefined, {
              onSuccess: () => onEnd('Done. Go back to your terminal: it gets its key now.'),
            })
          }
        >
          Give it a key
        </Button>
      </Group>
    </Stack>
  );
}

/** Whoever talks somebody into confirming a code of theirs gets the key: the page says how it would look. */
function Warning({ sameNetwork }: { sameNetwork: boolean }) {
  return sameNetwork ? (
    <Alert variant="outline" color="teal" title="Did you start this yourself?">
      Confirm only a code that your own terminal shows now. Nobody of ours will ever ask you to.
    </Alert>
  ) : (
    <Alert variant="outline" color="red" title="It asks from another network than yours">
      If duka login does not run on a machine of yours there, somebody wants your key: refuse. Nobody of ours will ever
      ask you to confirm a code.
    </Alert>
  );
}
