import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { bodyOf } from '../../../api/public-api';
import { useOperators } from '../../../session/cells';
import { CopyButton } from '../../../ui/copy-button';
import { Loading } from '../../../ui/data-table';
import { Facts } from '../../../ui/facts';
import { useFilters } from '../../../ui/use-filters';
import { moneyText } from '../../../ui/money';
import { PageHead } from '../../../ui/page-head';
import { ProblemAlert } from '../../../ui/problem-alert';
import { StatusBadge } from '../../../ui/status-badge';
import { When } from '../../../ui/when';
import { Section } from '../section';
import { Exchanges, StatementLines, Steps } from './evidence';
import { ReviewDecision } from './review-decision';
import { type Review, wordsOf } from './reviews';
import '../../../styles/platform.css';

/** What there is to decide by, and the decision. */
export function ReviewPage() {
  const operators = useOperators();
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { account = '', of } = useFilters();
  const livemode = of === 'live';
  const { data, error, isPending } = useQuery({
    queryKey: [...operators.key, 'review', id, account, livemode],
    queryFn: () =>
      bodyOf(
        operators.api.GET('/operators/open-reviews/{id}', {
          params: { path: { id }, query: { account_id: account, livemode } },
        }),
      ),
  });
  return (
    <>
      <PageHead title={data ? `Review: ${wordsOf(data.review.kind)}` : 'Review'} />
      <Stack gap="lg">
        <ProblemAlert error={error} />
        {isPending && <Loading label="review" />}
        {data && (
          <>
            <ReviewFacts review={data.review} />
            <Votes review={data.review} />
            {data.review.reason !== null && (
              <Section title="Decision">
                <ReviewDecision key={data.review.decisions.length} review={data.review} />
              </Section>
            )}
            <Section title="Statement">
              <StatementLines lines={data.statement_lines} />
            </Section>
            <Section title="What happened">
              <Steps steps={data.timeline} />
            </Section>
            <Section title="Said to companies">
              <Exchanges exchanges={data.exchanges} kind={data.review.kind} />
            </Section>
          </>
        )}
      </Stack>
    </>
  );
}

const copied = (text: string) => (
  <span className="id-copy">
    <span className="id">{text}</span>
    <CopyButton value={text} label={text} />
  </span>
);

function ReviewFacts({ review }: { review: Review }) {
  const { amount, currency, amount_received: received, currency_received: other, party_reference: reference } = review;
  return (
    <Facts
      items={[
        ['Id', copied(review.id)],
        ['Account', review.account_name],
        ['Account id', copied(review.account_id)],
        ['Mode', review.livemode ? 'live' : 'test'],
        ['Status', <StatusBadge key="status" status={review.status} />],
        ['Why', review.reason ?? 'Decided: nobody waits any more'],
        ['About', wordsOf(review.about)],
        ['Amount', amount === null || currency === null ? '–' : moneyText(amount, currency)],
        ...(received === null || other === null ? [] : [['What came', moneyText(received, other)] as const]),
        ...(review.recipient === null ? [] : [['Recipient', review.recipient] as const]),
        ['Asked', review.party ?? '–'],
        ...(reference === null ? [] : [['Their reference', copied(reference)] as const]),
        ['Since', <When key="since" at={review.created_at} />],
        ['People needed', String(review.people_needed)],
      ]}
    />
  );
}

/** Who decided so far, with their evidence. */
function Votes({ review: { decisions, reason } }: { review: Review }) {
  if (decisions.length === 0) return null;
  return (
    <Section title={reason === null ? 'Decided' : 'Proposed'}>
      <Stack gap="xs">
        {decisions.map(({ person, mine, outcome, note, at }) => (
          <Alert key={at} variant="outline" title={`${mine ? 'You' : person}: ${wordsOf(outcome)}`}>
            <Text size="sm" className="note">
              {note}
            </Text>
            <Text size="xs" c="dimmed">
              <When at={at} />
            </Text>
          </Alert>
        ))}
      </Stack>
    </Section>
  );
}
