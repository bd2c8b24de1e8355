import { createHash } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { Reviews } from '../core/adapters/reviews';
import { found } from '../core/errors/not-found';
import { encodeId, newId } from '../core/http/ids';
import { Idempotency } from '../core/idempotency/idempotency';
import { displayMoney, toJsonNumber } from '../core/money/money';
import type { Lifetime } from '../core/process/lifetime';
import { deedWrite } from '../modules/dashboard-api/audit.service';
import { type DepositResult, DepositsService, type NewDeposit } from '../modules/wallets/deposits.service';
import { WalletsService } from '../modules/wallets/wallets.service';
import { DukaCommand } from './commands';
import { asOperator, deedOf, liveOperatorOf, type Orderer } from './operator-deeds';
import { idOf, minorUnits, reference } from './option-values';

interface DepositOptions extends Orderer {
  wallet: string;
  amount: bigint;
  reference: string;
}

const NO_ORIGIN = { requestId: null, idempotencyKey: null };

export const walletCommands = (lifetime: Lifetime): DukaCommand[] => [
  asOperator(new DukaCommand('wallet:deposit', lifetime))
    .description(
      'put money into a wallet that reached the operator by other ways (in test mode: test money); large live ones need a second person',
    )
    .requiredOption('--wallet <id>', 'the wallet (wal_…)', idOf('wal'))
    .requiredOption('--amount <minor>', 'in minor units (kobo, cents)', minorUnits)
    .requiredOption('--reference <text>', 'names this deposit: done once, however often it is run', reference)
    .does<DepositOptions>(async (session, options) => {
      const app = await session.app();
      const wallets = app.get(WalletsService);
      const wallet = found(await wallets.findAny(options.wallet), 'wallet', '/wallet');
      const result = await deposit(app, wallet, options);
      const { available, currency } = await wallets.require(wallet, wallet.id);
      const { amount, reference: own } = options;
      const json = {
        transaction_id: result && encodeId('txn', result.transactionId),
        wallet_id: encodeId('wal', wallet.id),
        amount: toJsonNumber(amount),
        currency,
        livemode: wallet.livemode,
        reference: own,
        settled: result !== null,
        replayed: result !== null && result.replayedBy !== null,
        available: toJsonNumber(available),
      };
      const money = displayMoney({ amount, currency });
      if (!json.settled)
        return {
          waits: true,
          text: `Noted. ${money} needs a second person who orders the same: another operator, with this wallet, amount and reference.`,
          json,
        };
      const what = json.replayed ? 'was deposited before, as' : 'deposited as';
      return {
        text: `${money} ${what} ${json.transaction_id}; available now: ${displayMoney({ amount: available, currency })}.`,
        json,
      };
    }),
];

/** Null: a second person must order the same. */
async function deposit(
  app: INestApplicationContext,
  wallet: NewDeposit['wallet'],
  { amount, reference: own, ...by }: DepositOptions,
): Promise<DepositResult | null> {
  const { accountId, livemode, currency } = wallet;
  const operator = livemode ? await liveOperatorOf(app, by) : null;
  const [id, walletId] = [newId(), encodeId('wal', wallet.id)];
  const request = { key: null, fingerprint: sha256(`wallet:deposit ${wallet.id} ${amount}`) };
  const planned: NewDeposit = {
    wallet,
    amount,
    source: livemode ? 'opening' : 'sandbox_source',
    reference: own,
    metadata: {},
    id,
  };
  const deposits = app.get(DepositsService);
  const replay = await app
    .get(Idempotency, { strict: false })
    .replayOf({ accountId, livemode, ...request, reference: own, resource: 'txn', resourceId: id });
  if (replay !== null) return { transactionId: replay.resourceId, replayedBy: replay.by };
  const facts = { livemode, wallet_id: walletId, amount: toJsonNumber(amount), currency, reference: own };
  const noted = (isSettled: boolean) => {
    const [action, target] = isSettled
      ? ['wallet.deposited', encodeId('txn', id)]
      : ['wallet.deposit_ordered', walletId];
    return [deedWrite(deedOf(operator, by, { accountId, action, target, detail: facts }))];
  };
  if (operator === null) return deposits.deposit({ ...planned, writes: noted(true) }, request, NO_ORIGIN);
  // What would be refused is refused to the first person.
  await deposits.preview(planned, request);
  const reviews = app.get(Reviews);
  const subject = {
    accountId,
    livemode,
    resource: 'wal',
    id: orderId(wallet.id, amount, own),
    publicId: walletId,
    round: 0,
  } as const;
  const ballot = { person: operator, outcome: 'deposit', note: `${own}: ${by.reason}`, writes: noted };
  return reviews.decide(subject, ballot, reviews.peopleNeeded({ amount, currency }), (writes) =>
    deposits.deposit({ ...planned, writes }, request, NO_ORIGIN),
  );
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The uuid of an order: wallet, amount and reference make it the same. */
const orderId = (walletId: string, amount: bigint, own: string): string =>
  sha256(`${walletId} ${amount} ${own}`)
    .toString('hex', 0, 16)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.*)$/, '$1-$2-$3-$4-$5');
