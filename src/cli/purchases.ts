import { Option } from 'commander';
import { encodeId } from '../core/http/ids';
import type { Lifetime } from '../core/process/lifetime';
import { OperatorReviews } from '../modules/platform/operator-reviews.service';
import { type Decision, PURCHASE_DECISIONS, ReviewService } from '../modules/purchases/review.service';
import { DukaCommand, modeOf } from './commands';
import { idOf, orderOf } from './options';

const LISTED_MAX = 1_000;

interface ResolveOptions {
  account: string;
  transaction: string;
  mode: 'test' | 'live';
  outcome: Decision;
  person: string;
  note: string;
}

export const purchaseCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('purchase:review', lifetime)
    .description('list the purchases that only a person can settle')
    .does(async (session) => {
      const purchases = await (await session.app()).get(ReviewService, { strict: false }).list(LISTED_MAX);
      const json = purchases.map(({ accountId, id, ...facts }) => ({
        account_id: encodeId('acct', accountId),
        transaction_id: encodeId('txn', id),
        ...facts,
      }));
      const lines = json.map((p) => {
        const what = `${p.status}  ${p.currency} ${p.amount} minor  ${p.provider}  ${p.reason}`;
        return `${p.transaction_id}  ${p.account_id}  ${modeOf(p.livemode)}  ${what}`;
      });
      return { text: lines.join('\n') || 'No purchase needs a person.', json: { purchases: json } };
    }),

  new DukaCommand('purchase:resolve', lifetime)
    .description('settle a purchase by evidence; large ones need a second person')
    .requiredOption('--account <id>', 'whose purchase (acct_…)', idOf('acct'))
    .requiredOption('--transaction <id>', 'the purchase (txn_…)', idOf('txn'))
    .addOption(new Option('--mode <mode>', 'which money it moved').choices(['test', 'live']).makeOptionMandatory())
    .addOption(
      new Option('--outcome <outcome>', 'what really happened, or that nothing is to change')
        .choices(PURCHASE_DECISIONS)
        .makeOptionMandatory(),
    )
    .requiredOption('--person <email>', 'who decides: the log-in of an operator')
    .requiredOption('--note <text>', 'the evidence: what the provider said, and where')
    .does<ResolveOptions>(async (session, { account, transaction, mode, outcome, person, note }) => {
      const app = await session.app();
      const key = { accountId: account, livemode: mode === 'live', id: transaction };
      const { isSettled, running } = await app
        .get(OperatorReviews)
        .resolvePurchase(await orderOf(app, { person, reason: note }), key, outcome);
      const json = {
        transaction_id: encodeId('txn', transaction),
        settled: isSettled,
        status: running.transaction.status,
      };
      const text = isSettled
        ? `${json.transaction_id} is ${json.status}.`
        : `Noted. ${json.transaction_id} needs a second person who decides the same.`;
      return { waits: !isSettled, text, json };
    }),
];
