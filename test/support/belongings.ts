import { randomUUID } from 'node:crypto';
import { decodeId } from '../../src/core/http/ids';
import { DepositsService } from '../../src/modules/wallets/deposits.service';
import { WalletsService } from '../../src/modules/wallets/wallets.service';
import type { Api } from './api';
import type { Duka } from './duka';

/** One of each thing that an account can own, under the name that an address has for it. */
export interface Belongings {
  readonly wal: string;
  readonly trf: string;
  readonly txn: string;
  readonly evt: string;
  readonly whk: string;
  readonly dlv: string;
  /** An idempotency key that was used. */
  readonly key: string;
  readonly reference: string;
  /** Code of a biller, which all accounts see alike. */
  readonly biller: string;
}

/** Makes one of each with `api`'s key, so that every list has more than one row, and leaves 1,000 minor units in the wallet. */
export async function acquire(duka: Duka, api: Api): Promise<Belongings> {
  const [from, to] = [await api.wallet(), await api.wallet()];
  await deposit(duka, from, 1100n);
  const [key, reference] = [`key-${randomUUID()}`, `ref-${randomUUID()}`];
  await api.post('/v4/wallets/transfer', { from_wallet: from, to_wallet: to, amount: 50 });
  const { body: transfer } = await api.post('/v4/wallets/transfer', { from_wallet: from, to_wallet: to, amount: 50, reference }, { key });
  const { body: events } = await api.get('/v4/events');
  const hook = { ...(await webhook(api)), evt: events.data[0].id };
  return { wal: from, trf: transfer.id, txn: transfer.transactions.debit, ...hook, key, reference, biller: 'ikeja-electric' };
}

/** An endpoint with a delivery, beside two others. Its address is public, as live mode demands, and nobody's. */
async function webhook(api: Api): Promise<Pick<Belongings, 'whk' | 'dlv'>> {
  const make = async () => (await api.post('/v4/webhooks', { url: 'https://11.11.11.11:9999/hooks', events: ['*'] })).body.id;
  const [whk] = [await make(), await make(), await make()];
  const { body: tested } = await api.post(`/v4/webhooks/${whk}/test`);
  await api.post(`/v4/webhooks/${whk}/test`);
  return { whk, dlv: tested.id };
}

/** As an operator does it: the sandbox has no live money. */
async function deposit(duka: Duka, walletId: string, amount: bigint): Promise<void> {
  const wallet = (await duka.get<WalletsService>(WalletsService).findAny(decodeId('wal', walletId)!))!;
  const source = wallet.livemode ? 'opening' : 'sandbox_source';
  const claim = { key: null, fingerprint: Buffer.alloc(32) };
  await duka.get<DepositsService>(DepositsService).deposit(
    { wallet, amount, source, reference: null, metadata: {} }, claim, { requestId: null, idempotencyKey: null },
  );
}
