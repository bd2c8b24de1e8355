import { InvalidArgumentError, Option } from 'commander';
import { encodeId } from '../core/http/ids';
import type { Lifetime } from '../core/process/lifetime';
import { CARD_DECISIONS, type CardDecision, CardReviewService } from '../modules/cards/card-review.service';
import {
  CUSTOMER_DECISIONS,
  type CustomerDecision,
  CustomerReviewService,
} from '../modules/cards/customer-review.service';
import { KYC_TIERS, type KycTier } from '../modules/cards/kyc-tier';
import { OperatorCards } from '../modules/platform/operator-cards.service';
import { OperatorReviews } from '../modules/platform/operator-reviews.service';
import { DukaCommand, modeOf, type Session } from './commands';
import { asOperator, idOf, name, type Orderer, orderOf } from './options';

const LISTED_MAX = 1_000;

interface ResolveOptions {
  account: string;
  customer: string;
  mode: 'test' | 'live';
  outcome: CustomerDecision;
  tier?: KycTier;
  person: string;
  note: string;
}

interface ResolveCardOptions {
  account: string;
  card: string;
  mode: 'test' | 'live';
  outcome: CardDecision;
  issuerReference?: string;
  last4?: string;
  expiry?: string;
  person: string;
  note: string;
}

interface BlockOptions {
  card: string;
  person: string;
  reason: string;
}

export const cardCommands = (lifetime: Lifetime): DukaCommand[] => [
  command(
    'card:block',
    'stop a card whatever its owner says: it declines everything until it is unblocked',
    lifetime,
  ).does<BlockOptions>((session, options) => change(session, 'blocked', options)),
  command('card:unblock', 'end the block of a card: it is what it was before', lifetime).does<BlockOptions>(
    (session, options) => change(session, 'unblocked', options),
  ),

  new DukaCommand('card:review', lifetime)
    .description('list the cards about which no issuer decides')
    .does(async (session) => {
      const cards = await (await session.app()).get(CardReviewService, { strict: false }).list(LISTED_MAX);
      const json = cards.map(({ accountId, id, ...facts }) => ({
        account_id: encodeId('acct', accountId),
        card_id: encodeId('crd', id),
        ...facts,
      }));
      const lines = json.map((r) => {
        const what = `${r.currency} ${r.amount} minor  ${r.issuer}  ${r.reference}  ${r.reason}`;
        return `${r.card_id}  ${r.account_id}  ${modeOf(r.livemode)}  ${what}`;
      });
      return { text: lines.join('\n') || 'No card needs a person.', json: { cards: json } };
    }),

  new DukaCommand('card:resolve', lifetime)
    .description('settle a pending card by evidence; large ones need a second person')
    .requiredOption('--account <id>', 'whose card (acct_…)', idOf('acct'))
    .requiredOption('--card <id>', 'the card (crd_…)', idOf('crd'))
    .addOption(new Option('--mode <mode>', 'which money it moves').choices(['test', 'live']).makeOptionMandatory())
    .addOption(
      new Option('--outcome <outcome>', 'whether the issuer has made it').choices(CARD_DECISIONS).makeOptionMandatory(),
    )
    .option('--issuer-reference <id>', "of an active one: the issuer's own id of it")
    .option('--last4 <digits>', 'of an active one: the last four digits of its number')
    .option('--expiry <month>', 'of an active one: its last month, such as 11/2029')
    .requiredOption('--person <email>', 'who decides: the log-in of an operator')
    .requiredOption('--note <text>', 'the evidence: what the issuer said, and where')
    .does<ResolveCardOptions>(async (session, { account, card: id, mode, person, note, ...decision }) => {
      const app = await session.app();
      const key = { accountId: account, livemode: mode === 'live', id };
      const { isSettled, card } = await app
        .get(OperatorReviews)
        .resolveCard(await orderOf(app, { person, reason: note }), key, decision);
      const json = { card_id: encodeId('crd', id), settled: isSettled, status: card.status };
      const text = isSettled
        ? `${json.card_id} is ${json.status}.`
        : `Noted. ${json.card_id} needs a second person who decides the same.`;
      return { waits: !isSettled, text, json };
    }),
];

const command = (called: string, what: string, lifetime: Lifetime): DukaCommand =>
  new DukaCommand(called, lifetime)
    .description(what)
    .requiredOption('--card <id>', 'the card (crd_…)', idOf('crd'))
    .requiredOption('--person <email>', 'who decides: the log-in of an operator', name)
    .requiredOption('--reason <text>', 'why: the account reads it as status_reason', name);

async function change(session: Session, to: 'blocked' | 'unblocked', { card, ...by }: BlockOptions) {
  const app = await session.app();
  const json = await app.get(OperatorCards).change(await orderOf(app, by), card, to);
  return { text: `${json.card_id} is ${json.status}; it was ${json.was}.`, json };
}

export const customerCommands = (lifetime: Lifetime): DukaCommand[] => [
  asOperator(new DukaCommand('customer:anonymize', lifetime))
    .description(
      'empty what is personal of a cardholder, for good: data, cards, events, request log; books and ids stay',
    )
    .requiredOption('--customer <id>', 'the cardholder (cus_…), without a card that still works', idOf('cus'))
    .option('--dry-run', 'only say what would be emptied', false)
    .does<{ customer: string; dryRun: boolean } & Orderer>(async (session, { customer: id, dryRun, ...by }) => {
      const app = await session.app('owner');
      const done = await app.get(OperatorCards).anonymize(await orderOf(app, by), id, dryRun);
      const { customer_id: customer, cards, events, webhook_attempts: attempts, issuer_calls: calls, requests } = done;
      if (done.done_before)
        return { text: `${customer} was anonymized before, and nothing is left to empty.`, json: done };
      const answers = `${attempts} answers of receivers, ${calls} of issuers`;
      const sums = `${cards} cards, ${events} events, ${answers}, ${requests} requests`;
      return { text: `${customer} ${dryRun ? 'would be' : 'is'} anonymized: ${sums}.`, json: done };
    }),

  new DukaCommand('customer:review', lifetime)
    .description('list the cardholders of whom no provider says who they are')
    .does(async (session) => {
      const customers = await (await session.app()).get(CustomerReviewService, { strict: false }).list(LISTED_MAX);
      const json = customers.map(({ accountId, id, ...facts }) => ({
        account_id: encodeId('acct', accountId),
        customer_id: encodeId('cus', id),
        ...facts,
      }));
      const lines = json.map((r) => {
        const what = `${r.provider}  ${r.reference}  ${r.reason}`;
        return `${r.customer_id}  ${r.account_id}  ${modeOf(r.livemode)}  ${what}`;
      });
      return { text: lines.join('\n') || 'No cardholder needs a person.', json: { customers: json } };
    }),

  new DukaCommand('customer:resolve', lifetime)
    .description('decide by evidence whether a cardholder is who they say')
    .requiredOption('--account <id>', 'whose cardholder (acct_…)', idOf('acct'))
    .requiredOption('--customer <id>', 'the cardholder (cus_…)', idOf('cus'))
    .addOption(new Option('--mode <mode>', 'of which mode').choices(['test', 'live']).makeOptionMandatory())
    .addOption(
      new Option('--outcome <outcome>', 'whether they are who they say')
        .choices(CUSTOMER_DECISIONS)
        .makeOptionMandatory(),
    )
    .option('--tier <tier>', 'how far a verified one is proven, 1 to 3; else as far as their document says', provenTier)
    .requiredOption('--person <email>', 'who decides: the log-in of an operator')
    .requiredOption('--note <text>', 'the evidence: what the provider said, and where')
    .does<ResolveOptions>(async (session, { account, customer: id, mode, outcome, tier, person, note }) => {
      const app = await session.app();
      const key = { accountId: account, livemode: mode === 'live', id };
      const order = await orderOf(app, { person, reason: note });
      const { kycTier } = await app.get(OperatorReviews).resolveCustomer(order, key, { outcome, tier });
      const json = { customer_id: encodeId('cus', id), kyc_status: outcome, kyc_tier: kycTier };
      return { text: `${json.customer_id} is ${outcome}, of tier ${kycTier}.`, json };
    }),
];

function provenTier(text: string): KycTier {
  const tier = KYC_TIERS.find((one) => String(one) === text);
  if (tier === undefined) throw new InvalidArgumentError(`It takes one of ${KYC_TIERS.join(', ')}.`);
  return tier;
}
