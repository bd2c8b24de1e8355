import { Option } from 'commander';
import { encodeId } from '../core/http/ids';
import type { Lifetime } from '../core/process/lifetime';
import { DISPUTE_DECISIONS, type DisputeDecision, DisputeReviewService } from '../modules/cards/dispute-review.service';
import { OperatorReviews } from '../modules/platform/operator-reviews.service';
import { DukaCommand, modeOf } from './commands';
import { idOf, minorUnits, orderOf } from './options';

const LISTED_MAX = 1_000;

interface ResolveOptions {
  account: string;
  dispute: string;
  mode: 'test' | 'live';
  outcome: DisputeDecision;
  amount?: bigint;
  person: string;
  note: string;
}

export const disputeCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('dispute:review', lifetime)
    .description('list the disputes that only a person can settle')
    .does(async (session) => {
      const disputes = await (await session.app()).get(DisputeReviewService, { strict: false }).list(LISTED_MAX);
      const json = disputes.map(({ accountId, id, cardTransactionId, issuerReference, ...facts }) => ({
        account_id: encodeId('acct', accountId),
        dispute_id: encodeId('dsp', id),
        card_transaction_id: encodeId('ctx', cardTransactionId),
        issuer_reference: issuerReference,
        ...facts,
      }));
      const lines = json.map((r) => {
        const what = `${r.status}  ${r.currency} ${r.amount} minor  ${r.issuer}  ${r.reason}`;
        return `${r.dispute_id}  ${r.card_transaction_id}  ${r.account_id}  ${modeOf(r.livemode)}  ${what}`;
      });
      return { text: lines.join('\n') || 'No dispute needs a person.', json: { disputes: json } };
    }),

  new DukaCommand('dispute:resolve', lifetime)
    .description('settle a dispute by evidence; large ones need a second person')
    .requiredOption('--account <id>', 'whose dispute (acct_…)', idOf('acct'))
    .requiredOption('--dispute <id>', 'the dispute (dsp_…)', idOf('dsp'))
    .addOption(new Option('--mode <mode>', 'which money it moves').choices(['test', 'live']).makeOptionMandatory())
    .addOption(
      new Option('--outcome <outcome>', 'whether the cardholder has the money for good')
        .choices(DISPUTE_DECISIONS)
        .makeOptionMandatory(),
    )
    .option('--amount <minor>', 'of one that is won: what of it, in minor units; all when absent', minorUnits)
    .requiredOption('--person <email>', 'who decides: the log-in of an operator')
    .requiredOption('--note <text>', 'the evidence: what the issuer said, and where')
    .does<ResolveOptions>(async (session, { account, dispute: id, mode, outcome, amount, person, note }) => {
      const app = await session.app();
      const key = { accountId: account, livemode: mode === 'live', id };
      const { isSettled, dispute } = await app
        .get(OperatorReviews)
        .resolveDispute(await orderOf(app, { person, reason: note }), key, { outcome, amount });
      const json = { dispute_id: encodeId('dsp', id), settled: isSettled, status: dispute.status };
      const text = isSettled
        ? `${json.dispute_id} is ${json.status}.`
        : `Noted. ${json.dispute_id} needs a second person who decides the same.`;
      return { waits: !isSettled, text, json };
    }),
];
