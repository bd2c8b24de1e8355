import { Button, Card, Group, Modal, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { knowsPasskeys } from '../../session/passkey-button';
import { ConfirmButton } from '../../ui/confirm-button';
import { DataTable, Loading } from '../../ui/data-table';
import { fieldsOf } from '../../ui/form-fields';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { Ago } from '../../ui/when';

type Passkey = DashboardSchemas['Passkey'];

/** Log in with a finger, a face or the PIN of a device. */
export function Passkeys() {
  const { data, error } = useQuery({ queryKey: ['passkeys'], queryFn: () => bodyOf(dashboardApi.GET('/passkeys')) });
  return (
    <Card withBorder component="section" aria-labelledby="passkeys-title">
      <div className="section-head">
        <Title order={2} size="h4" id="passkeys-title">
          Passkeys
        </Title>
        {knowsPasskeys() && <Add />}
      </div>
      <Text size="sm" mb="sm">
        Log in, and confirm that it is you, with the finger, the face or the PIN of your device. A passkey stands for
        password and code together.{!knowsPasskeys() && ' Browsers have them under a name with https, or at localhost.'}
      </Text>
      <ProblemAlert error={error} />
      {!data && !error && <Loading label="passkeys" />}
      {data && (
        <DataTable
          caption="Passkeys"
          rows={data.data}
          keyOf={({ id }) => id}
          empty="No passkey yet."
          columns={[
            { title: 'Name', cell: ({ name }) => name, place: 'what' },
            { title: 'Kept', cell: ({ synced }) => (synced ? 'on several devices' : 'on one device'), place: 'who' },
            { title: 'Last used', cell: ({ last_used_at }) => <Ago at={last_used_at} />, place: 'time' },
            { title: 'Made', cell: ({ created_at }) => <Ago at={created_at} /> },
            { title: 'Actions', cell: (passkey) => <Actions {...passkey} />, place: 'state' },
          ]}
        />
      )}
    </Card>
  );
}

function Add() {
  const [opened, { open, close }] = useDisclosure();
  const add = useAction(async (name: string) => {
    const { makePasskey } = await import('../../session/passkeys');
    return makePasskey(name);
  }, 'The passkey is yours. We sent you a mail about it.');
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        Add a passkey
      </Button>
      <NameDialog
        title="Add a passkey"
        label="Continue"
        opened={opened}
        close={close}
        save={add}
        hint="How you tell it from others. Your browser asks for the device next."
      />
    </>
  );
}

function Actions({ id, name }: Passkey) {
  const [opened, { open, close }] = useDisclosure();
  const path = { id };
  const rename = useAction(
    (next: string) => dashboardApi.PATCH('/passkeys/{id}', { params: { path }, body: { name: next } }),
    'Renamed.',
  );
  return (
    <Group gap="xs" wrap="nowrap">
      <Button variant="default" size="xs" onClick={open} aria-label={`Rename ${name}`}>
        Rename
      </Button>
      <NameDialog title="Rename the passkey" label="Rename" opened={opened} close={close} save={rename} name={name} />
      <ConfirmButton
        label="Remove"
        aria-label={`Remove ${name}`}
        question={`Remove the passkey ${name}?`}
        explanation="It lets nobody in any more, and your other sessions end. Remove it from your device, too."
        done="Removed."
        work={() => dashboardApi.DELETE('/passkeys/{id}', { params: { path } })}
      />
    </Group>
  );
}

interface NameDialogProps {
  readonly title: string;
  readonly label: string;
  readonly opened: boolean;
  readonly close: () => void;
  readonly save: ReturnType<typeof useAction<string, unknown>>;
  readonly name?: string;
  readonly hint?: string;
}

function NameDialog({ title, label, opened, close, save, name, hint }: NameDialogProps) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    save.mutate(fieldsOf(event.currentTarget).name ?? '', { onSuccess: close });
  }
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            name="name"
            label="Name"
            description={hint}
            defaultValue={name}
            required
            maxLength={100}
            data-autofocus
          />
          <ProblemAlert error={save.error} />
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending}>
              {label}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
