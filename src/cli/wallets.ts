import { displayMoney } from '../core/money/money';
import type { Lifetime } from '../core/process/lifetime';
import { OperatorMoney } from '../modules/platform/operator-money.service';
import { DukaCommand } from './commands';
import { asOperator, idOf, minorUnits, minorUnitsOrNone, type Orderer, orderFor, reference } from './options';

interface DepositOptions extends Orderer {
  wallet: string;
  amount: bigint;
  reference: string;
}

export const walletCommands = (lifetime: Lifetime): DukaCommand[] => [
  asOperator(new DukaCommand('wallet:deposit', lifetime))
    .description(
      'put money into a wallet that reached the operator by other ways (in test mode: test money); ' +
        'large live ones need a second person',
    )
    .requiredOption('--wallet <id>', 'the wallet (wal_…)', idOf('wal'))
    .requiredOption('--amount <minor>', 'in minor units (kobo, cents)', minorUnits)
    .requiredOption('--reference <text>', 'names this deposit: done once, however often it is run', reference)
    .does<DepositOptions>(async (session, { wallet, amount, reference: own, ...by }) => {
      const app = await session.app();
      const json = await app.get(OperatorMoney).deposit(orderFor(app, by), { wallet, amount, reference: own });
      const { currency } = json;
      const money = displayMoney({ amount, currency });
      if (!json.settled) {
        return {
          waits: true,
          text:
            `Noted. ${money} needs a second person who orders the same: another operator, ` +
            'with this wallet, amount and reference.',
          json,
        };
      }
      const what = json.replayed ? 'was deposited before, as' : 'deposited as';
      const available = displayMoney({ amount: BigInt(json.available), currency });
      return { text: `${money} ${what} ${json.transaction_id}; available now: ${available}.`, json };
    }),

  asOperator(new DukaCommand('wallet:credit-limit', lifetime))
    .description(
      'say how far a wallet may be below zero; what is used beyond a lower limit stays used, and it pays nothing ' +
        'until that is back',
    )
    .requiredOption('--wallet <id>', 'the wallet (wal_…)', idOf('wal'))
    .requiredOption('--limit <minor>', 'in minor units (kobo, cents); 0: none', minorUnitsOrNone)
    .does<Orderer & { wallet: string; limit: bigint }>(async (session, { wallet, limit, ...by }) => {
      // No running process may lend.
      const app = await session.app('owner');
      const json = await app.get(OperatorMoney).setCreditLimit(orderFor(app, by), wallet, limit);
      const shown = (amount: number) => displayMoney({ amount: BigInt(amount), currency: json.currency });
      const left = `${shown(json.credit_available)} are left; available: ${shown(json.available)}`;
      return { text: `${json.wallet_id} has a credit line of ${shown(json.credit_limit)}, of which ${left}.`, json };
    }),
];
