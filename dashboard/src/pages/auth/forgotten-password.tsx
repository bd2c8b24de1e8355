import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { AnchorLink } from '../../ui/links';
import { ProblemAlert } from '../../ui/problem-alert';
import { AuthFrame, PASSWORD_RULE } from './auth-pages';

type MailWay = DashboardSchemas['MailWay']['mail'];

/** What to do next, by what becomes of mail here. It says nothing about the address. */
const NEXT: Readonly<Record<MailWay, ReactNode>> = {
  smtp: 'If somebody with this address is in a team here, a link is on its way to them. It is good for 30 minutes, once.',
  mailbox: (
    <>
      This service runs on your own machine and sends no mail. If somebody has the address, their link is in the{' '}
      <AnchorLink inherit to="/mailbox">
        mailbox
      </AnchorLink>
      .
    </>
  ),
  none: (
    <>
      This service sends no mail. Ask whoever runs it for a new password: <code>npm run duka -- user:recover</code>.
    </>
  ),
};

export function ForgotPasswordPage() {
  const ask = useMutation({
    mutationFn: (email: string) => bodyOf(dashboardApi.POST('/auth/forgot-password', { body: { email } })),
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { email = '' } = fieldsOf(event.currentTarget);
    ask.mutate(email);
  }
  return (
    <AuthFrame title="Forgot your password?">
      <form onSubmit={submit}>
        <Stack>
          <TextInput name="email" label="E-mail" type="email" required autoComplete="username" autoFocus />
          <ProblemAlert error={ask.error} />
          {ask.data && (
            <Alert role="status" title="What happens next">
              {NEXT[ask.data.mail]}
            </Alert>
          )}
          <Button type="submit" loading={ask.isPending} fullWidth>
            Send me a link
          </Button>
        </Stack>
      </form>
      <Text size="sm" mt="md">
        <AnchorLink to="/log-in">Back to the log-in</AnchorLink>
      </Text>
    </AuthFrame>
  );
}

/** The token stands behind `#`, which browsers keep to themselves; once it is read, it is in no address. */
function useToken(): string | null {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token'));
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  return token;
}

export function ResetPasswordPage() {
  const token = useToken();
  const reset = useMutation({
    mutationFn: (password: string) =>
      dashboardApi.POST('/auth/reset-password', { body: { token: token ?? '', password } }),
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { password = '' } = fieldsOf(event.currentTarget);
    reset.mutate(password);
  }
  if (!token)
    return (
      <AuthFrame title="Choose a new password">
        <Text>
          This link is not whole. Open it from the mail again, or{' '}
          <AnchorLink to="/forgot-password">ask for another</AnchorLink>.
        </Text>
      </AuthFrame>
    );
  if (reset.isSuccess)
    return (
      <AuthFrame title="Choose a new password">
        <Stack>
          <Alert role="status" title="Your password is changed">
            Every session of yours has ended. Log in with the new password.
          </Alert>
          <AnchorLink to="/log-in">Log in</AnchorLink>
        </Stack>
      </AuthFrame>
    );
  return (
    <AuthFrame title="Choose a new password">
      <form onSubmit={submit}>
        <Stack>
          <PasswordInput
            name="password"
            label="New password"
            description={`${PASSWORD_RULE} With two-step log-in 8 are enough.`}
            required
            minLength={8}
            autoComplete="new-password"
            autoFocus
          />
          <ProblemAlert error={reset.error} />
          <Button type="submit" loading={reset.isPending} fullWidth>
            Change password
          </Button>
        </Stack>
      </form>
      <Text size="sm" mt="md">
        Does the link not work any more? <AnchorLink to="/forgot-password">Ask for another</AnchorLink>
      </Text>
    </AuthFrame>
  );
}
