import { Option } from 'commander';
import { encodeId } from '../core/http/ids';
import { CURRENCIES, type Currency, displayMoney } from '../core/money/money';
import type { Lifetime } from '../core/process/lifetime';
import { REFUND_DECISIONS, type RefundDecision, RefundReviewService } from '../modules/payments/refund-review.service';
import { OperatorMoney } from '../modules/platform/operator-money.service';
import { OperatorReviews } from '../modules/platform/operator-reviews.service';
import { DukaCommand, modeOf } from './commands';
import { asOperator, currency, idOf, minorUnits, type Orderer, orderFor, orderOf } from './options';

const LISTED_MAX = 1_000;

interface ResolveOptions {
  account: string;
  refund: string;
  mode: 'test' | 'live';
  outcome: RefundDecision;
  person: string;
  note: string;
}

interface LimitsOptions extends Orderer {
  account: string;
  currency: Currency;
  approvalAbove: bigint | null;
  test: boolean;
}

export const refundCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('refund:review', lifetime)
    .description('list the refunds that only a person can settle')
    .does(async (session) => {
      const refunds = await (await session.app()).get(RefundReviewService, { strict: false }).list(LISTED_MAX);
      const json = refunds.map(({ accountId, id, paymentId, gatewayReference, ...facts }) => ({
        account_id: encodeId('acct', accountId),
        refund_id: encodeId('rfd', id),
        payment_id: encodeId('pay', paymentId),
        gateway_reference: gatewayReference,
        ...facts,
      }));
      const lines = json.map((r) => {
        const what = `${r.status}  ${r.currency} ${r.amount} minor  ${r.gateway}  ${r.reason}`;
        return `${r.refund_id}  ${r.payment_id}  ${r.account_id}  ${modeOf(r.livemode)}  ${what}`;
      });
      return { text: lines.join('\n') || 'No refund needs a person.', json: { refunds: json } };
    }),

  new DukaCommand('refund:resolve', lifetime)
    .description('settle a refund by evidence; large ones need a second person')
    .requiredOption('--account <id>', 'whose refund (acct_…)', idOf('acct'))
    .requiredOption('--refund <id>', 'the refund (rfd_…)', idOf('rfd'))
    .addOption(new Option('--mode <mode>', 'which money it moves').choices(['test', 'live']).makeOptionMandatory())
    .addOption(
      new Option('--outcome <outcome>', 'whether the payer has the money')
        .choices(REFUND_DECISIONS)
        .makeOptionMandatory(),
    )
    .requiredOption('--person <email>', 'who decides: the log-in of an operator')
    .requiredOption('--note <text>', 'the evidence: what the gateway said, and where')
    .does<ResolveOptions>(async (session, { account, refund: id, mode, outcome, person, note }) => {
      const app = await session.app();
      const key = { accountId: account, livemode: mode === 'live', id };
      const { isSettled, refund } = await app
        .get(OperatorReviews)
        .resolveRefund(await orderOf(app, { person, reason: note }), key, outcome);
      const json = { refund_id: encodeId('rfd', id), settled: isSettled, status: refund.status };
      const text = isSettled
        ? `${json.refund_id} is ${json.status}.`
        : `Noted. ${json.refund_id} needs a second person who decides the same.`;
      return { waits: !isSettled, text, json };
    }),

  asOperator(new DukaCommand('refund:limits', lifetime))
    .description('say from where on refunds of an account need a second person; left out, none does')
    .requiredOption('--account <id>', 'the account (acct_…)', idOf('acct'))
    .option('--currency <currency>', `one of ${CURRENCIES.join(', ')}`, currency, 'NGN')
    .option('--approval-above <amount>', 'larger ones wait for a second person, in minor units', minorUnits, null)
    .option('--test', 'of test mode', false)
    .does<LimitsOptions>(async (session, { account, currency: of, approvalAbove, test, ...by }) => {
      // No running process may say who has to approve.
      const app = await session.app('owner');
      const order = await orderFor(app, by)(!test);
      const key = { accountId: account, livemode: !test, currency: of };
      await app.get(OperatorMoney).setRefundLimits(order, key, approvalAbove);
      const needed =
        approvalAbove === null ? 'never' : `above ${displayMoney({ amount: approvalAbove, currency: of })}`;
      const json = {
        account_id: encodeId('acct', account),
        livemode: !test,
        currency: of,
        approval_above: approvalAbove?.toString() ?? null,
      };
      return { text: `Refunds of ${json.account_id} in ${modeOf(!test)} mode need a second person ${needed}.`, json };
    }),
];
