import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { FormEvent } from 'react';
import { bodyOf } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { useApi } from '../../ui/use-mode';

const LABEL_MAX = 100;

export function CardLabel({ id, label }: { id: string; label: string | null }) {
  const api = useApi();
  const [opened, { open, close }] = useDisclosure();
  const change = useAction(
    (next: string | null) => bodyOf(api.PATCH('/v4/cards/{id}', { params: { path: { id } }, body: { label: next } })),
    'The label is changed.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    change.mutate(fieldsOf(event.currentTarget).label || null, { onSuccess: close });
  }
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Rename
      </Button>
      <Modal opened={opened} onClose={close} title="Label of the card">
        <form onSubmit={submit}>
          <TextInput
            name="label"
            label="Label"
            description="What it is for, as your team calls it. Merchants don't see it."
            defaultValue={label ?? ''}
            maxLength={LABEL_MAX}
            data-autofocus
          />
          <ProblemAlert error={change.error} />
          <Group justify="flex-end" mt="md">
            <Button type="submit" loading={change.isPending}>
              Save
            </Button>
          </Group>
        </form>
      </Modal>
    </>
  );
}
