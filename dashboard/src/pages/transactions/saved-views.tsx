import { Badge, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { parseWords, stringifyWords } from '../../search';
import { AnchorLink } from '../../ui/links';
import { ListTool } from '../../ui/list-tool';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';

type View = DashboardSchemas['SavedView'];

const PAGE = 'transactions';

interface SavedViewsProps {
  /** What the address asks for now. */
  readonly filters: Readonly<Record<string, string | undefined>>;
}

/** Filters that got a name: one's own, and what colleagues share. */
export function SavedViews({ filters }: SavedViewsProps) {
  const { data } = useQuery({
    queryKey: ['views', PAGE],
    queryFn: () => bodyOf(dashboardApi.GET('/views', { params: { query: { page: PAGE } } })),
  });
  const views = data?.data ?? [];
  const search = stringifyWords(filters).slice(1);
  return (
    <ListTool label={views.length === 0 ? 'Views' : `Views (${views.length})`}>
      <Stack gap="sm">
        {views.length === 0 && <Text size="sm">No view has a name yet.</Text>}
        {views.map((view) => (
          <ViewLine key={view.id} view={view} />
        ))}
        {search === '' ? (
          <Text size="sm" c="dimmed">
            Filter the list to save it as a view.
          </Text>
        ) : (
          <SaveView search={search} />
        )}
      </Stack>
    </ListTool>
  );
}

function ViewLine({ view }: { view: View }) {
  const [name, setName] = useState<string | null>(null);
  const path = { params: { path: { id: view.id } } };
  const remove = useAction(() => dashboardApi.DELETE('/views/{id}', path), `The view ${view.name} is gone.`);
  const rename = useAction(
    (wanted: string) => bodyOf(dashboardApi.PATCH('/views/{id}', { ...path, body: { name: wanted } })),
    'The view has a new name.',
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate(name?.trim() ?? '', { onSuccess: () => setName(null) });
  };
  if (name !== null)
    return (
      <form onSubmit={onSubmit}>
        <Group gap="xs" align="flex-end">
          <TextInput
            label={`New name of ${view.name}`}
            size="xs"
            required
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" size="xs" loading={rename.isPending}>
            Rename
          </Button>
          <Button variant="subtle" size="xs" onClick={() => setName(null)}>
            Cancel
          </Button>
        </Group>
        <ProblemAlert error={rename.error} />
      </form>
    );
  return (
    <div>
      <div className="view-line">
        <AnchorLink to="." search={parseWords(view.search) as never}>
          {view.name}
        </AnchorLink>
        <Group gap={4} wrap="nowrap">
          {view.shared && <Badge className="tone">{view.mine ? 'shared' : `by ${view.by}`}</Badge>}
          {view.mine && (
            <>
              <Button
                variant="subtle"
                size="compact-xs"
                aria-label={`Rename ${view.name}`}
                onClick={() => setName(view.name)}
              >
                Rename
              </Button>
              <Button
                variant="subtle"
                size="compact-xs"
                aria-label={`Delete ${view.name}`}
                loading={remove.isPending}
                onClick={() => remove.mutate(undefined)}
              >
                Delete
              </Button>
            </>
          )}
        </Group>
      </div>
      <ProblemAlert error={remove.error} />
    </div>
  );
}

function SaveView({ search }: { search: string }) {
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const save = useAction(
    (wanted: string) => bodyOf(dashboardApi.PUT('/views', { body: { page: PAGE, name: wanted, search, shared } })),
    'The view is saved.',
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(name.trim(), { onSuccess: () => setName('') });
  };
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="xs">
        <TextInput
          label="Save this view as"
          size="sm"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Checkbox
          label="Shared with the team"
          checked={shared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
        <ProblemAlert error={save.error} />
        <Button type="submit" size="sm" loading={save.isPending}>
          Save view
        </Button>
      </Stack>
    </form>
  );
}
