import { Button, Group, Modal, Stack, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { FormEvent } from 'react';
import { dashboardApi, type DashboardSchemas, type Role } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { ConfirmButton } from '../../ui/confirm-button';
import { DataTable } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { fieldsOf } from '../../ui/form-fields';
import { ProblemAlert } from '../../ui/problem-alert';
import { timeTextIn } from '../../ui/time';
import { useAction } from '../../ui/use-action';
import { useTimeZone } from '../../ui/use-time-zone';

type Member = DashboardSchemas['Member'];
type Invitation = DashboardSchemas['Invitation'];

/** A member, as this team knows them. */
export function Rename({ id, name }: Pick<Member, 'id' | 'name'>) {
  const [opened, { open, close }] = useDisclosure();
  const rename = useAction(
    (next: string) => dashboardApi.PATCH('/team/{id}', { params: { path: { id } }, body: { name: next } }),
    'Renamed.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    rename.mutate(fieldsOf(event.currentTarget).name ?? '', { onSuccess: close });
  }
  return (
    <>
      <Button variant="default" size="xs" onClick={open} aria-label={`Rename ${name}`}>
        Rename
      </Button>
      <Modal opened={opened} onClose={close} title={`Rename ${name}`}>
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              name="name"
              label="Name"
              description="As this team knows them."
              defaultValue={name}
              required
              maxLength={100}
              data-autofocus
            />
            <ProblemAlert error={rename.error} />
            <Group justify="flex-end">
              <Button type="submit" loading={rename.isPending}>
                Rename
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}

interface InvitationsProps {
  readonly invited: readonly Member[];
  readonly onMade: (invitation: Invitation) => void;
}

/** Who has not come yet, and until when their link lets them in. */
export function Invitations({ invited, onMade }: InvitationsProps) {
  const mayWrite = useMay().hasPermission('team:write');
  const zone = useTimeZone() ?? 'UTC';
  const resend = useAction(
    (id: string) => bodyOf(dashboardApi.POST('/team/{id}/resend', { params: { path: { id } } })),
    'There is a new link; the one of before is worth nothing.',
  );
  const until = ({ invited_until }: Member) => {
    if (invited_until === null) return '–';
    const isOver = Date.parse(invited_until) < Date.now();
    return `${isOver ? 'over since' : 'good until'} ${timeTextIn(zone, invited_until)}`;
  };
  return (
    <section aria-labelledby="invitations-title">
      <Title order={2} size="h4" mb="xs" id="invitations-title">
        Invitations
      </Title>
      <ProblemAlert error={resend.error} />
      <DataTable
        caption="Invitations"
        rows={invited}
        keyOf={({ id }) => id}
        empty="Nobody is invited."
        columns={[
          { title: 'Name', cell: ({ name }) => name, place: 'what' },
          { title: 'E-mail', cell: ({ email }) => email, place: 'who' },
          { title: 'Role', cell: ({ role }) => role, place: 'amount' },
          { title: 'Link', cell: until, place: 'time' },
          {
            title: 'Actions',
            hidden: !mayWrite,
            place: 'state',
            cell: ({ id, name }) => (
              <Group gap="xs" wrap="nowrap">
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Send again to ${name}`}
                  loading={resend.isPending && resend.variables === id}
                  onClick={() => resend.mutate(id, { onSuccess: onMade })}
                >
                  Send again
                </Button>
                <ConfirmButton
                  label="Withdraw"
                  aria-label={`Withdraw the invitation of ${name}`}
                  question={`Withdraw the invitation of ${name}?`}
                  explanation="Its link lets nobody in any more."
                  done="Withdrawn."
                  work={() => dashboardApi.DELETE('/team/{id}', { params: { path: { id } } })}
                />
              </Group>
            ),
          },
        ]}
      />
    </section>
  );
}

const MAY: readonly (readonly [Role, string])[] = [
  ['owner', 'everything, and who else is an owner'],
  ['admin', 'everything but owners'],
  ['developer', 'the whole sandbox; in live mode looks at data and sets up webhooks'],
  ['finance', 'looks at money, the team and the audit log'],
  ['support', 'looks at money and requests; no ledger lines, no audit log'],
];

/** What each role is for. */
export function Roles() {
  return (
    <section aria-labelledby="roles-title">
      <Title order={2} size="h4" mb="xs" id="roles-title">
        Roles
      </Title>
      <Facts items={MAY} />
    </section>
  );
}
