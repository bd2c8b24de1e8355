import { CURRENCIES, type Currency, displayMoney } from '../core/money/money';
import { encodeId } from '../core/http/ids';
import type { Lifetime } from '../core/process/lifetime';
import { OperatorAccounts } from '../modules/platform/operator-accounts.service';
import { DukaCommand, modeOf } from './commands';
import { asOperator, currency, idOf, minorUnits, type Orderer, orderFor } from './options';

interface LimitsOptions extends Orderer {
  account: string;
  currency: Currency;
  single: bigint | null;
  daily: bigint | null;
  approvalAbove: bigint | null;
  test: boolean;
}

export const payoutCommands = (lifetime: Lifetime): DukaCommand[] => [
  asOperator(new DukaCommand('payout:limits', lifetime))
    .description(
      'say how much an account may pay out, and from where on a second person is needed; what is left out has no limit',
    )
    .requiredOption('--account <id>', 'the account (acct_…)', idOf('acct'))
    .option('--currency <currency>', `one of ${CURRENCIES.join(', ')}`, currency, 'NGN')
    .option('--single <amount>', 'the largest payout, in minor units', minorUnits, null)
    .option('--daily <amount>', 'of all payouts within 24 hours, in minor units', minorUnits, null)
    .option('--approval-above <amount>', 'larger ones wait for a second person, in minor units', minorUnits, null)
    .option('--test', 'of test mode', false)
    .does<LimitsOptions>(async (session, { account, currency: of, single, daily, approvalAbove, test, ...by }) => {
      // No running process may say what an account may pay out.
      const app = await session.app('owner');
      const key = { accountId: account, livemode: !test, currency: of };
      const limits = { singleLimit: single, dailyLimit: daily, approvalAbove };
      const order = await orderFor(app, by)(!test);
      await app.get(OperatorAccounts).setPayoutLimits(order, key, limits);
      const shown = (amount: bigint | null) => (amount === null ? 'no limit' : displayMoney({ amount, currency: of }));
      const text =
        `${encodeId('acct', account)} may pay out in ${modeOf(!test)} mode: at once ${shown(single)}, ` +
        `within 24 hours ${shown(daily)}; a second person is needed ` +
        `${approvalAbove === null ? 'never' : `above ${shown(approvalAbove)}`}.`;
      const json = {
        account_id: encodeId('acct', account),
        livemode: !test,
        currency: of,
        single_limit: single?.toString() ?? null,
        daily_limit: daily?.toString() ?? null,
        approval_above: approvalAbove?.toString() ?? null,
      };
      return { text, json };
    }),
];
