import { newId } from '../../src/core/http/ids';
import { captureOf, REASONS } from '../../src/extensions/stripe/stripe-disputes';
import type { StripeIssuer } from '../../src/extensions/stripe/stripe-issuer';
import { DISPUTE_REASONS, type DisputeOrder } from '../../src/modules/cards/card-issuer';
import { Company } from '../pretended/stripe/company';
import { fixture, issuerOf, orderOf, soon } from './stripe-rig';

describe('a dispute at Stripe', () => {
  let company: Company;
  let issuer: StripeIssuer;
  beforeEach(async () => {
    company = await new Company().listen();
    issuer = issuerOf(company);
  });
  afterEach(() => company.stop());

  /** Of 12.50 that a merchant captured. */
  async function disputed(more: Partial<DisputeOrder> = {}): Promise<DisputeOrder> {
    const card = orderOf(newId());
    await issuer.issue(card, soon());
    company.hear = async ({ body }) => {
      const isQuestion = body.toString().includes('issuing_authorization.request');
      return { status: 200, body: isQuestion ? { approved: true } : {} };
    };
    const [id] = [...company.cards.keys()].slice(-1);
    const authorization = await company.network.authorize({ card: id, amount: '1250' });
    await company.network.capture(authorization!, {});
    return {
      reference: newId(),
      card,
      issuerReference: null,
      transaction: { reference: newId(), issuerReference: authorization!.id as string },
      amount: 1_250n,
      currency: 'USD',
      reason: 'fraudulent',
      evidence: { text: 'Not me.', links: ['https://example.com/a.pdf'] },
      ...more,
    };
  }

  it('is about what was captured, is submitted, and is one for one reference', async () => {
    const order = await disputed();
    const opened = await issuer.dispute(order, soon());
    expect(opened).toEqual({ outcome: 'under_review', issuerReference: expect.any(String), provisionalCredit: null });
    expect(await issuer.dispute(order, soon())).toEqual(opened);
    expect(company.disputes.size).toBe(1);
    const [dispute] = [...company.disputes.values()];
    expect(dispute).toMatchObject({
      amount: 1_250,
      transaction: [...company.network.transactions.keys()][0],
      evidence: { reason: 'fraudulent', fraudulent: { explanation: 'Not me.\nhttps://example.com/a.pdf' } },
      metadata: { reference: order.reference, card: order.card.reference },
    });
    expect(await issuer.findDispute(order, soon())).toEqual(opened);
    dispute!.status = 'won';
    const won = { outcome: 'won', issuerReference: dispute!.id, amount: 1_250n };
    expect(await issuer.findDispute({ ...order, issuerReference: dispute!.id }, soon())).toEqual(won);
  });

  it('that was not heard of is not known, and a draft is handed on when it is found', async () => {
    const order = await disputed();
    expect(await issuer.findDispute(order, soon())).toEqual({ outcome: 'not_known' });
    await issuer.dispute(order, soon());
    for (const one of company.disputes.values()) one.status = 'unsubmitted';
    expect(await issuer.findDispute(order, soon())).toMatchObject({ outcome: 'under_review' });
  });

  it('that needs more evidence stays a draft, and a draft can be let go', async () => {
    const order = await disputed({ reason: 'not_received' });
    expect(await issuer.dispute(order, soon())).toEqual({ outcome: 'accepted' });
    const [id] = [...company.disputes.keys()];
    const known = { ...order, issuerReference: id! };
    expect(await issuer.withdrawDispute(known, soon())).toEqual({ outcome: 'done' });
    company.disputes.get(id!)!.status = 'submitted';
    expect(await issuer.withdrawDispute(known, soon())).toMatchObject({ code: 'dispute_submitted' });
    expect((await issuer.withdrawDispute({ ...known, reference: newId() }, soon())).outcome).toBe('unknown');
  });

  it('needs one capture: neither none nor several', async () => {
    expect(captureOf({ status: 200, body: fixture('authorization') })).toMatchObject({ code: 'nothing_captured' });
    const two = { ...fixture('authorization'), transactions: [fixture('capture'), fixture('capture')] };
    expect(captureOf({ status: 200, body: two })).toMatchObject({ code: 'several_captures' });
    expect(captureOf({ status: 500, body: two })).toMatchObject({ outcome: 'unknown' });
    const order = await disputed();
    const forced = { ...order, transaction: { reference: newId(), issuerReference: 'ipi_1' } };
    await issuer.dispute(forced, soon());
    expect([...company.disputes.values()][0]!.transaction).toBe('ipi_1');
  });

  it('has a word of Stripe for every reason', () => {
    expect(Object.keys(REASONS).sort()).toEqual([...DISPUTE_REASONS].sort());
  });
});
