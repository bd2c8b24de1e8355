import { Button } from '@mantine/core';
import { useState } from 'react';
import type { DashboardSchemas } from '../../../api/dashboard-api';
import { useOperators } from '../../../session/cells';
import { DataTable } from '../../../ui/data-table';
import { Dialog } from '../../../ui/dialog';
import { useAction } from '../../../ui/use-action';
import { Ago } from '../../../ui/when';
import { InCell } from '../in-cell';
import { ReasonForm } from '../reason-form';

type Person = DashboardSchemas['AccountPerson'];

/** Who is in its team, and whether they are there now. */
export function AccountPeople({ accountId, people }: { accountId: string; people: readonly Person[] }) {
  const [leaving, setLeaving] = useState<Person | null>(null);
  const close = () => setLeaving(null);
  return (
    <>
      <DataTable
        caption="People"
        rows={people}
        keyOf={({ email }) => email}
        empty="Nobody is in its team."
        columns={[
          { title: 'E-mail', place: 'what', cell: ({ email }) => email },
          { title: 'Name', cell: ({ name, user_id }) => (user_id === null ? 'invited' : (name ?? '–')) },
          { title: 'Role', place: 'who', cell: ({ role, operator }) => (operator ? `${role}, operator` : role) },
          { title: 'Sessions', cell: ({ sessions }) => sessions, numeric: true },
          {
            title: 'Seen',
            place: 'time',
            cell: ({ last_seen_at }) => (last_seen_at ? <Ago at={last_seen_at} /> : '–'),
          },
          {
            title: 'Actions',
            place: 'state',
            cell: (person) =>
              person.sessions > 0 && (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`End sessions of ${person.email}`}
                  onClick={() => setLeaving(person)}
                >
                  End sessions
                </Button>
              ),
          },
        ]}
      />
      <Dialog opened={leaving !== null} onClose={close} title={`End the sessions of ${leaving?.email ?? ''}?`}>
        {leaving?.user_id && <EndSessions accountId={accountId} userId={leaving.user_id} onEnded={close} />}
      </Dialog>
    </>
  );
}

interface EndSessionsProps {
  readonly accountId: string;
  readonly userId: string;
  readonly onEnded: () => void;
}

function EndSessions({ accountId, userId, onEnded }: EndSessionsProps) {
  const operators = useOperators();
  const ending = useAction(
    (reason: string) =>
      operators.api.POST('/operators/accounts/{id}/people/{user_id}/end-sessions', {
        params: { path: { id: accountId, user_id: userId } },
        body: { reason },
      }),
    'The sessions are ended.',
  );
  return (
    <ReasonForm
      action={ending}
      description={
        <>
          They are signed out at once and can log in again. Goes to the account’s audit log.
          <InCell />
        </>
      }
      button="End sessions"
      color="red"
      onDone={onEnded}
    />
  );
}
