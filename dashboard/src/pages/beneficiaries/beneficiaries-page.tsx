import { Button, Modal } from '@mantine/core';
import { useNewForm } from '../../ui/use-new-form';
import { bodyOf } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { ConfirmButton } from '../../ui/confirm-button';
import { type Column, PagedTable } from '../../ui/data-table';
import { FilterBar, type FilterField } from '../../ui/filters';
import { useFilters } from '../../ui/use-filters';
import { IdLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { When } from '../../ui/when';
import { BeneficiaryForm, KINDS } from './beneficiary-form';
import type { Beneficiary } from './beneficiary-picker';

const FILTERS: readonly FilterField[] = [
  { name: 'q', label: 'Label, name or number' },
  { name: 'kind', label: 'Kind', options: KINDS.map((kind) => ({ value: kind, label: kind.replaceAll('_', ' ') })) },
];

/** The number by which somebody is paid, whatever it is of. */
function numberOf({ details }: Beneficiary): string {
  const { account_number, phone, customer_identifier, bank_code, biller_code, network } = details;
  const number = account_number ?? phone ?? customer_identifier;
  return [bank_code ?? biller_code ?? network, number].filter(Boolean).join(' ');
}

const COLUMNS: readonly Column<Beneficiary>[] = [
  { title: 'Label', cell: ({ label }) => <span className="label">{label}</span>, place: 'what' },
  { title: 'Kind', cell: ({ kind }) => kind.replaceAll('_', ' '), place: 'state' },
  {
    title: 'Paid at',
    cell: (beneficiary) =>
      beneficiary.kind === 'wallet' ? <IdLink id={String(beneficiary.details.wallet_id)} /> : numberOf(beneficiary),
    place: 'who',
  },
  { title: 'Name, as it was told', cell: ({ verified_name: name }) => name ?? '–' },
  { title: 'Id', cell: ({ id }) => <IdLink id={id} /> },
  { title: 'Last paid', cell: ({ last_used_at: at }) => (at ? <When at={at} /> : 'never'), place: 'time' },
];

export function BeneficiariesPage() {
  const mode = useMode();
  const api = useApi();
  const { q, kind: word } = useFilters();
  const kind = KINDS.find((known) => known === word);
  const { hasScope } = useMay();
  const mayWrite = hasScope('beneficiaries:write');
  const [adding, { open, close }] = useNewForm();
  const list = usePages([mode, 'beneficiaries', q, kind], (cursor) =>
    bodyOf(api.GET('/v4/beneficiaries', { params: { query: { q, kind, cursor } } })),
  );
  const columns = [
    ...COLUMNS,
    { title: 'Action', cell: (row: Beneficiary) => <Remove beneficiary={row} />, hidden: !mayWrite },
  ];
  return (
    <>
      <PageHead title="Beneficiaries">{mayWrite && <Button onClick={open}>New beneficiary</Button>}</PageHead>
      <FilterBar fields={FILTERS} />
      <PagedTable
        caption="Beneficiaries"
        list={list}
        keyOf={({ id }) => id}
        empty={
          q || kind
            ? 'Nobody matches.'
            : 'Nobody is kept yet. Keep whom you pay again and again: New beneficiary. The bank is asked for the name.'
        }
        columns={columns}
      />
      <Modal opened={adding} onClose={close} size="lg" title="New beneficiary">
        <BeneficiaryForm onDone={close} />
      </Modal>
    </>
  );
}

function Remove({ beneficiary: { id, label } }: { beneficiary: Beneficiary }) {
  const api = useApi();
  return (
    <ConfirmButton
      label="Remove"
      question={`Remove ${label}?`}
      explanation="Orders that name it are refused from now on. What was paid stays as it is."
      done="Removed."
      work={() => api.DELETE('/v4/beneficiaries/{id}', { params: { path: { id } } })}
    />
  );
}
