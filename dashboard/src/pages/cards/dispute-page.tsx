import { Alert, Anchor, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { dashboardApi } from '../../api/dashboard-api';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { ConfirmButton } from '../../ui/confirm-button';
import { Loading, PagedTable } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { useApi, useLivemode, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { When } from '../../ui/when';
import { Story } from '../story/story';
import { reasonText } from './dispute-form';
import { DisputeState, waitsFor } from './disputes-page';
import { USE_COLUMNS } from './use-columns';

type Dispute = Schemas['Dispute'];

const POLL_MS = 3_000;
const isRunning = (dispute: Dispute | undefined) => dispute?.status === 'open' || dispute?.withdrawal === 'requested';
const isResolved = ({ status }: Dispute) => status !== 'open' && status !== 'under_review';

export function DisputePage() {
  const { id = '' } = useParams({ strict: false });
  const mode = useMode();
  const api = useApi();
  const { data: dispute, error } = useQuery({
    queryKey: [mode, 'dispute', id],
    queryFn: () => bodyOf(api.GET('/v4/disputes/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (isRunning(state.data) ? POLL_MS : false),
  });
  if (error) return <ProblemAlert error={error} />;
  if (!dispute) return <Loading label="dispute" />;
  return (
    <Stack gap="lg">
      <PageHead title={`Dispute: ${reasonText(dispute.reason)}`}>
        {!isResolved(dispute) && dispute.withdrawal !== 'requested' && <Withdraw id={id} />}
      </PageHead>
      {dispute.failure && (
        <Alert variant="outline" color="red" title="Why the issuer did not take it up">
          {dispute.failure.message} <code>{dispute.failure.code}</code>
        </Alert>
      )}
      {dispute.withdrawal === 'refused' && (
        <Alert variant="outline" color="gray" title="The issuer did not let it go">
          You asked for it to be withdrawn; it goes on.
        </Alert>
      )}
      <Facts items={factsOf(dispute)} />
      <Evidence evidence={dispute.evidence} />
      <Moved disputeId={id} />
      <Story id={id} running={isRunning(dispute)} />
    </Stack>
  );
}

function factsOf(dispute: Dispute) {
  const { currency, provisional_credit: credit, won_amount: won } = dispute;
  return [
    ['Id', <IdLink key="id" id={dispute.id} />],
    ['Status', <DisputeState key="status" dispute={dispute} />],
    ['Waits for', waitsFor(dispute)],
    [
      'Amount',
      <span key="amount" className="amount">
        {moneyText(dispute.amount, currency)}
      </span>,
    ],
    ['Credited before it is decided', credit !== null && moneyText(credit, currency)],
    ['Won', won !== null && moneyText(won, currency)],
    ['About', <IdLink key="about" id={dispute.card_transaction_id} />],
    ['Card', <IdLink key="card" id={dispute.card_id} />],
    ["The issuer's own id", dispute.issuer_reference],
    ['Reference', dispute.reference],
    ['Opened', <When key="opened" at={dispute.created_at} />],
    ['Decided', dispute.resolved_at && <When key="decided" at={dispute.resolved_at} />],
  ] as const;
}

function Evidence({ evidence: { text, links } }: Pick<Dispute, 'evidence'>) {
  return (
    <section aria-labelledby="evidence-title">
      <Title order={2} size="h4" id="evidence-title" mb="xs">
        What happened
      </Title>
      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</Text>
      {links.map((link) => (
        <div key={link}>
          <Anchor href={link} target="_blank" rel="noreferrer noopener" style={{ overflowWrap: 'anywhere' }}>
            {link}
          </Anchor>
        </div>
      ))}
    </section>
  );
}

function Moved({ disputeId }: { disputeId: string }) {
  const mode = useMode();
  const livemode = useLivemode();
  const list = usePages([mode, 'card-transactions', { dispute_id: disputeId }], (cursor) =>
    bodyOf(dashboardApi.GET('/card-transactions', { params: { query: { livemode, dispute_id: disputeId, cursor } } })),
  );
  return (
    <section aria-labelledby="moved-title">
      <Title order={2} size="h4" id="moved-title" mb="xs">
        Money that it moved
      </Title>
      <PagedTable
        caption="Money that the dispute moved"
        list={list}
        keyOf={({ id }) => id}
        empty="None so far."
        columns={USE_COLUMNS}
      />
    </section>
  );
}

function Withdraw({ id }: { id: string }) {
  const api = useApi();
  const mayWrite = useMay().hasScope('cards:write');
  if (!mayWrite) return null;
  return (
    <ConfirmButton
      label="Withdraw"
      question="Withdraw this dispute?"
      explanation="The issuer is asked to let it go. What it credited so far leaves the card again."
      done="The issuer is asked to let it go."
      work={() => api.POST('/v4/disputes/{id}/withdraw', { params: { path: { id } } })}
    />
  );
}
