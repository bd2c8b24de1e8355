import { Controller, Injectable, Logger, Module, Scope } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { CannotStart } from '../src/core/errors/cannot-start';
import { Filter, OnHook } from '../src/core/extension/decorators';
import { ExtensionRegistry } from '../src/core/extension/extension-registry';
import type { Money } from '../src/core/money/money';

@Injectable()
class Fees {
  @Filter('svc_transaction_fee', { id: 'b.late', priority: 20 })
  late(fee: Money): Money {
    return fee;
  }

  @Filter('svc_transaction_fee', { id: 'b.usual', operations: ['transfer', 'payment'] })
  usual(fee: Money): Money {
    return fee;
  }

  @Filter('svc_transaction_fee', { id: 'a.usual', mode: 'shadow' })
  first(fee: Money): Money {
    return fee;
  }
}

@Controller()
class Errors {
  @OnHook('svc_on_error', { id: 'a.errors', priority: -1, timeoutMs: 50 })
  hear(): void {}
}

@Injectable()
class Namesake {
  @OnHook('svc_after_payment', { id: 'b.usual' })
  other(): void {}
}

@Injectable()
class Stray {
  @OnHook('svc_before_lunch' as 'svc_on_error', { id: 'a.lunch' })
  eat(): void {}
}

@Injectable()
class Mistaken {
  @OnHook('svc_transaction_fee' as 'svc_on_error', { id: 'a.mistaken' })
  fee(): void {}
}

@Injectable()
class Unnamed {
  @OnHook('svc_on_error', { id: 'A.Loud' })
  hear(): void {}
}

@Injectable()
class Timeless {
  @OnHook('svc_on_error', { id: 'a.timeless', timeoutMs: 0 })
  hear(): void {}
}

@Injectable({ scope: Scope.REQUEST })
class PerRequest {
  @OnHook('svc_on_error', { id: 'a.request' })
  hear(): void {}
}

@Injectable()
class OnRequest {
  constructor(readonly request: PerRequest) {}

  @OnHook('svc_before_payment', { id: 'a.dependent' })
  ask(): void {}
}

@Injectable({ scope: Scope.TRANSIENT })
class PerUser {
  @OnHook('svc_on_error', { id: 'a.transient' })
  hear(): void {}
}

async function boot(...providers: (new (...args: never[]) => object)[]): Promise<ExtensionRegistry> {
  const controllers = providers.includes(Errors) ? [Errors] : [];
  const others = providers.filter((provider) => provider !== Errors);
  @Module({ imports: [DiscoveryModule], controllers, providers: [ExtensionRegistry, ...others] })
  class Boot {}
  const module = await Test.createTestingModule({ imports: [Boot] }).compile();
  await module.init();
  return module.get(ExtensionRegistry);
}

it('finds handlers of providers and controllers, in the order of priority and then of ids', async () => {
  const log = jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
  const registry = await boot(Fees, Errors);
  expect(registry.all.map(({ id }) => id)).toEqual(['a.errors', 'a.usual', 'b.usual', 'b.late']);
  expect(registry.of('svc_transaction_fee', 'card_funding').map(({ id }) => id)).toEqual(['a.usual', 'b.late']);
  expect(registry.of('svc_before_payment')).toEqual([]);
  expect(registry.of('svc_on_error').map(({ timeoutMs, place }) => [timeoutMs, place])).toEqual([[50, 'Errors.hear']]);
  expect(registry.of('svc_transaction_fee').map(({ timeoutMs }) => timeoutMs)).toEqual([250, 250, 250]);
  const [list] = log.mock.calls.map(([line]) => (line as { extensions?: string[] }).extensions).filter(Boolean);
  expect(list).toEqual([
    'svc_on_error -1 a.errors Errors.hear',
    'svc_transaction_fee 10 a.usual (shadow) Fees.first',
    'svc_transaction_fee 10 b.usual Fees.usual',
    'svc_transaction_fee 20 b.late Fees.late',
  ]);
  log.mockRestore();
});

it.each([
  ['two of one id', [Fees, Namesake], 'Two extensions are called "b.usual": Fees.usual and Namesake.other.'],
  ['an unknown point', [Stray], 'Stray.eat extends "svc_before_lunch", and there is no such point.'],
  ['a hook on a filter', [Mistaken], 'Mistaken.fee: "svc_transaction_fee" is a filter; use @Filter.'],
  ['an id that is none', [Unnamed], 'Unnamed.hear: "A.Loud" is no id'],
  ['a time-out of nothing', [Timeless], 'Timeless.hear: timeoutMs of "a.timeless"'],
  ['a class per request', [PerRequest], 'PerRequest.hear extends a point'],
  ['a class that needs one per request', [OnRequest, PerRequest], 'OnRequest.ask extends a point'],
  ['a class per user', [PerUser], 'PerUser.hear extends a point'],
])('%s stops the boot, which names the method', async (_, providers, message) => {
  const booting = boot(...providers);
  await expect(booting).rejects.toThrow(CannotStart);
  await expect(booting).rejects.toThrow(message);
});
