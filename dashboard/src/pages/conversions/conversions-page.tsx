import { Button, Modal } from '@mantine/core';
import { useNewForm } from '../../ui/use-new-form';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { type Column, PagedTable } from '../../ui/data-table';
import { IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { When } from '../../ui/when';
import { ConversionForm } from './conversion-form';

type Conversion = Schemas['Conversion'];

const COLUMNS: readonly Column<Conversion>[] = [
  {
    title: 'Sold',
    cell: ({ sell_amount: amount, from_currency: currency }) => (
      <span className="amount">− {moneyText(amount, currency)}</span>
    ),
    numeric: true,
    place: 'what',
  },
  {
    title: 'Bought',
    cell: ({ buy_amount: amount, to_currency: currency }) => (
      <span className="amount">+ {moneyText(amount, currency)}</span>
    ),
    numeric: true,
    place: 'amount',
  },
  { title: 'Rate', cell: ({ rate }) => rate, place: 'who' },
  { title: 'Fee', cell: ({ fee, from_currency }) => moneyText(fee, from_currency), numeric: true },
  { title: 'From', cell: ({ from_wallet: id }) => <IdLink id={id} /> },
  { title: 'To', cell: ({ to_wallet: id }) => <IdLink id={id} /> },
  { title: 'Transaction', cell: ({ transactions: { debit } }) => <IdLink id={debit} /> },
  { title: 'At', cell: ({ created_at }) => <When at={created_at} />, place: 'time' },
];

export function ConversionsPage() {
  const mode = useMode();
  const api = useApi();
  const { hasScope } = useMay();
  const [converting, { open, close }] = useNewForm();
  const list = usePages([mode, 'conversions'], (cursor) =>
    bodyOf(api.GET('/v4/conversions', { params: { query: { cursor } } })),
  );
  return (
    <>
      <PageHead title="Conversions">
        {hasScope('conversions:write') && <Button onClick={open}>Convert</Button>}
      </PageHead>
      <PagedTable
        caption="Conversions"
        list={list}
        keyOf={({ id }) => id}
        empty="No conversions yet. One moves money between two of your wallets of different currencies: Convert."
        columns={COLUMNS}
      />
      <Modal opened={converting} onClose={close} size="lg" title="Convert">
        <ConversionForm onDone={close} />
      </Modal>
    </>
  );
}
