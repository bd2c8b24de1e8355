import { Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Loading } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { ButtonLink, IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { useMode } from '../../ui/use-mode';
import { CardTransactionFacts } from '../cards/card-transaction-facts';
import { Story } from './story';
import { useStory } from './use-story';

/** Of these there are receipts. */
const WITH_RECEIPT = /^(?:txn|pay|rfd|ctx)_/;

/** A card transaction, a refund or anything else that has no page of its own: what is known of it, and its story. */
export function StoryPage() {
  const { id = '' } = useParams({ strict: false });
  const { data, error } = useStory(id);
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Loading label="story" />;
  const made = data.steps.find((step) => step.id === id);
  return (
    <Stack>
      <PageHead title={made?.title ?? id}>{WITH_RECEIPT.test(id) && <ReceiptLink id={id} />}</PageHead>
      <Facts
        items={[
          [
            'Id',
            <span key="id" className="id">
              {id}
            </span>,
          ],
          ...(made?.amounts ?? []).map(
            ({ name, amount, currency }) =>
              [
                name,
                <span key={name} className="amount">
                  {moneyText(amount, currency)}
                </span>,
              ] as const,
          ),
          ...(made?.facts ?? []).map(({ name, value }) => [name, value] as const),
          ...(made?.links ?? [])
            .filter((link) => link !== id)
            .map((link) => [WORDS[link.slice(0, 3)] ?? 'Belongs to', <IdLink key={link} id={link} />] as const),
        ]}
      />
      <CardTransactionFacts id={id} />
      <Story id={id} />
    </Stack>
  );
}

const WORDS: Readonly<Record<string, string>> = {
  crd: 'Card',
  ctx: 'Card transaction',
  txn: 'Transaction',
  pay: 'Payment',
  rfd: 'Refund',
  wal: 'Wallet',
  dsp: 'Dispute',
  cus: 'Customer',
};

export function ReceiptLink({ id }: { id: string }) {
  const mode = useMode();
  return (
    <ButtonLink variant="default" size="xs" to="/$mode/receipts/$id" params={{ mode, id }}>
      Receipt
    </ButtonLink>
  );
}
