import { createHash } from 'node:crypto';
import { found } from '../core/errors/not-found';
import { encodeId } from '../core/http/ids';
import type { Lifetime } from '../core/process/lifetime';
import { displayMoney, toJsonNumber } from '../core/money/money';
import { DepositsService } from '../modules/wallets/deposits.service';
import { WalletsService } from '../modules/wallets/wallets.service';
import { DukaCommand } from './commands';
import { asOperator, noteDeed, type Orderer } from './operator-deeds';
import { idOf, minorUnits, reference } from './option-values';

interface DepositOptions extends Orderer {
  wallet: string;
  amount: bigint;
  reference: string;
}

export const walletCommands = (lifetime: Lifetime): DukaCommand[] => [
  asOperator(new DukaCommand('wallet:deposit', lifetime))
    .description('put money into a wallet that reached the operator by other ways (in test mode: test money)')
    .requiredOption('--wallet <id>', 'the wallet (wal_…)', idOf('wal'))
    .requiredOption('--amount <minor>', 'in minor units (kobo, cents)', minorUnits)
    .requiredOption('--reference <text>', 'names this deposit: done once, however often it is run', reference)
    .does<DepositOptions>(async (session, { wallet: id, amount, reference: own, ...by }) => {
      const app = await session.app();
      const wallets = app.get(WalletsService);
      const wallet = found(await wallets.findAny(id), 'wallet', '/wallet');
      const source = wallet.livemode ? 'opening' : 'sandbox_source';
      const fingerprint = createHash('sha256').update(`wallet:deposit ${id} ${amount}`).digest();
      const deposit = { wallet, amount, source, reference: own, metadata: {} } as const;
      const { transactionId, replayedBy } = await app
        .get(DepositsService)
        .deposit(deposit, { key: null, fingerprint }, { requestId: null, idempotencyKey: null });
      const facts = { livemode: wallet.livemode, wallet_id: encodeId('wal', id), amount: toJsonNumber(amount), currency: wallet.currency, reference: own };
      await noteDeed(app, { ...by, accountId: wallet.accountId, action: 'wallet.deposited', target: encodeId('txn', transactionId), detail: facts });
      const { available, currency } = await wallets.require(wallet, id);
      const json = {
        transaction_id: encodeId('txn', transactionId), wallet_id: encodeId('wal', id), amount: toJsonNumber(amount), currency,
        livemode: wallet.livemode, reference: own, replayed: replayedBy !== null, available: toJsonNumber(available),
      };
      const what = json.replayed ? 'was deposited before, as' : 'deposited as';
      const text = `${displayMoney({ amount, currency })} ${what} ${json.transaction_id}; available now: ${displayMoney({ amount: available, currency })}.`;
      return { text, json };
    }),
];
