import { Option } from 'commander';
import { encodeId } from '../core/http/ids';
import type { Lifetime } from '../core/process/lifetime';
import { DECISIONS, type PaymentDecision, PaymentReviewService } from '../modules/payments/payment-review.service';
import { OperatorReviews } from '../modules/platform/operator-reviews.service';
import { DukaCommand, modeOf } from './commands';
import { idOf, orderOf } from './options';

const LISTED_MAX = 1_000;

interface ResolveOptions {
  account: string;
  payment: string;
  mode: 'test' | 'live';
  outcome: PaymentDecision;
  wallet?: string;
  person: string;
  note: string;
}

export const paymentCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('payment:review', lifetime)
    .description('list the payments that only a person can settle')
    .does(async (session) => {
      const reviews = (await session.app()).get(PaymentReviewService, { strict: false });
      const [payments, due] = await Promise.all([reviews.list(LISTED_MAX), reviews.listRefundsDue(LISTED_MAX)]);
      const json = payments.map(({ accountId, id, amountReceived, currencyReceived, ...facts }) => ({
        account_id: encodeId('acct', accountId),
        payment_id: encodeId('pay', id),
        amount_received: amountReceived,
        currency_received: currencyReceived,
        ...facts,
      }));
      const refunds = due.map(({ accountId, id, gatewayReference, ...facts }) => ({
        account_id: encodeId('acct', accountId),
        payment_id: encodeId('pay', id),
        gateway_reference: gatewayReference,
        ...facts,
      }));
      const lines = [
        ...json.map((p) => lineOf(p, p.status, p.reason)),
        ...refunds.map((p) => lineOf(p, 'to be refunded', p.gateway_reference)),
      ];
      return { text: lines.join('\n') || 'No payment needs a person.', json: { payments: json, refunds_due: refunds } };
    }),

  new DukaCommand('payment:resolve', lifetime)
    .description('settle a payment by evidence; large ones need a second person')
    .requiredOption('--account <id>', 'whose payment (acct_…)', idOf('acct'))
    .requiredOption('--payment <id>', 'the payment (pay_…)', idOf('pay'))
    .addOption(new Option('--mode <mode>', 'which money it moves').choices(['test', 'live']).makeOptionMandatory())
    .addOption(
      new Option('--outcome <outcome>', 'what came, or what was asked for, is credited; it goes back to the payer; …')
        .choices(DECISIONS)
        .makeOptionMandatory(),
    )
    .option('--wallet <id>', 'credit this wallet of the account instead of the one that the payment names')
    .requiredOption('--person <email>', 'who decides: the log-in of an operator')
    .requiredOption('--note <text>', 'the evidence: what the gateway said, and where')
    .does<ResolveOptions>(async (session, { account, payment: id, mode, outcome, wallet, person, note }) => {
      const app = await session.app();
      const key = { accountId: account, livemode: mode === 'live', id };
      const { isSettled, payment } = await app
        .get(OperatorReviews)
        .resolvePayment(await orderOf(app, { person, reason: note }), key, { outcome, walletId: wallet });
      const json = { payment_id: encodeId('pay', id), settled: isSettled, status: payment.status };
      const text = isSettled
        ? `${json.payment_id} is ${json.status}.`
        : `Noted. ${json.payment_id} needs a second person who decides the same.`;
      return { waits: !isSettled, text, json };
    }),
];

/** What a person must see to. */
interface Shown {
  readonly payment_id: string;
  readonly account_id: string;
  readonly livemode: boolean;
  readonly currency: string;
  /** Minor units. */
  readonly amount: string;
  readonly gateway: string;
}

function lineOf(p: Shown, status: string, why: string | null): string {
  const what = `${status}  ${p.currency} ${p.amount} minor  ${p.gateway}  ${why}`;
  return `${p.payment_id}  ${p.account_id}  ${modeOf(p.livemode)}  ${what}`;
}
