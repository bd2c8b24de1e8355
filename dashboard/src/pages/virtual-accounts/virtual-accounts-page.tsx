import { Button, Modal } from '@mantine/core';
import { useNewForm } from '../../ui/use-new-form';
import { bodyOf } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { type Column, PagedTable } from '../../ui/data-table';
import { FilterBar, type FilterField } from '../../ui/filters';
import { useFilters } from '../../ui/use-filters';
import { isNarrowed } from '../../ui/list-filters';
import { AnchorLink, IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { StatusBadge } from '../../ui/status-badge';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { When } from '../../ui/when';
import { KINDS, type VirtualAccount } from './virtual-account';
import { VirtualAccountForm } from './virtual-account-form';

const STATUSES = [
  'pending',
  'active',
  'used',
  'expired',
  'closed',
  'failed',
] as const satisfies readonly VirtualAccount['status'][];
const FILTERS: readonly FilterField[] = [
  { name: 'status', label: 'Status', options: STATUSES, several: true },
  { name: 'kind', label: 'Kind', options: KINDS },
  { name: 'account_number', label: 'Account number', whole: true },
  { name: 'reference', label: 'Reference', whole: true },
  { name: 'wallet_id', label: 'Wallet', whole: true },
];

const COLUMNS: readonly Column<VirtualAccount>[] = [
  { title: 'Account', cell: (account) => <What account={account} />, place: 'what' },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} />, place: 'state' },
  { title: 'Kind', cell: ({ kind }) => kind.replaceAll('_', ' ') },
  {
    title: 'Expects',
    cell: ({ amount, currency }) =>
      amount === null ? `any ${currency}` : <span className="amount">{moneyText(amount, currency)}</span>,
    numeric: true,
    place: 'amount',
  },
  { title: 'Label', cell: ({ label, reference }) => label ?? reference ?? '–', place: 'who' },
  { title: 'Wallet', cell: ({ wallet_id: id }) => <IdLink id={id} /> },
  { title: 'Opened', cell: ({ created_at }) => <When at={created_at} />, place: 'time' },
];

export function VirtualAccountsPage() {
  const mode = useMode();
  const api = useApi();
  const { hasScope } = useMay();
  const [opening, { open, close }] = useNewForm();
  const { status, kind: word, account_number, reference, wallet_id } = useFilters();
  const kind = KINDS.find(({ value }) => value === word)?.value;
  const wanted = { status, kind, account_number, reference, wallet_id };
  const list = usePages([mode, 'virtual accounts', wanted], (cursor) =>
    bodyOf(api.GET('/v4/virtual-accounts', { params: { query: { ...wanted, cursor } } })),
  );
  return (
    <>
      <PageHead title="Virtual accounts">
        {hasScope('virtual_accounts:write') && <Button onClick={open}>New account number</Button>}
      </PageHead>
      <FilterBar fields={FILTERS} />
      <PagedTable
        caption="Virtual accounts"
        list={list}
        keyOf={({ id }) => id ?? ''}
        empty={
          isNarrowed(wanted)
            ? 'No account matches.'
            : 'No account numbers yet. Payers transfer to one, and a wallet of yours is credited: New account number.'
        }
        columns={COLUMNS}
      />
      <Modal opened={opening} onClose={close} title="New account number">
        <VirtualAccountForm onDone={close} />
      </Modal>
    </>
  );
}

function What({ account: { id, account_number: number, bank } }: { account: VirtualAccount }) {
  const mode = useMode();
  return (
    <AnchorLink inherit to="/$mode/virtual-accounts/$id" params={{ mode, id: id ?? '' }}>
      {number ? `${number} ${bank?.name ?? ''}` : 'not opened yet'}
    </AnchorLink>
  );
}
