import { Option } from 'commander';
import { encodeId } from '../core/http/ids';
import type { Lifetime } from '../core/process/lifetime';
import { OperatorReviews } from '../modules/platform/operator-reviews.service';
import {
  DEPOSIT_DECISIONS,
  type DepositDecision,
  DepositReviewService,
  type ReturnDue,
} from '../modules/virtual-accounts/deposit-review.service';
import { DukaCommand, modeOf } from './commands';
import { idOf, orderOf } from './options';

const LISTED_MAX = 1_000;

interface ResolveOptions {
  account: string;
  deposit: string;
  mode: 'test' | 'live';
  outcome: DepositDecision;
  wallet?: string;
  person: string;
  note: string;
}

export const depositCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('deposit:review', lifetime)
    .description('list the bank transfers that only a person can settle, and those that are to go back')
    .does(async (session) => {
      const reviews = (await session.app()).get(DepositReviewService, { strict: false });
      const [held, due] = await Promise.all([reviews.list(LISTED_MAX), reviews.listReturnsDue(LISTED_MAX)]);
      const json = {
        deposits: held.map(({ reason, status, decisions, ...one }) => ({ ...shown(one), reason, status, decisions })),
        returns_due: due.map(shown),
      };
      const lines = [
        ...json.deposits.map((one) => lineOf(one, one.status, one.reason)),
        ...json.returns_due.map((one) => lineOf(one, 'to be returned', one.provider_reference)),
      ];
      return { text: lines.join('\n') || 'No deposit needs a person.', json };
    }),

  new DukaCommand('deposit:resolve', lifetime)
    .description('settle a bank transfer by evidence; large ones need a second person')
    .requiredOption('--account <id>', 'whose deposit (acct_…)', idOf('acct'))
    .requiredOption('--deposit <id>', 'the deposit (dep_…)', idOf('dep'))
    .addOption(new Option('--mode <mode>', 'which money it moves').choices(['test', 'live']).makeOptionMandatory())
    .addOption(
      new Option(
        '--outcome <outcome>',
        'it is credited; it goes back to the payer; it never came; it went back by other means; …',
      )
        .choices(DEPOSIT_DECISIONS)
        .makeOptionMandatory(),
    )
    .option('--wallet <id>', "credit this wallet of the account instead of the virtual account's own")
    .requiredOption('--person <email>', 'who decides: the log-in of an operator')
    .requiredOption('--note <text>', 'the evidence: what the bank said, and where')
    .does<ResolveOptions>(async (session, { account, deposit: id, mode, outcome, wallet, person, note }) => {
      const app = await session.app();
      const key = { accountId: account, livemode: mode === 'live', id };
      const { isSettled, deposit } = await app
        .get(OperatorReviews)
        .resolveDeposit(await orderOf(app, { person, reason: note }), key, { outcome, walletId: wallet });
      const json = { deposit_id: encodeId('dep', id), settled: isSettled, status: deposit.status };
      const text = isSettled
        ? `${json.deposit_id} is ${json.status}.`
        : `Noted. ${json.deposit_id} needs a second person who decides the same.`;
      return { waits: !isSettled, text, json };
    }),
];

const shown = ({ accountId, id, virtualAccountId, providerReference, ...facts }: ReturnDue) => ({
  account_id: encodeId('acct', accountId),
  deposit_id: encodeId('dep', id),
  virtual_account_id: encodeId('vac', virtualAccountId),
  provider_reference: providerReference,
  ...facts,
});

function lineOf(d: ReturnType<typeof shown>, status: string, why: string): string {
  const what = `${status}  ${d.currency} ${d.amount} minor  ${d.provider}  ${why}`;
  return `${d.deposit_id}  ${d.account_id}  ${modeOf(d.livemode)}  ${what}`;
}
