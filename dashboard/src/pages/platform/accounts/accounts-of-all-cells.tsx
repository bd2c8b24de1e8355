import { Stack, Text } from '@mantine/core';
import { bodyOf } from '../../../api/public-api';
import { type CellAnswer, useAllCells } from '../../../session/cells';
import { DataTable, Loading } from '../../../ui/data-table';
import { ProblemAlert } from '../../../ui/problem-alert';
import { useMode } from '../../../ui/use-mode';
import { WithoutCells } from '../cells/without-cells';
import { accountColumns, type AccountsAsked, type PlatformAccount } from './account-columns';

/** Of each cell the newest that fit the search: what is looked for is named more closely, or in its cell. */
const LIMIT = 100;

interface Found {
  readonly data: readonly PlatformAccount[];
  readonly next_cursor: string | null;
}

/** Accounts wherever they are; each leads to its cell. */
export function AccountsOfAllCells({ query }: { query: AccountsAsked }) {
  const mode = useMode();
  const { data, error, isPending } = useAllCells<Found>(['accounts', query], (api) =>
    bodyOf(api.GET('/operators/accounts', { params: { query: { ...query, limit: LIMIT } } })),
  );
  const [what, ...others] = accountColumns(mode);
  return (
    <Stack>
      <ProblemAlert error={error} />
      {isPending && <Loading label="Accounts" />}
      {data && <WithoutCells of={data} />}
      {data && (
        <DataTable
          caption="Accounts"
          rows={newestFirst(data)}
          keyOf={({ id }) => id}
          empty="No account is called so."
          columns={[what!, { title: 'Cell', place: 'amount', cell: ({ cell }) => cell }, ...others]}
        />
      )}
      {data && <OnlyNewest cells={data} />}
    </Stack>
  );
}

function OnlyNewest({ cells }: { cells: readonly CellAnswer<Found>[] }) {
  const names = cells.filter(({ answer }) => answer?.next_cursor).map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <Text size="sm">
      Of {names.join(' and ')} only the newest {LIMIT}: search more closely, or choose the cell.
    </Text>
  );
}

const newestFirst = (cells: readonly CellAnswer<Found>[]): readonly PlatformAccount[] =>
  cells
    .flatMap(({ name, answer }) => (answer?.data ?? []).map((account) => ({ ...account, cell: name })))
    .sort((a, b) => (a.id < b.id ? 1 : -1));
