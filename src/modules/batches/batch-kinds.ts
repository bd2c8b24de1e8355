import { Injectable } from '@nestjs/common';
import type { Caller } from '../../core/http/caller';
import { decodeId } from '../../core/http/ids';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import type { Currency } from '../../core/money/money';
import type { ScopeName } from '../../vocabulary/scopes';
import { AirtimeService } from '../airtime/airtime.service';
import { BillsService } from '../bills/bills.service';
import { DataService } from '../data/data.service';
import { PostingRefused } from '../ledger/posting';
import { PayoutsService } from '../payouts/payouts.service';
import { isRunning } from '../purchases/running';
import type { TransactionRecord } from '../transactions/transactions.service';
import type { Transfer } from '../wallets/transfer.entity';
import { TransfersService, type WantedTransfer } from '../wallets/transfers.service';
import { WalletsService } from '../wallets/wallets.service';
import type { Batch, BatchFailure, BatchItem, BatchKindName } from './batch.entity';
import { claimOfRow, readRow, type RowOrders } from './batch-row.dto';

/** What a row costs, and which wallet pays it. Amounts in minor units. */
export interface Price {
  readonly walletId: string;
  readonly currency: Currency;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly total: bigint;
}

/** What became of a row that was begun: what it made, and whether that goes on. */
export interface RowOutcome extends Price {
  readonly status: 'processing' | 'successful' | 'failed';
  readonly resource: 'txn' | 'trf';
  readonly resourceId: string;
  readonly failure: BatchFailure | null;
}

/** One kind of row: what its single route asks of a key, what it would cost, and how it is done. */
interface Kind<Order> {
  readonly scope: ScopeName;
  /** Writes nothing; that the wallet has too little is no refusal. */
  readonly price: (caller: Caller, order: Order) => Promise<Price>;
  /** Through the same door as the single route, in the name of a claim. */
  readonly carryOut: (caller: Caller, order: Order, claim: RequestClaim) => Promise<RowOutcome>;
}

/** The kinds of rows, each by the service that its single route calls. */
@Injectable()
export class BatchKinds {
  private readonly kinds: { readonly [Name in BatchKindName]: Kind<RowOrders[Name]> };

  constructor(
    airtime: AirtimeService,
    data: DataService,
    bills: BillsService,
    payouts: PayoutsService,
    private readonly transfers: TransfersService,
    private readonly wallets: WalletsService,
  ) {
    const sold = <Order>(
      scope: ScopeName,
      price: (caller: Caller, order: Order) => Promise<TransactionRecord>,
      buy: (caller: Caller, order: Order, claim: RequestClaim) => Promise<Made<TransactionRecord>>,
    ): Kind<Order> => ({
      scope,
      price: async (caller, order) => priceOf(await price(caller, order)),
      carryOut: async (caller, order, claim) => outcomeOf((await buy(caller, order, claim)).made),
    });
    this.kinds = {
      airtime: sold('purchases:write', airtime.price.bind(airtime), airtime.buy.bind(airtime)),
      data: sold('purchases:write', data.price.bind(data), data.buy.bind(data)),
      bill: sold('purchases:write', bills.price.bind(bills), bills.pay.bind(bills)),
      payout: sold('payouts:write', payouts.price.bind(payouts), payouts.pay.bind(payouts)),
      transfer: {
        scope: 'wallets:write',
        price: (caller, order) => this.priceOfTransfer(caller, order),
        carryOut: async (caller, order, claim) => ofTransfer((await transfers.transfer(caller, order, claim)).made),
      },
    };
  }

  scopeOf(kind: BatchKindName): ScopeName {
    return this.kinds[kind].scope;
  }

  /** Throws what the single route would refuse, but for too little money; pointers are into the row. */
  async price(caller: Caller, batch: Batch, item: BatchItem): Promise<Price> {
    return this.of(batch).price(caller, readRow(batch, item));
  }

  /** Throws what the single route would refuse; pointers are into the row. */
  async carryOut(caller: Caller, batch: Batch, item: BatchItem): Promise<RowOutcome> {
    return this.of(batch).carryOut(caller, readRow(batch, item), claimOfRow(batch.id, item.number));
  }

  private of({ kind }: Batch): Kind<unknown> {
    return this.kinds[kind] as Kind<unknown>;
  }

  private async priceOfTransfer(caller: Caller, order: WantedTransfer): Promise<Price> {
    try {
      const { transfer } = await this.transfers.preview(caller, order, { key: null, fingerprint: NOTHING });
      const { walletId, currency, amount, fee, total } = ofTransfer(transfer);
      return { walletId, currency, amount, fee, total };
    } catch (error) {
      if (!(error instanceof PostingRefused) || error.refusal.reason !== 'insufficient_funds') throw error;
      const { id, currency } = await this.wallets.require(caller, decodeId('wal', order.fromWallet), '/from_wallet');
      return { walletId: id, currency, amount: order.amount, fee: 0n, total: order.amount };
    }
  }
}

/** A preview claims nothing. */
const NOTHING = Buffer.alloc(0);

const priceOf = ({ walletId, currency, amount, fee, commission }: TransactionRecord): Price => ({
  walletId,
  currency,
  amount,
  fee,
  total: amount + fee - commission,
});

const outcomeOf = (transaction: TransactionRecord): RowOutcome => {
  const { id, status, failure } = transaction;
  const made = { ...priceOf(transaction), resource: 'txn', resourceId: id } as const;
  if (isRunning(status)) return { ...made, status: 'processing', failure: null };
  if (status === 'successful') return { ...made, status, failure: null };
  const { code = status, message = `The transaction is ${status}.` } = (failure ?? {}) as Partial<Failed>;
  return { ...made, status: 'failed', failure: { code, param: null, detail: message } };
};

/** What a transaction says of its failure. */
interface Failed {
  readonly code: string;
  readonly message: string;
}

/** Final at once, but for one to a wallet of another cell. */
export const ofTransfer = ({ id, fromWalletId, currency, amount, fee, status, failure }: Transfer): RowOutcome => ({
  walletId: fromWalletId,
  currency,
  amount,
  fee,
  total: amount + fee,
  status,
  resource: 'trf',
  resourceId: id,
  failure: failure && { code: failure.code, param: null, detail: failure.message },
});
