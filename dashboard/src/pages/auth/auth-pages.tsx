import { Anchor, Group, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { dashboardApi } from '../../api/dashboard-api';
import { Problem } from '../../api/problem';
import { Logo } from '../../shell/logo';
import { AnchorLink } from '../../ui/links';
import { useFilters } from '../../ui/use-filters';
import { PasskeyButton } from '../../session/passkey-button';
import { ProblemAlert } from '../../ui/problem-alert';
import { AuthForm, pathOf } from './auth-form';

export function AuthFrame({ title, children }: { title: string; children: React.ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Duka`;
  }, [title]);
  return (
    <main className="auth">
      <Paper withBorder p="lg" w="100%" maw={420}>
        <Group gap="xs" mb="lg">
          <Logo />
          <Text fw={600}>Duka</Text>
        </Group>
        <Title order={1} size="h3" mb="md">
          {title}
        </Title>
        {children}
      </Paper>
    </main>
  );
}

export const PASSWORD_RULE = 'At least 15 characters; a sentence is good.';

export function SignUpPage() {
  return (
    <AuthFrame title="Create your account">
      <AuthForm
        label="Create account"
        send={({ name = '', account_name = '', email = '', password = '' }) =>
          dashboardApi.POST('/auth/sign-up', { body: { name, account_name, email, password } })
        }
        next="/dashboard/test"
      >
        <TextInput name="name" label="Your name" required autoComplete="name" autoFocus />
        <TextInput name="account_name" label="Business or team" required autoComplete="organization" />
        <TextInput name="email" label="E-mail" type="email" required autoComplete="email" />
        <PasswordInput
          name="password"
          label="Password"
          description={PASSWORD_RULE}
          required
          minLength={15}
          autoComplete="new-password"
        />
      </AuthForm>
      <Text size="sm" mt="md">
        Test mode is yours at once, and free. Have an account? <AnchorLink to="/log-in">Log in</AnchorLink>
      </Text>
    </AuthFrame>
  );
}

export function LogInPage() {
  const { next } = useFilters();
  const [needsCode, setNeedsCode] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  async function logIn({ email = '', password = '', code }: Record<string, string>) {
    await asksForCode(
      () => dashboardApi.POST('/auth/log-in', { body: { email, password, ...(code && { code }) } }),
      () => setNeedsCode(true),
      code,
    );
  }
  return (
    <AuthFrame title="Log in">
      <AuthForm label="Log in" send={logIn} next={next ?? '/dashboard/test'}>
        <TextInput name="email" label="E-mail" type="email" required autoComplete="username" autoFocus />
        <PasswordInput name="password" label="Password" required autoComplete="current-password" />
        {needsCode && <CodeInput />}
      </AuthForm>
      <Stack mt="sm">
        <PasskeyButton
          label="Log in with a passkey"
          act="logInWithPasskey"
          fullWidth
          // A whole new document, as after a password.
          onPassed={() => location.assign(pathOf(next ?? '/dashboard/test'))}
          onRefused={setRefusal}
        />
        <ProblemAlert error={refusal} />
      </Stack>
      <Text size="sm" mt="md">
        <AnchorLink to="/forgot-password">Forgot your password?</AnchorLink>
      </Text>
      <Text size="sm" mt="xs">
        New here? <AnchorLink to="/sign-up">Create an account</AnchorLink>
      </Text>
    </AuthFrame>
  );
}

/** Who has a password here proves who they are with it; who has none chooses one. */
export function InvitePage() {
  const { token } = useFilters();
  const [needsCode, setNeedsCode] = useState(false);
  if (!token) {
    return (
      <AuthFrame title="Join a team">
        <Text>
          This link is not whole. Open it from the invitation again, or <Anchor href="/dashboard/log-in">log in</Anchor>
          .
        </Text>
      </AuthFrame>
    );
  }
  async function join({ password = '', code }: Record<string, string>) {
    await asksForCode(
      () => dashboardApi.POST('/auth/accept-invite', { body: { token: token!, password, ...(code && { code }) } }),
      () => setNeedsCode(true),
      code,
    );
  }
  return (
    <AuthFrame title="Join a team">
      <AuthForm label="Join" send={join} next="/dashboard/test">
        <PasswordInput
          name="password"
          label="Password"
          description={`Have you logged in here before? Then your password. Else choose one: ${PASSWORD_RULE.toLowerCase()}`}
          required
          autoComplete="current-password"
          autoFocus
        />
        {needsCode && <CodeInput />}
      </AuthForm>
    </AuthFrame>
  );
}

const CodeInput = () => (
  <TextInput
    name="code"
    label="Code"
    description="Six digits, or a recovery code"
    required
    autoComplete="one-time-code"
    autoFocus
  />
);

/** Two-step log-in is on: the field for the code appears. */
async function asksForCode(send: () => Promise<unknown>, onNeeded: () => void, code?: string): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (error instanceof Problem && error.code === 'totp_required') {
      onNeeded();
      if (!code) throw new Error('Now enter the code of your authenticator app, or a recovery code.');
    }
    throw error;
  }
}
