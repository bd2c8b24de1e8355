import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../../api/public-api';
import { useOperators } from '../../../session/cells';
import { CopyButton } from '../../../ui/copy-button';
import { type Column, DataTable, PagedTable } from '../../../ui/data-table';
import { FilterBar, type FilterField } from '../../../ui/filters';
import { useFilters } from '../../../ui/use-filters';
import { AnchorLink } from '../../../ui/links';
import { moneyText } from '../../../ui/money';
import { PageHead } from '../../../ui/page-head';
import { ProblemAlert } from '../../../ui/problem-alert';
import { StatusBadge } from '../../../ui/status-badge';
import { useMode } from '../../../ui/use-mode';
import { usePages } from '../../../ui/use-pages';
import { Ago } from '../../../ui/when';
import { AGES, proposalsOf, type Review, REVIEW_KINDS, wordsOf } from './reviews';
import '../../../styles/platform.css';

const ACCOUNT = /^acct_[0-9a-z]{26}$/;

const FIELDS: readonly FilterField[] = [
  { name: 'kind', label: 'Kind', options: REVIEW_KINDS },
  { name: 'of', label: 'Mode', options: ['live', 'test'] },
  { name: 'age', label: 'Waits longer than', options: AGES },
  {
    name: 'account',
    label: 'Account',
    problem: (text) => (ACCOUNT.test(text) ? null : 'An id such as acct_01k…'),
    whole: true,
  },
];

const REFRESH_MS = 30_000;

/** All that waits for a person, over all accounts and both modes. */
export function ReviewsPage() {
  const operators = useOperators();
  const mode = useMode();
  const { kind: word, of, age, account } = useFilters();
  const query = {
    kind: REVIEW_KINDS.find((known) => known === word),
    livemode: of === 'live' ? true : of === 'test' ? false : undefined,
    older_than_hours: AGES.find(({ value }) => value === age)?.value,
    account_id: account && ACCOUNT.test(account) ? account : undefined,
  };
  const list = usePages(
    [...operators.key, 'reviews', query],
    (cursor) => bodyOf(operators.api.GET('/operators/open-reviews', { params: { query: { ...query, cursor } } })),
    { refetchInterval: REFRESH_MS },
  );
  return (
    <>
      <PageHead title="Reviews" />
      <FilterBar fields={FIELDS} />
      {list.total !== undefined && (
        <Text size="sm" c="dimmed" mb="xs" role="status">
          {list.total === 1 ? 'One waits' : `${list.total.toLocaleString('en')} wait`} for a person, the oldest first.
        </Text>
      )}
      <PagedTable
        caption="Reviews"
        list={list}
        keyOf={({ id }) => id}
        empty="Nothing waits for a person."
        columns={columnsFor(mode)}
      />
      <ReturnsDue />
    </>
  );
}

/** What nobody can send back but people, at the provider. */
function ReturnsDue() {
  const operators = useOperators();
  const { data, error } = useQuery({
    queryKey: [...operators.key, 'returns due'],
    queryFn: () => bodyOf(operators.api.GET('/operators/reviews/due')),
    refetchInterval: REFRESH_MS,
  });
  if (error) return <ProblemAlert error={error} />;
  if (!data || data.data.length === 0) return null;
  return (
    <section aria-labelledby="due-title">
      <Title order={2} size="h4" id="due-title" mt="xl" mb="xs">
        To be given back to payers
      </Title>
      <DataTable
        caption="To be given back"
        rows={data.data}
        keyOf={({ id }) => id}
        columns={[
          { title: 'What', place: 'what', cell: ({ kind, id }) => <CopyId kind={kind} id={id} /> },
          { title: 'Account', place: 'who', cell: ({ account_id }) => <CopyId id={account_id} /> },
          { title: 'Mode', cell: ({ livemode }) => (livemode ? 'live' : 'test') },
          {
            title: 'At',
            cell: ({ provider, provider_reference: known }) => [provider, known].filter(Boolean).join(' · '),
          },
          {
            title: 'Amount',
            place: 'amount',
            numeric: true,
            cell: ({ amount_display }) => <span className="amount">{amount_display}</span>,
          },
        ]}
      />
    </section>
  );
}

const CopyId = ({ kind, id }: { kind?: string; id: string }) => (
  <span className="id-copy">
    <span className="id">{[kind, id].filter(Boolean).join(' ')}</span>
    <CopyButton value={id} label={id} />
  </span>
);

const columnsFor = (mode: 'test' | 'live'): Column<Review>[] => [
  {
    title: 'What',
    place: 'what',
    cell: ({ id, kind, about, account_id, livemode }) => (
      <AnchorLink
        to="/$mode/reviews/$id"
        params={{ mode, id }}
        search={{ account: account_id, of: livemode ? 'live' : 'test' } as never}
      >
        {kind === 'purchase' || kind === 'dispute' ? `${wordsOf(kind)}: ${wordsOf(about)}` : wordsOf(kind)}
      </AnchorLink>
    ),
  },
  {
    title: 'Account',
    place: 'who',
    cell: ({ account_name, account_id }) => (
      <span className="id-copy">
        <span title={account_id}>{account_name}</span>
        <CopyButton value={account_id} label={account_id} />
      </span>
    ),
  },
  { title: 'Mode', cell: ({ livemode }) => (livemode ? 'live' : 'test') },
  { title: 'Why', cell: ({ reason }) => reason ?? '–' },
  {
    title: 'Amount',
    place: 'amount',
    numeric: true,
    cell: ({ amount, currency }) =>
      amount === null || currency === null ? '–' : <span className="amount">{moneyText(amount, currency)}</span>,
  },
  { title: 'Asked', cell: ({ party }) => party ?? '–' },
  { title: 'State', place: 'state', cell: (review) => <StatusBadge status={stateOf(review)} /> },
  { title: 'Waits since', place: 'time', cell: ({ created_at }) => <Ago at={created_at} /> },
];

function stateOf(review: Review): string {
  if (proposalsOf(review, false).length > 0) return 'proposed';
  return proposalsOf(review, true).length > 0 ? 'proposed by you' : review.status;
}
