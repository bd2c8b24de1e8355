import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { bodyOf } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { DataTable, Loading, PagedTable } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { moneyText } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { StatusBadge } from '../../ui/status-badge';
import { timeText } from '../../ui/time';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { CardActions } from './card-actions';
import { CardLimits } from './card-limits';
import { CardMoney } from './card-money';

export function CardPage() {
  const { id = '' } = useParams({ strict: false });
  const mode = useMode();
  const api = useApi();
  const { hasScope } = useMay();
  const { data: card, error } = useQuery({
    queryKey: [mode, 'card', id],
    queryFn: () => bodyOf(api.GET('/v4/cards/{id}', { params: { path: { id } } })),
  });
  if (error) return <ProblemAlert error={error} />;
  if (!card) return <Loading label="card" />;
  return (
    <Stack>
      <PageHead title={card.label ?? card.masked_number ?? 'Card'}>
        <CardActions id={id} status={card.status} />
      </PageHead>
      <Facts
        items={[
          [
            'Id',
            <span key="id" className="id">
              {card.id}
            </span>,
          ],
          ['Status', <StatusBadge key="status" status={card.status} />],
          ['Reason', card.status_reason],
          ['Number', card.masked_number],
          ['Expires', card.exp_month && `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`],
          ['Holder', card.name_on_card],
          ['Available', moneyText(card.balance.available, card.currency)],
          ['Held', moneyText(card.balance.held, card.currency)],
        ]}
      />
      {hasScope('cards:write') && <CardMoney id={id} card={card} />}
      <CardLimits id={id} card={card} />
      <CardTransactions cardId={id} />
      <Transitions cardId={id} />
    </Stack>
  );
}

function CardTransactions({ cardId }: { cardId: string }) {
  const mode = useMode();
  const api = useApi();
  const list = usePages([mode, 'card', cardId, 'transactions'], (cursor) =>
    bodyOf(api.GET('/v4/cards/{id}/transactions', { params: { path: { id: cardId }, query: { cursor } } })),
  );
  return (
    <section aria-labelledby="spending-title">
      <Title order={2} size="h4" id="spending-title" mb="xs">
        Card transactions
      </Title>
      <PagedTable
        caption="Card transactions"
        list={list}
        keyOf={({ id }) => id}
        empty="The card was not used yet."
        columns={[
          { title: 'At', cell: ({ created_at }) => timeText(created_at) },
          { title: 'Type', cell: ({ type }) => type },
          { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
          { title: 'Merchant', cell: ({ merchant }) => merchant?.name ?? '–' },
          { title: 'Amount', cell: ({ amount_display }) => amount_display, numeric: true },
          { title: 'Declined for', cell: ({ decline_reason }) => decline_reason?.replaceAll('_', ' ') ?? '–' },
          { title: 'Id', cell: ({ id }) => <span className="id">{id}</span> },
        ]}
      />
    </section>
  );
}

function Transitions({ cardId }: { cardId: string }) {
  const mode = useMode();
  const api = useApi();
  const { data, error } = useQuery({
    queryKey: [mode, 'card', cardId, 'transitions'],
    queryFn: () => bodyOf(api.GET('/v4/cards/{id}/transitions', { params: { path: { id: cardId } } })),
  });
  return (
    <section aria-labelledby="states-title">
      <Title order={2} size="h4" id="states-title" mb="xs">
        Changes of state
      </Title>
      <ProblemAlert error={error} />
      {data && (
        <DataTable
          caption="Changes of state"
          rows={data.data}
          keyOf={({ to, created_at }) => `${to} ${created_at}`}
          columns={[
            { title: 'At', cell: ({ created_at }) => timeText(created_at) },
            { title: 'From', cell: ({ from }) => from ?? '–' },
            { title: 'To', cell: ({ to }) => to },
            { title: 'By', cell: ({ actor }) => actor },
            { title: 'Reason', cell: ({ reason }) => reason ?? '–' },
          ]}
        />
      )}
    </section>
  );
}
