import { Button, Modal } from '@mantine/core';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { PagedTable } from '../../ui/data-table';
import { FilterBar, useFilters } from '../../ui/filters';
import { IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { StatusBadge } from '../../ui/status-badge';
import { timeText } from '../../ui/time';
import { useApi, useMode } from '../../ui/use-mode';
import { useNewForm } from '../../ui/use-new-form';
import { usePages } from '../../ui/use-pages';
import { PaymentForm } from './payment-form';

const STATUSES = [
  'pending',
  'processing',
  'successful',
  'failed',
  'expired',
  'cancelled',
  'reversed',
] as const satisfies readonly Schemas['Payment']['status'][];

export function PaymentsPage() {
  const mode = useMode();
  const api = useApi();
  const { status: word } = useFilters();
  const status = STATUSES.find((known) => known === word);
  const { hasScope } = useMay();
  const [creating, { open, close }] = useNewForm();
  const list = usePages([mode, 'payments', status], (cursor) =>
    bodyOf(api.GET('/api/v1/payments', { params: { query: { status, cursor } } })),
  );
  return (
    <>
      <PageHead title="Payments">
        {hasScope('payments:write') && <Button onClick={open}>Ask for a payment</Button>}
      </PageHead>
      <FilterBar fields={[{ name: 'status', label: 'Status', options: STATUSES }]} />
      <PagedTable
        caption="Payments"
        list={list}
        keyOf={({ id }) => id ?? ''}
        empty="No payments yet. A payment is money that comes in through a checkout page."
        columns={[
          { title: 'Payment', cell: ({ id }) => <IdLink id={id} /> },
          { title: 'Status', cell: (payment) => <StatusBadge status={payment.status} /> },
          { title: 'Amount', cell: ({ amount, currency }) => moneyText(amount, currency), numeric: true },
          { title: 'Gateway', cell: ({ gateway }) => gateway ?? '–' },
          { title: 'Reference', cell: ({ reference }) => reference ?? '–' },
          { title: 'Created', cell: ({ created_at }) => timeText(created_at) },
        ]}
      />
      <Modal opened={creating} onClose={close} title="Ask for a payment" closeButtonProps={{ 'aria-label': 'Close' }}>
        <PaymentForm />
      </Modal>
    </>
  );
}
