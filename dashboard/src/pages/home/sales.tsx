import { Button, Card, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { DashboardSchemas } from '../../api/dashboard-api';
import { DataTable, wholeText } from '../../ui/data-table';

type Overview = DashboardSchemas['Overview'];

/** Beside the days before, as many. */
export function Sum({ sum }: { sum: Overview['sums'][number] }) {
  return (
    <Card withBorder>
      <Text size="sm" c="dimmed">
        {sum.currency} in
      </Text>
      <span className="balance">{sum.in_display}</span>
      <Text size="sm" className="amount">
        {changeText(sum.in_change)} · {sum.in_before_display} before
      </Text>
      <Text size="sm" c="dimmed" mt="sm">
        {sum.currency} out
      </Text>
      <span className="balance">{sum.out_display}</span>
      <Text size="sm" className="amount">
        {changeText(sum.out_change)} · {sum.out_before_display} before
      </Text>
    </Card>
  );
}

/** 0.25 is "▲ 25.0 %". */
function changeText(change: number | null): string {
  if (change === null) return 'new';
  if (change === 0) return 'as before';
  return `${change > 0 ? '▲' : '▼'} ${Math.abs(change * 100).toLocaleString('en', PERCENT)} %`;
}

const PERCENT = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
const SALES_SHOWN = 8;

export function Sales({ sales }: { sales: Overview['sales'] }) {
  const [all, setAll] = useState(false);
  if (sales.length === 0) return null;
  return (
    <section aria-labelledby="sales-title">
      <div className="section-head">
        <Title order={2} size="h4" id="sales-title">
          {all || sales.length <= SALES_SHOWN ? 'Sales' : `The largest sales, ${wholeText(SALES_SHOWN, sales.length)}`}
        </Title>
        {sales.length > SALES_SHOWN && (
          <Button variant="subtle" size="compact-sm" onClick={() => setAll(!all)}>
            {all ? 'Fewer' : 'All'}
          </Button>
        )}
      </div>
      <DataTable
        caption="Sales by product and network"
        rows={all ? sales : sales.slice(0, SALES_SHOWN)}
        keyOf={({ type, network, currency }) => `${type} ${network} ${currency}`}
        columns={[
          { title: 'Product', cell: ({ type }) => type.replaceAll('_', ' ') },
          { title: 'Network', cell: ({ network }) => network ?? '–' },
          { title: 'Sold', cell: ({ successful }) => successful.toLocaleString('en'), numeric: true },
          { title: 'Failed', cell: ({ failed }) => failed.toLocaleString('en'), numeric: true },
          {
            title: 'Amount',
            cell: ({ amount_display }) => <span className="amount">{amount_display}</span>,
            numeric: true,
          },
          {
            title: 'Commission',
            cell: ({ commission_display }) => <span className="amount">{commission_display}</span>,
            numeric: true,
          },
        ]}
      />
    </section>
  );
}
