import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { dashboardApi } from '../../api/dashboard-api';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { Facts } from '../../ui/facts';
import { AnchorLink, IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { useLivemode, useMode } from '../../ui/use-mode';
import { When } from '../../ui/when';
import { countryText } from './countries';
import { DECLINES } from './decline-reasons';
import { DisputeForm } from './dispute-form';
import { categoryText } from './merchant-categories';

type Use = Schemas['CardTransaction'];

/** Of a card transaction's id: what its merchant asked for in both currencies, why it was declined, what can be disputed. */
export function CardTransactionFacts({ id }: { id: string }) {
  return id.startsWith('ctx_') ? <Known id={id} /> : null;
}

function Known({ id }: { id: string }) {
  const mode = useMode();
  const livemode = useLivemode();
  const { data: use, error } = useQuery({
    queryKey: [mode, 'card-transaction', id],
    queryFn: () =>
      bodyOf(dashboardApi.GET('/card-transactions/{id}', { params: { path: { id }, query: { livemode } } })),
  });
  if (error) return <ProblemAlert error={error} />;
  if (!use) return null;
  return (
    <Stack component="section" aria-label="The card transaction">
      <Declined use={use} />
      <Facts items={factsOf(use)} />
      <Disputes use={use} />
    </Stack>
  );
}

function Declined({ use: { status, decline_reason: reason, decision, card_id: id } }: { use: Use }) {
  const mode = useMode();
  if (!reason) return null;
  const [why, then] = DECLINES[reason];
  return (
    <Alert
      variant="outline"
      color={status === 'declined' ? 'red' : 'gray'}
      title={status === 'declined' ? `Declined: ${why}` : `It had been declined, and was cleared all the same: ${why}`}
    >
      <Text size="sm">{then}</Text>
      {decision?.reason && <Text size="sm">Your endpoint said: “{decision.reason}”.</Text>}
      <AnchorLink to="/$mode/cards/$id" params={{ mode, id }}>
        The card
      </AnchorLink>
    </Alert>
  );
}

/** The issuer's rate has as many digits as it likes; nothing is computed from it. */
function rateText({ fx_rate: rate, currency, merchant_currency: other }: Use): string | null {
  return rate && other ? `1 ${other} = ${rate} ${currency}` : null;
}

function factsOf(use: Use) {
  const { currency, merchant } = use;
  const money = (amount: number) => <span className="amount">{moneyText(amount, currency)}</span>;
  const some = (amount: number) => (amount === 0 ? null : money(amount));
  const told = use.merchant_amount !== null && use.merchant_currency;
  const facts = [
    ['Category', merchant && categoryText(merchant.mcc)],
    ['Country', merchant && countryText(merchant.country)],
    ['Amount on the card', money(use.amount)],
    ['Amount at the merchant', told && moneyText(use.merchant_amount ?? 0, use.merchant_currency ?? '')],
    ['Rate', rateText(use)],
    [
      'Fees of the issuer, part of it',
      use.fees?.map(({ type, amount }) => `${type.replaceAll('_', ' ')} ${moneyText(amount, currency)}`).join(', '),
    ],
    ['Held now', some(use.held_amount)],
    ['Taken by the merchant', some(use.settled_amount)],
    ['Of that, paid by the wallet', some(use.wallet_amount)],
    ['Of that, owed by the card', some(use.debt_amount)],
    ['Came back', some(use.refunded_amount)],
    ['In dispute, or won back', some(use.disputed_amount)],
    ['Held until', use.held_amount > 0 && use.expires_at && <When key="until" at={use.expires_at} />],
    ['Last taken', use.settled_at && <When key="settled" at={use.settled_at} />],
    ['About', use.original_id && <IdLink key="original" id={use.original_id} />],
    ['Dispute', use.dispute_id && <IdLink key="dispute" id={use.dispute_id} />],
  ] as const;
  // What does not apply would only be in the way.
  return facts.filter(([, value]) => Boolean(value));
}

/** Of authorizations and clearings: what the merchant has, and nobody disputes yet. */
const leftOf = ({ type, settled_amount: taken, refunded_amount: back, disputed_amount: disputed }: Use): number =>
  type === 'authorization' || type === 'clearing' ? taken - back - disputed : 0;

function Disputes({ use }: { use: Use }) {
  const mode = useMode();
  const mayWrite = useMay().hasScope('cards:write');
  const [opened, { open, close }] = useDisclosure();
  const left = leftOf(use);
  return (
    <Group gap="xs">
      {left > 0 && mayWrite && (
        <Button size="xs" variant="default" onClick={open}>
          Dispute
        </Button>
      )}
      {use.disputed_amount > 0 && (
        <AnchorLink to="/$mode/cards/disputes" params={{ mode }} search={{ card_transaction_id: use.id } as never}>
          Its disputes
        </AnchorLink>
      )}
      <Modal opened={opened} onClose={close} title="Dispute this payment" size="lg">
        <DisputeForm use={use} left={left} onDone={close} />
      </Modal>
    </Group>
  );
}
