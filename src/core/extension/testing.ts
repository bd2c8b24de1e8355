import { ExtensionRegistry, frozenCopy, type Handler, type HandlerFault, invoke } from './extension-registry';
import { PointRunner } from './point-runner';
import type {
  AfterPayment,
  ContextOf,
  Filtered,
  FilterName,
  GateName,
  ObserverName,
  PaymentContext,
  PaymentDraft,
  PaymentRefused,
  ValueOf,
} from './points';

/** Keeps what the service would only log. */
class FaultKeeper extends PointRunner {
  readonly faults: HandlerFault[] = [];

  override failed(_handler: Handler, fault: HandlerFault): void {
    this.faults.push(fault);
  }
}

/**
 * For the tests of a team: runs one point as the service does, with the extensions that are given and without the app.
 * A handler that fails (throws, is slow, changes its input, answers badly) fails the test.
 */
export class ExtensionKit {
  private readonly registry = new ExtensionRegistry();
  private readonly runner = new FaultKeeper(this.registry);

  private constructor(extensions: readonly object[]) {
    for (const extension of extensions) this.registry.add(extension);
  }

  /** As modules have it. */
  get points(): PointRunner {
    return this.runner;
  }

  static with(...extensions: object[]): ExtensionKit {
    return new ExtensionKit(extensions);
  }

  async filter<P extends FilterName>(
    point: P,
    value: ValueOf<P>,
    context: ContextOf<P>,
  ): Promise<Filtered<ValueOf<P>>> {
    const filtered = await this.runner.filter(point, value, context);
    this.throwFault();
    return filtered;
  }

  /** Throws `BlockedByHook` when a gate vetoes. */
  async gate<P extends GateName>(point: P, context: ContextOf<P>): Promise<void> {
    await this.runner.ask(point, context).finally(() => this.throwFault());
  }

  async observe<P extends ObserverName>(point: P, context: ContextOf<P>): Promise<void> {
    for (const handler of this.registry.of(point, (context as Partial<PaymentContext>).operation)) {
      const { fault } = await invoke({ handler, args: [frozenCopy(context)] });
      if (fault) throw fault;
    }
  }

  private throwFault(): void {
    const fault = this.runner.faults.shift();
    if (fault) throw fault;
  }
}

const ACCOUNT_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const WALLET_ID = '01890a5d-ac96-774b-bcce-b302099a8058';
const EVENT_ID = '01890a5d-ac96-774b-bcce-b302099a8059';
const PAYMENT_ID = '01890a5d-ac96-774b-bcce-b302099a805a';

type About = Omit<Partial<PaymentContext>, 'draft'> & { readonly draft?: Partial<PaymentDraft> };

/** A payment like any other (NGN 5,000.00 to an electricity meter, in test mode), but for what is said about it. */
export function samplePayment({ draft, ...about }: About = {}): PaymentContext {
  return {
    operation: 'bill_payment',
    accountId: ACCOUNT_ID,
    livemode: false,
    objectType: 'txn',
    objectId: PAYMENT_ID,
    requestId: null,
    dryRun: false,
    draft: {
      amount: 500_000n,
      currency: 'NGN',
      walletId: WALLET_ID,
      recipient: '1111111111111',
      network: 'ikeja-electric',
      reference: null,
      metadata: {},
      ...draft,
    },
    ...about,
  };
}

const TOLD = {
  operation: 'bill_payment',
  accountId: ACCOUNT_ID,
  livemode: false,
  objectType: 'txn',
  objectId: PAYMENT_ID,
  requestId: null,
  eventId: EVENT_ID,
  attempt: 1,
} as const;

/** That payment when it is final, but for what is said about it. */
export const sampleOutcome = (about: Partial<AfterPayment> = {}): AfterPayment => ({
  ...TOLD,
  type: 'transaction.successful',
  ...about,
});

/** That payment when it was refused after its gates, but for what is said about it. */
export const sampleRefusal = (about: Partial<PaymentRefused> = {}): PaymentRefused => ({
  ...TOLD,
  code: 'insufficient_funds',
  stage: 'posting',
  ...about,
});
