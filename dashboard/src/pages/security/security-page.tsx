import { Button, Card, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { useMe } from '../../session/session';
import { ConfirmButton } from '../../ui/confirm-button';
import { DataTable, Loading } from '../../ui/data-table';
import { fieldsOf } from '../../ui/form-fields';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { Ago } from '../../ui/when';
import { Passkeys } from './passkeys';
import { TwoStep } from './two-step';

export function SecurityPage() {
  return (
    <>
      <PageHead title="Security" />
      <Stack gap="lg">
        <Sessions />
        <Passkeys />
        <TwoStep />
        <ChangePassword />
      </Stack>
    </>
  );
}

function Sessions() {
  const { data, error } = useQuery({ queryKey: ['sessions'], queryFn: () => bodyOf(dashboardApi.GET('/sessions')) });
  async function everywhere() {
    await dashboardApi.POST('/auth/log-out-everywhere');
    location.assign('/dashboard/log-in');
  }
  return (
    <Card withBorder component="section" aria-labelledby="sessions-title">
      <div className="section-head">
        <Title order={2} size="h4" id="sessions-title">
          Sessions
        </Title>
        <ConfirmButton
          label="Sign out everywhere"
          question="Sign out everywhere?"
          explanation="Every session of yours ends, this one too. API keys go on."
          done="Signed out."
          work={everywhere}
        />
      </div>
      <ProblemAlert error={error} />
      {!data && !error && <Loading label="sessions" />}
      {data && (
        <DataTable
          caption="Sessions"
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Browser',
              cell: ({ user_agent, current }) => `${user_agent ?? 'unknown'}${current ? ' (this one)' : ''}`,
            },
            { title: 'From', cell: ({ ip }) => ip },
            { title: 'Last seen', cell: ({ last_seen_at }) => <Ago at={last_seen_at} /> },
            { title: 'Began', cell: ({ created_at }) => <Ago at={created_at} /> },
            {
              title: 'Actions',
              cell: ({ id, current }) =>
                current ? (
                  '–'
                ) : (
                  <ConfirmButton
                    label="End"
                    question="End this session?"
                    explanation="Its browser must log in again."
                    done="Ended."
                    work={() => dashboardApi.DELETE('/sessions/{id}', { params: { path: { id } } })}
                  />
                ),
            },
          ]}
        />
      )}
    </Card>
  );
}

function ChangePassword() {
  const { user } = useMe();
  const change = useAction(
    (passwords: DashboardSchemas['Passwords']) => dashboardApi.PUT('/password', { body: passwords }),
    'The password is changed.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const { current = '', next = '', code } = fieldsOf(form);
    change.mutate({ current, next, ...(code && { code }) }, { onSuccess: () => form.reset() });
  }
  return (
    <Card withBorder component="section" aria-labelledby="password-title">
      <Title order={2} size="h4" id="password-title" mb="xs">
        Password
      </Title>
      <form onSubmit={submit}>
        <Stack maw={420}>
          <PasswordInput name="current" label="Password now" required autoComplete="current-password" />
          {user.totp_enabled && (
            <TextInput
              name="code"
              label="Code of your authenticator app"
              required
              autoComplete="one-time-code"
              inputMode="numeric"
            />
          )}
          <PasswordInput
            name="next"
            label="New password"
            description="At least 15 characters, or 8 with two-step log-in"
            required
            minLength={8}
            autoComplete="new-password"
          />
          <ProblemAlert error={change.error} />
          <Group>
            <Button type="submit" loading={change.isPending}>
              Change password
            </Button>
          </Group>
          <Text size="sm" c="dimmed">
            Your other sessions end.
          </Text>
        </Stack>
      </form>
    </Card>
  );
}
