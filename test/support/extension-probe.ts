import { Injectable, Logger, Module, type Type } from '@nestjs/common';
import { Filter, OnHook } from '../../src/core/extension/decorators';
import type {
  AfterPayment,
  BeforePayment,
  FormatContext,
  OnErrorContext,
  Verdict,
} from '../../src/core/extension/points';
import { defineTeam } from '../../src/core/extension/teams';
import { TEAMS } from '../../src/extensions/extensions.module';

/** Puts providers beside the extensions of the teams, for every service that the test file starts from here on. */
export function extendWith(...providers: Type[]): void {
  // A silent service logs to a silent log; what is logged outside of one is not for the test's reader either.
  Logger.overrideLogger(false);
  @Module({ providers })
  class TestExtensions {}
  TEAMS.push(defineTeam({ name: `test-${TEAMS.length}`, module: TestExtensions }));
}

/** Gates transfers as `answer` says and keeps what it was asked. */
@Injectable()
export class ProbeGate {
  static asked: BeforePayment[] = [];
  static answer: (payment: BeforePayment) => Verdict | Promise<Verdict> = () => undefined;

  @OnHook('svc_before_payment', { id: 'test.gate', timeoutMs: 200, operations: ['transfer'] })
  check(payment: BeforePayment): Verdict | Promise<Verdict> {
    ProbeGate.asked.push(payment);
    return ProbeGate.answer(payment);
  }
}

/** Observes transfers as `react` says and keeps what it was told. */
@Injectable()
export class ProbeObserver {
  static told: AfterPayment[] = [];
  static react: (payment: AfterPayment, signal: AbortSignal) => void | Promise<void> = () => undefined;

  @OnHook('svc_after_payment', { id: 'test.observer', timeoutMs: 1_000, operations: ['transfer'] })
  hear(payment: AfterPayment, signal: AbortSignal): void | Promise<void> {
    ProbeObserver.told.push(payment);
    return ProbeObserver.react(payment, signal);
  }
}

@Injectable()
export class ProbeErrors {
  static heard: OnErrorContext[] = [];

  @OnHook('svc_on_error', { id: 'test.errors' })
  hear(error: OnErrorContext): void {
    ProbeErrors.heard.push(error);
  }
}

/** Shows money with the sign of its currency, and reaches its own point on the way. */
@Injectable()
export class ProbeFormat {
  @Filter('svc_currency_format', { id: 'test.format' })
  format(text: string, { money }: FormatContext): string {
    return money.currency === 'NGN' ? text.replace('NGN ', '₦') : text;
  }
}
