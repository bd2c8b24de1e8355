import { encodeId, newId } from '../../src/core/http/ids';
import { boughtDetails } from '../../src/core/money/bought';
import { samplePayment, sampleOutcome } from '../../src/core/extension/testing';
import { BridgecardLoads, loadOf } from '../../src/extensions/bridgecard/bridgecard-loads';
import { movedOnce } from '../../src/extensions/bridgecard/bridgecard-moves';
import type { CardsService } from '../../src/modules/cards/cards.service';
import type { TransactionsService } from '../../src/modules/transactions/transactions.service';
import { Company, type Json } from '../pretended/bridgecard/company';
import { bridgecardOf, issuerOf, orderOf, settingsOf, soon } from './bridgecard-rig';

let company: Company;
let card: Json;

beforeEach(async () => {
  company = await new Company().listen();
  await issuerOf(company).issue(orderOf(newId()), AbortSignal.timeout(5_000));
  [card] = [...company.cards.values()] as [Json];
});
afterEach(() => company.stop());

const moves = (): Json[] =>
  company.heard.filter(({ path }) => path.endsWith('fund_card_asynchronously')).map(({ body }) => body as Json);

describe('money that is moved at Bridgecard', () => {
  const fund = (reference: string, amount = 2_000n) =>
    movedOnce(bridgecardOf(company), { direction: 'fund', card: card.card_id, amount, reference }, soon());

  it('is moved once, however often it is asked for', async () => {
    const reference = newId();
    expect([await fund(reference), await fund(reference)]).toEqual(['done', 'done']);
    expect(moves()).toEqual([
      { card_id: card.card_id, amount: '2000', transaction_reference: reference, currency: 'USD' },
    ]);
    expect([card.available_balance, company.wallet]).toEqual(['7000', 992_700n]);
  });

  it('is waited for while it is under way', async () => {
    company.isSlow = true;
    const reference = newId();
    expect([await fund(reference), await fund(reference)]).toEqual(['under_way', 'under_way']);
    company.finish(company.transactions.get(reference)!);
    expect(await fund(reference)).toBe('done');
    expect([moves().length, card.available_balance]).toEqual([1, '7000']);
  });

  it('is begun again under another reference where it failed, and not for ever', async () => {
    company.failing = 1;
    const reference = newId();
    expect(await fund(reference)).toBe('done');
    expect(await fund(reference)).toBe('done');
    expect(moves().map(({ transaction_reference: its }) => its)).toEqual([reference, `${reference}-1`]);
    expect(card.available_balance).toBe('7000');
    company.failing = 100;
    expect([await fund(newId()), moves().length]).toEqual(['under_way', 7]);
  });

  it('is left for later when Bridgecard does not want it now', async () => {
    company.isHasty = true;
    expect(await fund(newId())).toBe('done');
    const second = newId();
    expect(await fund(second)).toBe('under_way');
    company.isHasty = false;
    company.wallet = 0n;
    expect(await fund(second)).toBe('under_way');
    company.wallet = 2_000n;
    expect(await fund(second)).toBe('done');
    expect(card.available_balance).toBe('9000');
  });
});

describe('the loads of cards of Bridgecard', () => {
  const id = newId();
  let ours: Json;
  let record: Json;
  let loads: BridgecardLoads;

  beforeEach(() => {
    ours = { issuer: 'bridgecard', issuerReference: card.card_id, status: 'active', available: 5_000n, held: 100n };
    record = {
      type: 'card_funding',
      status: 'successful',
      amount: 2_000n,
      recipient: encodeId('crd', id),
      details: {},
    };
    const cards = { require: async () => ours } as unknown as CardsService;
    const transactions = { require: async () => record } as unknown as TransactionsService;
    loads = new BridgecardLoads(settingsOf(company), bridgecardOf(company), cards, transactions);
  });

  const asked = (operation: 'card_funding' | 'card_withdrawal', amount = 1n, livemode = true) =>
    loads.check(samplePayment({ operation, livemode, draft: { recipient: id, amount } }));

  it('are not withdrawn, and not higher than a card may hold', async () => {
    expect(await asked('card_withdrawal')).toMatchObject({ veto: true, code: 'withdrawal_not_supported' });
    expect(await asked('card_funding', 494_600n)).toBeUndefined();
    expect(await asked('card_funding', 494_601n)).toMatchObject({ veto: true, code: 'card_balance_too_high' });
    expect(await asked('card_withdrawal', 1n, false)).toBeUndefined();
    ours.issuer = 'stripe';
    expect(await asked('card_withdrawal')).toBeUndefined();
    expect(await asked('card_funding', 494_601n)).toBeUndefined();
  });

  const told = (more: object = {}) =>
    loads.load(
      sampleOutcome({ operation: 'card_funding', objectType: 'txn', objectId: id, livemode: true, ...more }),
      soon(),
    );

  it('are repeated at Bridgecard, under the id of their record', async () => {
    await told();
    await told();
    expect(moves()).toEqual([{ card_id: card.card_id, amount: '2000', transaction_reference: id, currency: 'USD' }]);
    expect(card.available_balance).toBe('7000');
  });

  it('are told again until they are there', async () => {
    company.isSlow = true;
    await expect(told()).rejects.toThrow('not on the card');
    company.finish(company.transactions.get(id)!);
    await told();
    expect(moves()).toHaveLength(1);
  });

  it('are not repeated where that is not for Bridgecard', async () => {
    await told({ livemode: false });
    for (const more of [{ issuer: 'stripe' }, { status: 'terminated' }, { issuerReference: null }]) {
      const before = ours;
      ours = { ...ours, ...more };
      await told();
      ours = before;
    }
    record.details = { card_transaction_id: 'ctx_1' };
    await told();
    expect(moves()).toEqual([]);
  });

  it('are what came onto the card: nothing for a clearing, no debt, and what was bought', () => {
    const load = (more: object) => loadOf({ ...record, ...more } as never)?.amount ?? null;
    expect(loadOf(record as never)).toEqual({ cardId: id, amount: 2_000n });
    expect(load({ details: { debt_paid: 500 } })).toBe(1_500n);
    expect(load({ details: { debt_paid: 2_000 } })).toBeNull();
    // Paid with 3,000,000 kobo.
    const bought = { quoteId: null, rate: '1500', currency: 'USD', amount: 2_000n, fee: 0n, commission: 0n } as const;
    expect(load({ amount: 3_000_000n, details: { conversion: boughtDetails(bought) } })).toBe(2_000n);
    expect(load({ status: 'failed' })).toBeNull();
    expect(load({ type: 'card_withdrawal' })).toBeNull();
    expect(load({ recipient: null })).toBeNull();
  });
});
