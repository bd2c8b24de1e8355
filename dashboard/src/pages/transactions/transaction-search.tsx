import { Button, Group, TextInput } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { dashboardApi } from '../../api/dashboard-api';
import { bodyOf, type Schemas } from '../../api/public-api';
import { DataTable, Loading } from '../../ui/data-table';
import { fieldsOf } from '../../ui/form-fields';
import { ProblemAlert } from '../../ui/problem-alert';
import { useApi, useMode } from '../../ui/use-mode';
import { TRANSACTION_COLUMNS } from './transaction-table';

/** Finds by id, reference, number or amount, and among the newest by parts of them. */
export function TransactionSearch({ query }: { query: string | undefined }) {
  const navigate = useNavigate();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { q } = fieldsOf(event.currentTarget);
    void navigate({ to: '.', search: (q ? { q } : {}) as never });
  };
  return (
    <>
      <form onSubmit={submit} role="search" aria-label="Find a transaction" key={query}>
        <Group align="flex-end" gap="xs">
          <TextInput
            name="q"
            label="Find by id, reference, phone number or amount"
            description="A part of at least 3 letters is looked for among the newest 20,000"
            defaultValue={query}
            maw={420}
            className="grow"
          />
          <Button type="submit">Find</Button>
          {query && (
            <Button variant="subtle" onClick={() => void navigate({ to: '.', search: {} as never })}>
              Show all
            </Button>
          )}
        </Group>
      </form>
      {query && <Found query={query} />}
    </>
  );
}

function Found({ query }: { query: string }) {
  const mode = useMode();
  const found = useQuery({
    queryKey: [mode, 'search', query],
    queryFn: () => bodyOf(dashboardApi.GET('/search', { params: { query: { mode, q: query, type: 'transaction' } } })),
  });
  const api = useApi();
  const hits = found.data?.data.flatMap(({ data }) => data.filter((hit) => hit.mode === mode)) ?? [];
  const rows = useQueries({
    queries: hits.map(({ id }) => ({
      queryKey: [mode, 'transaction', id],
      queryFn: () => bodyOf(api.GET('/v4/transactions/{id}', { params: { path: { id } } })),
    })),
    combine: (results) => results.flatMap(({ data }) => (data ? [data as Schemas['Transaction']] : [])),
  });
  if (found.isPending) return <Loading label="search" />;
  if (found.error) return <ProblemAlert error={found.error} />;
  return (
    <DataTable
      caption={`Found for ${query}`}
      rows={rows}
      keyOf={({ id }) => id ?? ''}
      empty={`Nothing found for “${query}” in ${mode} mode.`}
      columns={TRANSACTION_COLUMNS}
    />
  );
}
