import { bodyOf } from '../../../api/public-api';
import { useOperators, useSeveralCells } from '../../../session/cells';
import { PagedTable } from '../../../ui/data-table';
import { FilterBar, type FilterField } from '../../../ui/filters';
import { useFilters } from '../../../ui/use-filters';
import { AnchorLink } from '../../../ui/links';
import { PageHead } from '../../../ui/page-head';
import { useMode } from '../../../ui/use-mode';
import { usePages } from '../../../ui/use-pages';
import { accountColumns, type AccountsAsked, STATES } from './account-columns';
import { AccountsOfAllCells } from './accounts-of-all-cells';

const FIELDS: readonly FilterField[] = [
  { name: 'q', label: 'Name, id or e-mail' },
  { name: 'state', label: 'State', options: STATES },
];

/** Everybody who uses the platform. */
export function AccountsPage() {
  const { q, state: word, cells } = useFilters();
  const query = { q: q || undefined, state: STATES.find(({ value }) => value === word)?.value };
  const isOffered = useSeveralCells();
  const isOfAll = isOffered && cells === 'all';
  return (
    <>
      <PageHead title="Accounts">{isOffered && <CellsChoice isOfAll={isOfAll} />}</PageHead>
      <FilterBar fields={FIELDS} />
      {isOfAll ? <AccountsOfAllCells query={query} /> : <AccountsOfCell query={query} />}
    </>
  );
}

function CellsChoice({ isOfAll }: { isOfAll: boolean }) {
  return (
    <nav className="segments" aria-label="Accounts of">
      {[false, true].map((ofAll) => (
        <AnchorLink
          key={String(ofAll)}
          to="."
          search={((before: object) => ({ ...before, cells: ofAll ? 'all' : 'shown' })) as never}
          aria-current={ofAll === isOfAll ? 'true' : undefined}
          underline="never"
        >
          {ofAll ? 'All cells' : 'This cell'}
        </AnchorLink>
      ))}
    </nav>
  );
}

function AccountsOfCell({ query }: { query: AccountsAsked }) {
  const mode = useMode();
  const operators = useOperators();
  const list = usePages([...operators.key, 'accounts', query], (cursor) =>
    bodyOf(operators.api.GET('/operators/accounts', { params: { query: { ...query, cursor } } })),
  );
  return (
    <PagedTable
      caption="Accounts"
      list={list}
      keyOf={({ id }) => id}
      empty="No account is called so."
      columns={accountColumns(mode)}
    />
  );
}
