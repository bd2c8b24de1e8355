import { Alert, Button, Group, NativeSelect, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useOperators } from '../../../session/cells';
import { fieldsOf } from '../../../ui/form-fields';
import { ProblemAlert } from '../../../ui/problem-alert';
import { useAction } from '../../../ui/use-action';
import { InCell } from '../in-cell';
import { type Decision, decide, effectOf, proposalOf, proposalsOf, type Review, wordsOf } from './reviews';

const NOTE_MAX = 1_000;
const TAKES_WALLET: ReadonlySet<string> = new Set(['accept_received', 'accept_requested']);

/** One person decides, or proposes what another must approve. */
export function ReviewDecision({ review }: { review: Review }) {
  const { api } = useOperators();
  const [proposal] = proposalsOf(review, false);
  const [own] = proposalsOf(review, true);
  const proposed = proposal === undefined ? null : proposalOf(proposal.outcome);
  const [outcome, setOutcome] = useState(proposed?.outcome ?? '');
  const deciding = useAction(
    (decision: Decision) => decide(api, review, decision),
    (settled) => (settled ? 'It is decided.' : 'It is proposed: somebody else must approve it.'),
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { note = '', tier = '', ...named } = fieldsOf(event.currentTarget);
    if (note === '' || outcome === '') return;
    const { wallet_id = '', issuer_reference = '', last4 = '', expiry = '' } = named;
    deciding.mutate({
      outcome,
      note,
      ...(wallet_id && { wallet_id }),
      ...(tier && { tier: Number(tier) }),
      ...(review.kind === 'card' && outcome === 'active' && { issuer_reference, last4, expiry }),
    });
  }
  const isApproval = proposed !== null && proposed.outcome === outcome;
  return (
    <form onSubmit={submit}>
      <Stack maw={640}>
        <HowMany review={review} own={own?.outcome ?? null} />
        <Radio.Group name="outcome" label="Outcome" value={outcome} onChange={setOutcome} required>
          <Stack gap="xs" mt={4}>
            {review.outcomes.map((word) => (
              <Radio key={word} value={word} label={wordsOf(word)} description={effectOf(review.kind, word)} />
            ))}
          </Stack>
        </Radio.Group>
        {TAKES_WALLET.has(outcome) && (
          <TextInput
            key={outcome}
            name="wallet_id"
            label="Another wallet"
            description="Empty: the one that was meant. Who approves must name the same."
            placeholder="wal_…"
            defaultValue={isApproval ? proposed.walletId : ''}
          />
        )}
        {review.kind === 'card' && outcome === 'active' && <MadeCard card={isApproval ? proposed.card : null} />}
        {review.kind === 'customer' && outcome === 'verified' && (
          <NativeSelect
            name="tier"
            label="Tier"
            data={[{ value: '', label: 'as the document says' }, '1', '2', '3']}
            defaultValue=""
          />
        )}
        <Textarea
          name="note"
          label="Reason"
          description="The evidence: what the other side said, and where. Kept with the decision and in the audit log"
          required
          maxLength={NOTE_MAX}
          autosize
          minRows={2}
        />
        <ProblemAlert error={deciding.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={deciding.isPending} disabled={outcome === ''}>
            {isApproval ? 'Approve' : review.people_needed > 1 ? 'Propose' : 'Decide'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The card as the page of its issuer shows it. Who approves must name the same. */
function MadeCard({ card }: { card: ReturnType<typeof proposalOf>['card'] | null }) {
  return (
    <>
      <TextInput
        name="issuer_reference"
        label="The issuer's id of the card"
        required
        maxLength={200}
        defaultValue={card?.reference ?? ''}
      />
      <TextInput
        name="last4"
        label="Last four digits"
        required
        maxLength={4}
        placeholder="4242"
        defaultValue={card?.last4 ?? ''}
      />
      <TextInput
        name="expiry"
        label="Last month"
        required
        maxLength={7}
        placeholder="11/2029"
        defaultValue={card?.expiry ?? ''}
      />
    </>
  );
}

function HowMany({ review: { people_needed }, own }: { review: Review; own: string | null }) {
  if (people_needed < 2 || own === null)
    return (
      <Text size="sm">
        {people_needed < 2 ? 'Of this amount one person decides.' : 'Two people must say the same.'}
        <InCell />
      </Text>
    );
  return (
    <Alert
      color="yellow"
      variant="outline"
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
      title="Somebody else must approve it"
    >
      You proposed “{wordsOf(own)}”. You can propose something else; you cannot approve yourself.
    </Alert>
  );
}
