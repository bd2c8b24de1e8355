import { displayMoney } from '../core/money/money';
import type { Lifetime } from '../core/process/lifetime';
import { OperatorMoney } from '../modules/platform/operator-money.service';
import { DukaCommand } from './commands';
import { asOperator, idOf, minorUnits, type Orderer, orderFor, reference } from './options';

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
];
