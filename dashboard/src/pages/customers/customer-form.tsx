import { Button, Group, SimpleGrid, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { ProblemAlert } from '../../ui/problem-alert';
import { SendingAlert } from '../../ui/sending-alert';
import { useAction } from '../../ui/use-action';
import { useApi, useMode } from '../../ui/use-mode';
import { useSending } from '../../ui/use-sending';
import { CustomerFields, DocumentFields, documentOf, personOf } from './customer-fields';

/** Somebody new who is to hold cards. */
export function CustomerForm({ onDone }: { onDone: () => void }) {
  const mode = useMode();
  const api = useApi();
  const navigate = useNavigate();
  const create = useSending(
    'customer',
    (fields: Record<string, string>, key) =>
      bodyOf(
        api.POST('/v4/customers', {
          params: { header: { 'Idempotency-Key': key } },
          body: { ...personOf(fields), identity: documentOf(fields) },
        }),
      ),
    'The customer is registered.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    create.mutate(fieldsOf(event.currentTarget), {
      onSuccess: ({ id }) => void navigate({ to: '/$mode/cards/customers/$id', params: { mode, id } }),
    });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <CustomerFields />
          <DocumentFields />
        </SimpleGrid>
        <SendingAlert sending={create} onDone={onDone} />
        <Group justify="flex-end">
          <Button type="submit" {...create.button}>
            Register
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Changes of who somebody is; another name or birthday has to be verified anew. */
export function EditCustomerForm({ customer, onDone }: { customer: Schemas['Customer']; onDone: () => void }) {
  const api = useApi();
  const change = useAction(
    (fields: Record<string, string>) =>
      bodyOf(api.PATCH('/v4/customers/{id}', { params: { path: { id: customer.id } }, body: personOf(fields) })),
    'The customer is changed.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    change.mutate(fieldsOf(event.currentTarget), { onSuccess: onDone });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <CustomerFields known={customer} />
        </SimpleGrid>
        <ProblemAlert error={change.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={change.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
