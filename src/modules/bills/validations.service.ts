import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Clock } from '../../core/clock/clock';
import { DomainError, found } from '../../core/errors/domain-error';
import type { Caller } from '../../core/http/caller';
import { encodeId, newIdOf } from '../../core/http/ids';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { Viewer } from '../../core/resources/resources';
import { fieldsOf, unknownOf, type UnknownOutcome } from '../../providers/answers';
import { Client } from '../../providers/client';
import { ProviderUnavailable, Routes } from '../../providers/routes';
import {
  assertCustomer,
  type BillOrder,
  limitsOf,
  namedItem,
  type NewValidation,
  requireServiceType,
  serviceTypeOf,
  ValidationMismatch,
} from './bill-order';
import { BillValidation } from './bill-validation.entity';
import type { Biller, BillerItem } from './biller.entity';
import type { BillsProvider, CustomerFound, ValidationQuery, ValidationResult } from './bills.provider';
import { CatalogueService } from './catalogue.service';

const GOOD_FOR_MS = 15 * 60 * 1_000;
const ANSWER_WITHIN_MS = 10_000;

/** Who said it, and what; null: the biller does not know the customer. */
interface CustomerAnswer {
  readonly provider: string;
  readonly customer: CustomerFound | null;
}

/** Asks billers who their customers are, and keeps what they say for the payments that follow. */
@Injectable()
export class ValidationsService {
  constructor(
    @InjectRepository(BillValidation) private readonly validations: Repository<BillValidation>,
    private readonly catalogue: CatalogueService,
    private readonly routes: Routes,
    private readonly client: Client,
    private readonly idempotency: Idempotency,
    private readonly clock: Clock,
  ) {}

  /** Throws `NotFound`, `FieldRefused`, `CustomerNotFound`, `ProviderUnavailable`, `IdempotencyKeyReused`. */
  async validate(caller: Caller, asked: NewValidation, request: RequestClaim): Promise<Made<BillValidation>> {
    const { accountId, livemode } = caller;
    const id = newIdOf(accountId);
    const claim = { accountId, livemode, ...request, reference: null, resource: 'val', resourceId: id } as const;
    // The biller is asked outside of the transaction that claims the key: a repetition must not ask it again.
    const seen = await this.idempotency.replayOf(claim);
    if (seen) return { made: await this.require(caller, seen.resourceId), replayedBy: seen.by };
    const validation = { ...(await this.identify(caller, asked, { isKept: false })), id };
    const replay = await this.idempotency.once(claim, async (tx) => void (await tx.insert(BillValidation, validation)));
    return {
      made: replay ? await this.require(caller, replay.resourceId) : validation,
      replayedBy: replay?.by ?? null,
    };
  }

  /** The caller's validation. Throws `NotFound`. */
  async require(
    { accountId, livemode }: Viewer,
    id: string | null,
    param: string | null = null,
  ): Promise<BillValidation> {
    return found(
      id === null ? null : await this.validations.findOneBy({ accountId, livemode, id }),
      'validation',
      param,
    );
  }

  /**
   * The validation that a payment names, if it is about the payment and still good. Throws `NotFound`,
   * `ValidationMismatch`, `ValidationExpired`.
   */
  async requireFor(viewer: Viewer, id: string | null, order: BillOrder): Promise<BillValidation> {
    const validation = await this.require(viewer, id, '/validation_id');
    if (validation.billerCode !== order.billerCode) throw new ValidationMismatch(validation.id, '/biller_code');
    if (validation.customer !== order.customer) throw new ValidationMismatch(validation.id, '/customer_identifier');
    if (validation.expiresAt <= (await this.clock.now(viewer))) throw new ValidationExpired(validation.id);
    return validation;
  }

  /** What the biller says of a customer now. Throws as `validate`. */
  async identify(viewer: Viewer, asked: NewValidation, { isKept }: { isKept: boolean }): Promise<BillValidation> {
    const { accountId, livemode } = viewer;
    const { billerCode, itemCode, customer } = asked;
    const biller = await this.catalogue.requireBiller(billerCode, '/biller_code');
    assertCustomer(biller, customer);
    const items = await this.catalogue.listItems(biller);
    const item = namedItem(items, itemCode);
    const given = serviceTypeOf(biller, asked, item);
    const serviceType = biller.serviceTypeValidated ? requireServiceType(biller, given) : given;
    const about = { billerCode, itemCode, customer, serviceType };
    const answer = await this.ask(viewer, biller, { ...about, category: biller.category, livemode });
    if (answer.customer === null) throw new CustomerNotFound(biller.name, biller.customerLabel);
    const validation = {
      accountId,
      livemode,
      id: newIdOf(accountId),
      ...about,
      ...shownOf(answer.customer, biller, items, item),
      currency: biller.currency,
      provider: answer.provider,
      expiresAt: new Date((await this.clock.now(viewer)).getTime() + GOOD_FOR_MS),
    };
    if (isKept) await this.validations.insert(validation);
    return validation;
  }

  /**
   * Asks one provider after the other until one reaches the biller: a question may be repeated. Throws
   * `ProviderUnavailable`.
   */
  private async ask(viewer: Viewer, { code, name, enabled }: Biller, query: ValidationQuery): Promise<CustomerAnswer> {
    const wanted = { ...viewer, product: 'bills', network: code } as const;
    for (const { name: provider } of enabled ? await this.routes.inOrder(wanted) : []) {
      const result = await this.client.ask<BillsProvider, ValidationResult | UnknownOutcome>(
        { ...wanted, provider, id: code },
        {
          call: 'validate',
          ask: (adapter, signal) => adapter.validate(query, signal),
          parse: asValidationResult,
          timeoutMs: ANSWER_WITHIN_MS,
        },
      );
      if (result.outcome === 'found' || result.outcome === 'not_found')
        return { provider, customer: result.outcome === 'found' ? result : null };
    }
    throw new ProviderUnavailable(`${name} cannot be reached`);
  }
}

/** What an adapter returned: anything that is not one of the answers is `unknown`. */
function asValidationResult(value: unknown): ValidationResult | UnknownOutcome {
  const { outcome } = fieldsOf(value);
  if (outcome === 'found') return value as CustomerFound;
  return outcome === 'not_found' || outcome === 'unavailable' ? { outcome } : unknownOf(fieldsOf(value));
}

type Shown = Pick<
  BillValidation,
  'customerName' | 'address' | 'arrears' | 'minAmount' | 'maxAmount' | 'currentPlan' | 'renewalAmount'
>;

/** What the biller leaves open, the catalogue says. */
function shownOf(
  customer: CustomerFound,
  biller: Biller,
  items: readonly BillerItem[],
  item: BillerItem | null,
): Shown {
  const { customerName, address, arrears, currentPlan } = customer;
  const { min, max } = limitsOf(biller, item);
  const plan = items.find(({ code }) => code === currentPlan);
  return {
    customerName,
    address,
    arrears,
    currentPlan,
    minAmount: customer.minAmount ?? min,
    maxAmount: customer.maxAmount ?? max,
    renewalAmount: customer.renewalAmount ?? plan?.amount ?? null,
  };
}

class CustomerNotFound extends DomainError {
  constructor(billerName: string, customerLabel: string) {
    super({
      code: 'customer_not_found',
      kind: 'unprocessable',
      title: 'Customer not found',
      param: '/customer_identifier',
      detail: `${billerName} does not know this ${customerLabel.toLowerCase()}.`,
    });
  }
}

class ValidationExpired extends DomainError {
  constructor(validationId: string) {
    super({
      code: 'validation_expired',
      kind: 'conflict',
      title: 'Validation expired',
      param: '/validation_id',
      detail: 'The validation is too old: validate the customer again.',
      resourceId: encodeId('val', validationId),
    });
  }
}
