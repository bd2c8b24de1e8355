import { Alert, Button, Card, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, lazy, Suspense } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { useMe } from '../../session/session';
import { CopyField } from '../../ui/copy-field';
import { fieldsOf } from '../../ui/form-fields';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';

const QrCode = lazy(() => import('./qr-code'));

export function TwoStep() {
  const { user } = useMe();
  return (
    <Card withBorder component="section" aria-labelledby="two-step-title">
      <Title order={2} size="h4" id="two-step-title" mb="xs">
        Two-step log-in
      </Title>
      <SetUp enabled={user.totp_enabled} />
      {user.totp_enabled && <TurnOff />}
    </Card>
  );
}

/** Stays mounted while the codes are shown, although two-step log-in is on by then. */
function SetUp({ enabled }: { enabled: boolean }) {
  const setup = useAction(() => bodyOf(dashboardApi.POST('/totp/setup')));
  const confirm = useAction(
    (code: string) => bodyOf(dashboardApi.POST('/totp/confirm', { body: { code } })),
    'Two-step log-in is on.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    confirm.mutate(fieldsOf(event.currentTarget).code ?? '');
  }
  if (confirm.data) {
    return (
      <Alert variant="outline" color="teal" title="Keep these recovery codes" mb="md">
        <Text size="sm">Each lets you in once when your phone is gone. They are shown this once.</Text>
        <CopyField label="Recovery codes" value={confirm.data.recovery_codes.join('\n')} />
      </Alert>
    );
  }
  if (enabled) return <Text>It is on: the log-in asks for a code of your authenticator app.</Text>;
  if (!setup.data) {
    return (
      <Stack align="flex-start">
        <Text size="sm">An app on your phone shows a code that the log-in then asks for as well.</Text>
        <ProblemAlert error={setup.error} />
        <Button loading={setup.isPending} onClick={() => setup.mutate(undefined)}>
          Turn it on
        </Button>
      </Stack>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        <Text size="sm">
          Scan this with an authenticator app, or type the secret into it. Then enter the code that it shows.
        </Text>
        <Suspense fallback={null}>
          <QrCode text={setup.data.otpauth_uri} />
        </Suspense>
        <CopyField label="Secret" value={setup.data.secret} />
        <TextInput name="code" label="Code" required inputMode="numeric" autoComplete="one-time-code" />
        <ProblemAlert error={confirm.error} />
        <Group>
          <Button type="submit" loading={confirm.isPending}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function TurnOff() {
  const disable = useAction(
    (proof: DashboardSchemas['Proof']) => dashboardApi.POST('/totp/disable', { body: proof }),
    'Two-step log-in is off.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { password = '', code } = fieldsOf(event.currentTarget);
    disable.mutate({ password, code });
  }
  return (
    <details>
      <summary>Turn it off</summary>
      <form onSubmit={submit}>
        <Stack maw={420} mt="xs">
          <PasswordInput name="password" label="Password" required autoComplete="current-password" />
          <TextInput name="code" label="Code" required autoComplete="one-time-code" />
          <ProblemAlert error={disable.error} />
          <Group>
            <Button type="submit" color="red" loading={disable.isPending}>
              Turn it off
            </Button>
          </Group>
        </Stack>
      </form>
    </details>
  );
}
