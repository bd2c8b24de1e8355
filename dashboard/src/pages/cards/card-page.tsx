import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { DataTable, Loading, PagedTable } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { AnchorLink, IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { StatusBadge } from '../../ui/status-badge';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { When } from '../../ui/when';
import { CardActions } from './card-actions';
import { CardControls } from './card-controls';
import { CardFace } from './card-face';
import { CardLabel } from './card-label';
import { CardLimits } from './card-limits';
import { CardMoney } from './card-money';
import { CardSpending } from './card-spending';
import { USE_COLUMNS } from './use-columns';

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
    <Stack gap="lg">
      <PageHead title={card.label ?? card.masked_number ?? 'Card'}>
        {hasScope('cards:write') && <CardLabel id={id} label={card.label} />}
        <CardActions id={id} status={card.status} />
      </PageHead>
      <div className="card-top">
        <CardFace card={card} />
        <Stack>
          <Facts
            items={[
              ['Id', <IdLink key="id" id={card.id} />],
              ['Status', <StatusBadge key="status" status={card.status} />],
              ['Reason', card.status_reason?.replaceAll('_', ' ')],
              ['Holder', <Holder key="holder" card={card} />],
              ['Loaded from', <IdLink key="wallet" id={card.funding_wallet_id} />],
              ['Held', moneyText(card.balance.held, card.currency)],
              ['Declines in a row', declinesText(card.decline_policy)],
              ['Reference', card.reference],
              ['Issued', <When key="issued" at={card.created_at} />],
            ]}
          />
          {hasScope('cards:write') && <CardMoney id={id} card={card} />}
        </Stack>
      </div>
      <CardSpending id={id} />
      <CardLimits id={id} card={card} />
      <CardControls card={card} />
      <CardTransactions cardId={id} />
      <Transitions cardId={id} />
    </Stack>
  );
}

function Holder({ card: { customer_id: id, name_on_card: name } }: { card: Schemas['Card'] }) {
  const mode = useMode();
  if (!id) return <>{name}</>;
  return (
    <AnchorLink to="/$mode/cards/customers/$id" params={{ mode, id }}>
      {name}
    </AnchorLink>
  );
}

/** For want of money: what the issuer puts up with. */
function declinesText({ declines, terminate_at: end }: Schemas['DeclinePolicy']): string {
  return end === null ? `${declines}` : `${declines}; at ${end} the card is terminated`;
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
        columns={USE_COLUMNS}
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
            { title: 'At', cell: ({ created_at }) => <When at={created_at} />, place: 'time' },
            { title: 'From', cell: ({ from }) => from ?? '–' },
            { title: 'To', cell: ({ to }) => to, place: 'what' },
            { title: 'By', cell: ({ actor }) => actor, place: 'amount' },
            { title: 'Reason', cell: ({ reason }) => reason?.replaceAll('_', ' ') ?? '–', place: 'who' },
          ]}
        />
      )}
    </section>
  );
}
