import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { dashboardApi } from '../api/dashboard-api';
import { ConfirmButton } from '../ui/confirm-button';
import { Dialog } from '../ui/dialog';
import { fieldsOf } from '../ui/form-fields';
import { ProblemAlert } from '../ui/problem-alert';
import { useAction } from '../ui/use-action';
import { useMe } from './session';

/** A whole new document, so that nothing of the account before stays in memory. */
const toAccount = () => location.assign('/dashboard/test');

/** The person's accounts: go to one, open another, leave this one. */
export default function AccountDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Your accounts">
      <Accounts onClose={onClose} />
    </Dialog>
  );
}

function Accounts({ onClose }: { onClose: () => void }) {
  const { account, accounts } = useMe();
  const goTo = useAction((id: string) => dashboardApi.POST('/accounts/{id}/switch', { params: { path: { id } } }));
  const open = useAction((name: string) => dashboardApi.POST('/accounts', { body: { name } }));
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    open.mutate(fieldsOf(event.currentTarget).name ?? '', { onSuccess: toAccount });
  }
  return (
    <Stack>
      <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {accounts.map(({ id, name, role, current }) => (
          <Group component="li" key={id} justify="space-between" wrap="nowrap">
            <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              <Text>{name}</Text>
              <Text size="xs" c="dimmed">
                {role}
              </Text>
            </div>
            {current ? (
              <Badge variant="outline">shown</Badge>
            ) : (
              <Button
                variant="default"
                size="xs"
                loading={goTo.isPending && goTo.variables === id}
                aria-label={`Go to ${name}`}
                onClick={() => goTo.mutate(id, { onSuccess: toAccount })}
              >
                Go there
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      <ProblemAlert error={goTo.error} />
      <form onSubmit={submit}>
        <Stack gap="xs">
          <TextInput
            name="name"
            label="Open another account"
            description="Empty, with books of its own. You are its owner."
            placeholder="Business or team"
            required
            maxLength={100}
          />
          <ProblemAlert error={open.error} />
          <Group justify="space-between">
            <ConfirmButton
              label="Leave this account"
              question={`Leave ${account.name}?`}
              explanation="Your sessions in it end. To come back you need an invitation."
              done="You have left."
              work={async () => {
                await dashboardApi.POST('/accounts/leave', { body: { account_id: account.id } });
                toAccount();
              }}
            />
            <Group gap="xs">
              <Button variant="default" size="xs" onClick={onClose}>
                Close
              </Button>
              <Button type="submit" size="xs" loading={open.isPending}>
                Open it
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}
