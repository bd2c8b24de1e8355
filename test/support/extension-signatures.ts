import { Filter, OnHook } from '../../src/core/extension/decorators';
import {
  type AfterPayment,
  type BeforePayment,
  type FeeContext,
  type FilterPoint,
  type FormatContext,
  type GatePoint,
  type GatewayChoice,
  type GatewayContext,
  type OnErrorContext,
  publishPoint,
  type Verdict,
} from '../../src/core/extension/points';
import type { Money } from '../../src/core/money/money';

declare module '../../src/core/extension/points' {
  interface ExtensionPoints {
    test_greeting: FilterPoint<string, { readonly name: string }>;
    test_door: GatePoint<{ readonly hour: number }>;
  }
}

/** What compiles. */
export class Right {
  @Filter('svc_transaction_fee', {
    id: 'test.sync',
    priority: 1,
    timeoutMs: 5,
    mode: 'shadow',
    operations: ['transfer'],
  })
  sync(fee: Money, { draft }: FeeContext, signal: AbortSignal): Money {
    return signal.aborted ? fee : { ...fee, amount: draft.amount };
  }

  @Filter('svc_transaction_fee', { id: 'test.async' })
  async async(fee: Money): Promise<Money> {
    return fee;
  }

  @Filter('svc_payment_gateway', { id: 'test.gateways' })
  reverse(list: readonly GatewayChoice[], { livemode }: GatewayContext): readonly GatewayChoice[] {
    return livemode ? list : list.toReversed();
  }

  @Filter('svc_currency_format', { id: 'test.format' })
  format(text: string, { money }: FormatContext): string {
    return `${text} ${money.currency}`;
  }

  @OnHook('svc_before_payment', { id: 'test.gate', mode: 'shadow' })
  async gate({ dryRun }: BeforePayment): Promise<Verdict> {
    return dryRun ? undefined : { veto: true, code: 'no', message: 'No.' };
  }

  @OnHook('svc_after_payment', { id: 'test.after', timeoutMs: 10 })
  after(_payment: AfterPayment, _signal: AbortSignal): void {}

  @OnHook('svc_on_error', { id: 'test.error' })
  async error(_error: OnErrorContext): Promise<void> {}

  @Filter('test_greeting', { id: 'test.own-filter' })
  greet(text: string, { name }: { readonly name: string }): string {
    return text + name;
  }

  @OnHook('test_door', { id: 'test.own-gate' })
  open({ hour }: { readonly hour: number }): Verdict {
    return hour > 8 ? undefined : { veto: true, code: 'closed', message: 'Closed.' };
  }
}

/** What does not. */
export class Wrong {
  // @ts-expect-error a fee is Money, not a number
  @Filter('svc_transaction_fee', { id: 'test.b' })
  fee(fee: number): number {
    return fee;
  }

  // @ts-expect-error it must return the fee
  @Filter('svc_transaction_fee', { id: 'test.c' })
  nothing(_fee: Money): void {}

  // @ts-expect-error the amount is a bigint
  @Filter('svc_transaction_fee', { id: 'test.d' })
  float(fee: Money): { amount: number; currency: Money['currency'] } {
    return { ...fee, amount: 1.5 };
  }

  // @ts-expect-error the context of another point
  @Filter('svc_transaction_fee', { id: 'test.e' })
  context(fee: Money, _context: FormatContext): Money {
    return fee;
  }

  // @ts-expect-error display is synchronous
  @Filter('svc_currency_format', { id: 'test.f' })
  async format(text: string): Promise<string> {
    return text;
  }

  // @ts-expect-error a gate is no filter
  @Filter('svc_before_payment', { id: 'test.g' })
  gate(): void {}

  // @ts-expect-error a filter is no hook
  @OnHook('svc_transaction_fee', { id: 'test.h' })
  hook(): void {}

  // @ts-expect-error a veto needs a message
  @OnHook('svc_before_payment', { id: 'test.i' })
  veto(): { veto: true; code: string } {
    return { veto: true, code: 'no' };
  }

  // @ts-expect-error a yes or no is no verdict
  @OnHook('svc_before_payment', { id: 'test.j' })
  async boolean(): Promise<boolean> {
    return true;
  }

  // @ts-expect-error there is no such point
  @OnHook('svc_before_lunch', { id: 'test.k' })
  lunch(): void {}

  // @ts-expect-error an id names its team
  @OnHook('svc_on_error', { id: 'lonely' })
  lonely(): void {}

  // @ts-expect-error an observer has no result to watch
  @OnHook('svc_on_error', { id: 'test.l', mode: 'shadow' })
  shadow(): void {}

  // @ts-expect-error display knows no operation
  @Filter('svc_currency_format', { id: 'test.m', operations: ['transfer'] })
  operations(text: string): string {
    return text;
  }

  @OnHook('svc_before_payment', { id: 'test.n' })
  mutation({ draft }: BeforePayment): void {
    // @ts-expect-error the draft is read-only, all the way down
    draft.metadata.order = '1';
  }
}

// @ts-expect-error a gate has no rules for results
publishPoint('test_door', { kind: 'filter', sync: false, timeoutMs: 1, accept: String, toJson: String });
