import { Button, Checkbox, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ROUTED_PRODUCTS } from '../../../../../src/vocabulary/products';
import type { DashboardSchemas } from '../../../api/dashboard-api';
import { bodyOf } from '../../../api/public-api';
import { useOperators } from '../../../session/cells';
import { fieldsOf } from '../../../ui/form-fields';
import { ProblemAlert } from '../../../ui/problem-alert';
import { useAction } from '../../../ui/use-action';

export type Incident = DashboardSchemas['ToldIncident'];

const TITLE_MAX = 120;
const NOTE_MAX = 2_000;
const STATES = ['investigating', 'identified', 'monitoring'] as const satisfies readonly Incident['state'][];

const noteField = (description: string) => (
  <Textarea name="note" label="Note" description={description} required maxLength={NOTE_MAX} autosize minRows={3} />
);

/** Tells partners what does not work. */
export function OpenIncidentForm({
  product,
  network,
  onOpened,
}: {
  product?: string | undefined;
  network?: string | undefined;
  onOpened: (incident: Incident) => void;
}) {
  const operators = useOperators();
  const [products, setProducts] = useState(product === undefined ? [] : [product]);
  const opening = useAction(
    (body: DashboardSchemas['OpenIncident']) => bodyOf(operators.api.POST('/operators/incidents', { body })),
    'The incident is open: every partner reads it.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { title = '', note = '', state = '', networks = '' } = fieldsOf(event.currentTarget);
    const names = networks.split(',').map((name) => name.trim());
    const body = {
      title,
      note,
      state: state as (typeof STATES)[number],
      products: products as DashboardSchemas['OpenIncident']['products'],
      networks: names.filter((name) => name !== ''),
    };
    if (title !== '' && note !== '') opening.mutate(body, { onSuccess: onOpened });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput name="title" label="Title" required maxLength={TITLE_MAX} data-autofocus />
        {noteField('Everybody reads it, without a log-in, too: what does not work, and what one can do')}
        <NativeSelect name="state" label="State" data={[...STATES]} />
        <Checkbox.Group label="Products" description="None: all" value={products} onChange={setProducts}>
          <Group gap="sm" mt={4}>
            {ROUTED_PRODUCTS.map((word) => (
              <Checkbox key={word} value={word} label={word.replaceAll('_', ' ')} />
            ))}
          </Group>
        </Checkbox.Group>
        <TextInput
          name="networks"
          label="Networks"
          description="By commas, such as mtn, glo. Empty: all"
          defaultValue={network === '*' ? '' : (network ?? '')}
        />
        <ProblemAlert error={opening.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={opening.isPending}>
            Tell everybody
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Adds to what was said. */
export function UpdateIncidentForm({ id, state: last }: Pick<Incident, 'id' | 'state'>) {
  const operators = useOperators();
  const [state, setState] = useState<Incident['state']>(last);
  const adding = useAction(
    (body: DashboardSchemas['UpdateIncident']) =>
      operators.api.POST('/operators/incidents/{id}/updates', { params: { path: { id } }, body }),
    state === 'resolved' ? 'The incident is over.' : 'The note is added.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const { note = '' } = fieldsOf(form);
    if (note !== '') adding.mutate({ state, note }, { onSuccess: () => form.reset() });
  }
  return (
    <form onSubmit={submit}>
      <Stack maw={640}>
        <NativeSelect
          name="state"
          label="State"
          data={[...STATES, 'resolved']}
          value={state}
          onChange={(event) => setState(event.currentTarget.value as Incident['state'])}
        />
        {noteField('What is new. What was said before stays')}
        <ProblemAlert error={adding.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={adding.isPending}>
            {state === 'resolved' ? 'End the incident' : 'Add the note'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
