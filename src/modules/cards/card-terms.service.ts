import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { found } from '../../core/errors/not-found';
import { Extensions } from '../../core/extension/extensions';
import type { FilterChange, PaymentContext } from '../../core/extension/points';
import { decodeId } from '../../core/http/ids';
import { toJsonNumber } from '../../core/money/money';
import type { Viewer } from '../../core/resources/resources';
import { WalletsService } from '../wallets/wallets.service';
import { IssuerUnavailable } from './cards.errors';
import type { Brand } from './cards.types';
import { IssuersService } from './issuers.service';

export interface CardPrice {
  /** Minor units. */
  readonly fee: bigint;
  /** For `details.breakdown`: where the fee comes from, with every filter that changed it. */
  readonly breakdown: readonly object[];
}

/** Who issues a card. */
export interface IssuerChoice {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** What filters changed; for `details.routing`. */
  readonly changes: readonly FilterChange[];
}

interface FeeRow {
  readonly flat: string;
  readonly basis_points: number;
  readonly cap: string | null;
}

const BASIS_POINTS = 10_000n;

const SELECT_FEE = `
  SELECT f.flat, f.basis_points, f.cap FROM accounts a JOIN fees f ON f.tier = a.tier WHERE a.id = $1 AND f.product = $2 AND f.currency = $3`;

/** What moving money to and from cards costs, whether it may, and who issues. Reads only. */
@Injectable()
export class CardTermsService {
  private readonly log = new Logger('cards');

  constructor(
    private readonly dataSource: DataSource,
    private readonly issuers: IssuersService,
    private readonly extensions: Extensions,
    private readonly wallets: WalletsService,
  ) {}

  /** The caller's wallet of that public id. Throws `NotFound`. */
  async walletOf({ accountId, livemode }: Viewer, publicId: string): Promise<string> {
    const id = decodeId('wal', publicId);
    const wallet = id === null ? null : await this.wallets.findAny(id);
    return found(wallet?.accountId === accountId && wallet.livemode === livemode ? id : null, 'wallet', '/wallet_id');
  }

  /** The fee of the table `fees` for the operation, after the filters of `svc_transaction_fee`. No row: no fee. */
  async priceOf(context: PaymentContext): Promise<CardPrice> {
    const { operation, accountId, draft: { amount, currency } } = context;
    const [row]: FeeRow[] = await this.dataSource.query(SELECT_FEE, [accountId, operation, currency]);
    const listed = row ? feeOf(row, amount) : 0n;
    const breakdown: object[] = [{ kind: 'fee', amount: toJsonNumber(listed), by: 'fee_table' }];
    if (this.extensions.isEmpty('svc_transaction_fee', operation)) return { fee: listed, breakdown };
    const { value, changes } = await this.extensions.fee({ amount: listed, currency }, context);
    return { fee: value.amount, breakdown: [...breakdown, ...changes.map((change) => ({ kind: 'fee_filter', ...change }))] };
  }

  /** The first issuer of the routes, after the filters of `svc_payment_gateway`. Throws `IssuerUnavailable`. */
  async issuerFor(brand: Brand, context: PaymentContext): Promise<IssuerChoice> {
    const { operation, accountId, livemode, requestId, dryRun, draft } = context;
    const listed = (await this.issuers.inOrder(brand, livemode)).map((name) => ({ name, options: {} }));
    const filtered = this.extensions.isEmpty('svc_payment_gateway', operation) ? null : await this.extensions.gateways(listed, context);
    const [first] = filtered?.value ?? listed;
    if (first !== undefined) return { ...first, changes: filtered?.changes ?? [] };
    const error = { stage: 'platform', code: 'provider_unavailable', message: `nobody can issue a ${brand} card now` } as const;
    this.log.error({ message: error.message, livemode });
    this.extensions.onError({ operation, accountId, livemode, requestId, dryRun, draft, error });
    throw new IssuerUnavailable();
  }

  /** `svc_before_payment`. Throws `BlockedByHook`, `GateUnavailable`. */
  async ask(context: PaymentContext): Promise<void> {
    if (!this.extensions.isEmpty('svc_before_payment', context.operation)) await this.extensions.gate(context);
  }
}

/** Flat plus basis points of the amount, at most the cap. */
function feeOf({ flat, basis_points: basisPoints, cap }: FeeRow, amount: bigint): bigint {
  const fee = BigInt(flat) + (amount * BigInt(basisPoints)) / BASIS_POINTS;
  return cap !== null && fee > BigInt(cap) ? BigInt(cap) : fee;
}
