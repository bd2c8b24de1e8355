import { Injectable } from '@nestjs/common';
import { DomainError, found } from '../../core/errors/domain-error';
import type { Caller } from '../../core/http/caller';
import { decodeId } from '../../core/http/ids';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import { displayMoney } from '../../core/money/money';
import type { Viewer } from '../../core/resources/resources';
import { BeneficiariesService } from '../beneficiaries/beneficiaries.service';
import { type NetworkRecord, type PhoneQuestion, PhoneService } from '../phones/phone.service';
import { Routes } from '../../providers/routes';
import { type PurchasePreview, PurchasesService } from '../purchases/purchases.service';
import type { CommonPurchase, NewPurchase } from '../purchases/running';
import type { TransactionRecord } from '../transactions/transactions.service';
import { WalletsService } from '../wallets/wallets.service';
import type { AirtimeItem } from './airtime.provider';

/** An airtime purchase as the caller asks for it. */
export interface WantedAirtime {
  /** Minor units of the network's currency. */
  readonly amount: bigint;
  /** Its phone is null where a beneficiary is named. */
  readonly recipient: Omit<PhoneQuestion, 'livemode' | 'phone'> & { readonly phone?: string | null };
  /** Public id. */
  readonly beneficiaryId: string | null;
  readonly terms: CommonPurchase;
}

const WALLETS_MAX = 100;

export interface OfferedNetwork {
  readonly network: NetworkRecord;
  /** Some provider of the caller's mode would be asked now. */
  readonly isAvailable: boolean;
}

@Injectable()
export class AirtimeService {
  constructor(
    private readonly phones: PhoneService,
    private readonly purchases: PurchasesService,
    private readonly routes: Routes,
    private readonly wallets: WalletsService,
    private readonly beneficiaries: BeneficiariesService,
  ) {}

  /**
   * Throws `NotFound`, `BeneficiaryKindMismatch`, `AirtimeAmountOutOfRange` and what `PhoneService.resolve` and
   * `PurchasesService.purchase` throw.
   */
  async buy(caller: Caller, wanted: WantedAirtime, request: RequestClaim): Promise<Made<TransactionRecord>> {
    const made = await this.purchases.purchase(caller, { request, reference: wanted.terms.reference }, () =>
      this.orderOf(caller, wanted),
    );
    return this.beneficiaries.noteUse(caller, wanted.beneficiaryId, made);
  }

  /** What `buy` would do now; writes nothing. */
  async preview(caller: Caller, wanted: WantedAirtime): Promise<PurchasePreview> {
    return this.purchases.preview(caller, await this.orderOf(caller, wanted));
  }

  /** What `buy` would cost now, whether or not the wallet has it. */
  async price(caller: Caller, wanted: WantedAirtime): Promise<TransactionRecord> {
    return this.purchases.price(caller, await this.orderOf(caller, wanted));
  }

  /** Networks by country and slug; all countries without one. */
  async listNetworks(viewer: Viewer, country: string | null): Promise<OfferedNetwork[]> {
    const networks = await this.phones.listNetworks(country);
    return Promise.all(
      networks.map(async (network) => ({
        network,
        isAvailable: await this.routes.isAvailable({ ...viewer, product: 'airtime', network: network.slug }),
      })),
    );
  }

  /** The country of the wallet that pays, for a number in local form: of the one that is named, else of the oldest. */
  private async homeOf(
    viewer: Viewer,
    { phone, country }: Pick<PhoneQuestion, 'phone' | 'country'>,
    { walletId }: CommonPurchase,
  ): Promise<string | null> {
    if (country || phone.startsWith('+')) return null;
    const payer =
      walletId === null
        ? (await this.wallets.list(viewer, {}, null, WALLETS_MAX)).findLast(({ status }) => status === 'active')
        : await this.wallets.require(viewer, decodeId('wal', walletId));
    return (await this.phones.listNetworks(null)).find(({ currency }) => currency === payer?.currency)?.country ?? null;
  }

  private async orderOf(viewer: Viewer, wanted: WantedAirtime): Promise<NewPurchase<AirtimeItem>> {
    const { amount, beneficiaryId, terms } = wanted;
    const kept = (await this.beneficiaries.requirePayable(viewer, beneficiaryId, 'phone'))?.details;
    const recipient = {
      ...wanted.recipient,
      phone: kept?.phone ?? wanted.recipient.phone!,
      network: wanted.recipient.network ?? kept?.network,
    };
    const {
      phone,
      country,
      network: slug,
      networkSource,
    } = await this.phones.resolve({
      ...recipient,
      home: await this.homeOf(viewer, recipient, terms),
      livemode: viewer.livemode,
    });
    const network = found(await this.phones.findNetwork(country, slug), 'network', '/network');
    if (amount < network.minAmount || amount > network.maxAmount) throw new AirtimeAmountOutOfRange(network, amount);
    return {
      ...terms,
      product: 'airtime',
      amount,
      commission: (amount * BigInt(network.commissionBps)) / 10_000n,
      currency: network.currency,
      recipient: phone,
      network: slug,
      variant: null,
      item: { phone, network: slug, country },
      details: {
        phone,
        network: slug,
        network_source: networkSource,
        ...(beneficiaryId && { beneficiary_id: beneficiaryId }),
      },
    };
  }
}

class AirtimeAmountOutOfRange extends DomainError {
  constructor(
    { name, minAmount, maxAmount, currency }: Pick<NetworkRecord, 'name' | 'minAmount' | 'maxAmount' | 'currency'>,
    actual: bigint,
  ) {
    const [least, most] = [minAmount, maxAmount].map((amount) => displayMoney({ amount, currency }));
    super({
      code: 'amount_out_of_range',
      kind: 'malformed',
      title: 'Amount is out of range',
      detail: `${name} takes ${minAmount} (${least}) to ${maxAmount} (${most}) at once.`,
      param: '/amount',
      figures: { min: minAmount, max: maxAmount, actual },
    });
  }
}
