import { Alert, Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { dashboardApi, type DashboardSchemas, type Role } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { useMe } from '../../session/session';
import { useMay } from '../../session/use-may';
import { ConfirmButton } from '../../ui/confirm-button';
import { CopyField } from '../../ui/copy-field';
import { DataTable, Loading } from '../../ui/data-table';
import { fieldsOf } from '../../ui/form-fields';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { Invitations, Rename, Roles } from './team-parts';

type Member = DashboardSchemas['Member'];
type Invitation = DashboardSchemas['Invitation'];

const ROLES = ['owner', 'admin', 'developer', 'finance', 'support'] as const satisfies readonly Role[];

export function TeamPage() {
  const { hasPermission } = useMay();
  const [inviting, { open, close }] = useDisclosure();
  const [made, setMade] = useState<Invitation | null>(null);
  const team = useQuery({ queryKey: ['team'], queryFn: () => bodyOf(dashboardApi.GET('/team')) });
  const show = (invitation: Invitation) => {
    close();
    setMade(invitation);
  };
  return (
    <>
      <PageHead title="Team">{hasPermission('team:write') && <Button onClick={open}>Invite</Button>}</PageHead>
      <Stack>
        {made && (
          <Alert
            variant="outline"
            color="teal"
            title={made.invite_url ? `Send this link to ${made.user.name}` : 'The invitation is sent'}
            withCloseButton
            closeButtonLabel="Close"
            onClose={() => setMade(null)}
          >
            {made.invite_url ? (
              <CopyField label="Invitation" value={new URL(made.invite_url, location.origin).href} />
            ) : (
              `${made.user.name} finds a link at ${made.user.email}.`
            )}
          </Alert>
        )}
        <ProblemAlert error={team.error} />
        {team.isPending && <Loading label="team" />}
        {team.data && <Members members={team.data.data.filter(({ status }) => status === 'active')} />}
        {team.data && (
          <Invitations invited={team.data.data.filter(({ status }) => status === 'invited')} onMade={show} />
        )}
        <Roles />
      </Stack>
      <Modal opened={inviting} onClose={close} title="Invite somebody">
        <InviteForm onMade={show} />
      </Modal>
    </>
  );
}

function Members({ members }: { members: readonly Member[] }) {
  const { user } = useMe();
  const mayWrite = useMay().hasPermission('team:write');
  const change = useAction(
    ({ id, role }: { id: string; role: Role }) =>
      dashboardApi.PATCH('/team/{id}', { params: { path: { id } }, body: { role } }),
    'The role is changed.',
  );
  return (
    <>
      <ProblemAlert error={change.error} />
      <DataTable
        caption="Team"
        rows={members}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Name', cell: ({ user_id, name }) => (user_id === user.id ? `${name} (you)` : name), place: 'what' },
          { title: 'E-mail', cell: ({ email }) => email, place: 'who' },
          {
            title: 'Role',
            place: 'amount',
            cell: ({ id, name, role }) =>
              mayWrite ? (
                <NativeSelect
                  size="xs"
                  aria-label={`Role of ${name}`}
                  data={[...ROLES]}
                  value={role}
                  disabled={change.isPending}
                  onChange={(event) => change.mutate({ id, role: event.currentTarget.value as Role })}
                />
              ) : (
                role
              ),
          },
          {
            title: 'Actions',
            hidden: !mayWrite,
            place: 'state',
            cell: ({ id, name }) => (
              <Group gap="xs" wrap="nowrap">
                <Rename id={id} name={name} />
                <ConfirmButton
                  label="Remove"
                  aria-label={`Remove ${name}`}
                  question={`Remove ${name}?`}
                  explanation="Their sessions in this account end at once. Other accounts of theirs are none of it."
                  done="Removed."
                  work={() => dashboardApi.DELETE('/team/{id}', { params: { path: { id } } })}
                />
              </Group>
            ),
          },
        ]}
      />
    </>
  );
}

function InviteForm({ onMade }: { onMade: (invitation: Invitation) => void }) {
  const invite = useAction(
    (invited: DashboardSchemas['Invite']) => bodyOf(dashboardApi.POST('/team', { body: invited })),
    'Invited.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { name = '', email = '', role } = fieldsOf(event.currentTarget);
    invite.mutate({ name, email, role: role as Role }, { onSuccess: onMade });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput name="name" label="Name" required data-autofocus />
        <TextInput name="email" label="E-mail" type="email" required />
        <NativeSelect name="role" label="Role" data={[...ROLES]} defaultValue="developer" />
        <ProblemAlert error={invite.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={invite.isPending}>
            Invite
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
