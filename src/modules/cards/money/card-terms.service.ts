import { Injectable, Logger } from '@nestjs/common';
import { found } from '../../../core/errors/not-found';
import { Extensions } from '../../../core/extension/extensions';
import type { FilterChange, PaymentContext } from '../../../core/extension/points';
import { decodeId } from '../../../core/http/ids';
import type { Viewer } from '../../../core/resources/resources';
import { type FeeProduct, FeesService, type Priced } from '../../pricing/fees.service';
import { WalletsService } from '../../wallets/wallets.service';
import type { Brand } from '../card-issuer';
import { IssuerUnavailable } from '../cards.errors';
import { IssuersService } from '../issuers/issuers.service';

/** Who issues a card. */
export interface IssuerChoice {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** What filters changed; for `details.routing`. */
  readonly changes: readonly FilterChange[];
}

/** What moving money to and from cards costs, whether it may, and who issues. Reads only. */
@Injectable()
export class CardTermsService {
  private readonly log = new Logger('cards');

  constructor(
    private readonly fees: FeesService,
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

  priceOf(product: Extract<FeeProduct, `card_${string}`>, context: PaymentContext): Promise<Priced> {
    return this.fees.priced(product, context);
  }

  /** The first issuer of the routes, after the filters of `svc_payment_gateway`. Throws `IssuerUnavailable`. */
  async issuerFor(brand: Brand, context: PaymentContext): Promise<IssuerChoice> {
    const { operation, accountId, livemode, requestId, dryRun, draft } = context;
    const listed = (await this.issuers.inOrder(brand, { accountId, livemode })).map((name) => ({ name, options: {} }));
    const { value, changes } = await this.extensions.gateways(listed, context);
    const [first] = value;
    if (first !== undefined) return { ...first, changes };
    const error = {
      stage: 'platform',
      code: 'provider_unavailable',
      message: `nobody can issue a ${brand} card now`,
    } as const;
    this.log.error({ message: error.message, livemode });
    this.extensions.onError({ operation, accountId, livemode, requestId, dryRun, draft, error });
    throw new IssuerUnavailable();
  }

  /** `svc_before_payment`. Throws `BlockedByHook`, `GateUnavailable`. */
  ask(context: PaymentContext): Promise<void> {
    return this.extensions.gate(context);
  }
}
