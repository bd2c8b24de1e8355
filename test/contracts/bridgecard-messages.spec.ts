import { DomainError } from '../../src/core/errors/domain-error';
import { newId } from '../../src/core/http/ids';
import { type Listener, receive } from '../../src/extensions/bridgecard/bridgecard-callbacks';
import { decrypted, type Hint, messageOf, verified } from '../../src/extensions/bridgecard/bridgecard-messages';
import type { IssuerMessage, IssuerMessages } from '../../src/modules/cards/issuer-messages';
import { Company, encrypted, type Json } from '../pretended/bridgecard/company';
import { bridgecardOf, fixture, issuerOf, orderOf, settingsOf, soon } from './bridgecard-rig';

const SECRETS = { secretKey: 'sk_test_pretended', webhookSecret: 'whsec_pretended' };
/** Of `openssl enc -aes-256-cbc -md md5 -pass pass:sk_test_pretended -base64`. */
const SIGNATURE = 'U2FsdGVkX1+qm7XkisZS5x0gUweX94SLTRZaZ23ahRw=';

const callback = (body: unknown, signature: string | undefined = SIGNATURE) => ({
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  headers: { 'x-webhook-signature': signature },
});

describe('a webhook of Bridgecard', () => {
  it('has our secret in its header, as OpenSSL and AES-Everywhere write it', () => {
    expect(decrypted(SIGNATURE, SECRETS.secretKey)?.toString()).toBe('whsec_pretended');
    expect(decrypted(encrypted('a text of more than one block', 'p'), 'p')?.toString()).toBe(
      'a text of more than one block',
    );
  });

  it('is forged without it', () => {
    const forged = [
      '',
      'whsec_pretended',
      'not base64 at all!',
      'U2FsdGVkX1+',
      Buffer.from('Salted__12345678').toString('base64'),
      Buffer.from('Salted__12345678short').toString('base64'),
      Buffer.from('Unsalted12345678sixteen bytes of').toString('base64'),
      encrypted('whsec_other', SECRETS.secretKey),
      encrypted('whsec_pretendeD', SECRETS.secretKey),
      encrypted('whsec_pretended', 'sk_live_other'),
      encrypted('', SECRETS.secretKey),
      `${SIGNATURE}\n`,
    ];
    for (const signature of forged)
      expect([signature, verified(callback(fixture('debit-event'), signature), SECRETS)]).toEqual([
        signature,
        { outcome: 'forged' },
      ]);
    expect(verified({ body: Buffer.alloc(0), headers: {} }, SECRETS)).toEqual({ outcome: 'forged' });
  });

  it('says what to ask about, and nothing else', () => {
    expect(verified(callback(fixture('debit-event')), SECRETS)).toEqual({
      outcome: 'genuine',
      hint: { event: 'card_debit_event.successful', card: '859505050505', reference: '859505050505' },
    });
    expect(verified(callback(fixture('reversal-event')), SECRETS)).toMatchObject({
      hint: { reference: '22597F3D-A7A5-4C9B-B9DF-B7D918EE8241_REVERSAL' },
    });
    const others = [
      fixture('cardholder-verified-event'),
      { event: 'card_debit_event.declined', data: fixture('debit-event').data },
      { event: 'card_debit_event.successful', data: { card_id: '../x', transaction_reference: 'r' } },
      { event: 'card_debit_event.successful', data: { card_id: 'c' } },
      { event: 'card_debit_event.successful' },
      'null',
      '<html>',
      '',
    ];
    for (const other of others) expect(verified(callback(other), SECRETS)).toEqual({ outcome: 'other' });
  });
});

describe('a transaction of Bridgecard', () => {
  const cardId = newId();
  const card = { card_id: 'c1', meta_data: { reference: cardId } };
  const [paid] = fixture('transactions').data.transactions;
  const hint: Hint = { event: 'card_debit_event.successful', card: 'c1', reference: paid.client_transaction_reference };
  const message = (more: object = {}, of: object = {}) => messageOf({ ...hint, ...of }, card, { ...paid, ...more });

  it('is a clearing that nobody was asked about', () => {
    expect(message()).toEqual({
      issuer: 'bridgecard',
      id: '5c3598c8152446ba8093d058d8b59a1e',
      cardId,
      kind: 'clearing',
      amount: 100n,
      // Their code is none of ISO 18245.
      merchant: null,
      authorization: '5c3598c8152446ba8093d058d8b59a1e',
      declineReason: null,
    });
    expect(message({ merchant_category_code: '5942' })?.merchant).toEqual({
      name: 'Apple',
      mcc: '5942',
      country: 'ZZ',
    });
    expect(message({ merchant_category_code: '5942', enriched_data: null })?.merchant?.name).toBe('Apple Inc. US');
    // Told by its other reference it is the same payment.
    expect(message({}, { reference: paid.bridgecard_transaction_reference })).toEqual(message());
    const theirs = { client_transaction_reference: undefined };
    const reference = paid.bridgecard_transaction_reference;
    expect(message(theirs, { reference })).toMatchObject({ id: reference, authorization: reference });
  });

  it('is a refund of what it reverses', () => {
    const reference = `${hint.reference}_REVERSAL`;
    const of = { event: 'card_reversal_event.successful', reference } as const;
    const back = { client_transaction_reference: reference, card_transaction_type: 'CREDIT' };
    expect(message(back, of)).toMatchObject({
      id: reference,
      kind: 'refund',
      amount: 100n,
      authorization: hint.reference,
      merchant: null,
    });
    const otherwise = { ...of, reference: paid.bridgecard_transaction_reference };
    expect(message(back, otherwise)).toEqual(message(back, of));
    expect(message({ ...back, card_transaction_type: 'DEBIT' }, of)).toBeNull();
    const load = { client_transaction_reference: 'a-load', card_transaction_type: 'CREDIT' };
    expect(message(load, { ...of, reference: 'a-load' })).toBeNull();
  });

  it('is nothing where it is another one, or no payment', () => {
    const unload = `${cardId}-unload-500`;
    const unloaded = { client_transaction_reference: unload };
    expect(message(unloaded, { reference: unload })).toBeNull();
    expect(message(unloaded, { reference: paid.bridgecard_transaction_reference })).toBeNull();
    expect(message({ client_transaction_reference: 'other', bridgecard_transaction_reference: 'too' })).toBeNull();
    expect(message({ card_id: 'c2' })).toBeNull();
    expect(message({ card_id: 'c1' })).not.toBeNull();
    expect(message({ card_transaction_type: 'CREDIT' })).toBeNull();
    expect(message({ currency: 'NGN' })).toBeNull();
    for (const amount of ['0', '1.5', '-100', null]) expect(message({ amount })).toBeNull();
    expect(messageOf(hint, { ...card, meta_data: {} }, paid)).toBeNull();
    expect(messageOf(hint, { ...card, card_id: 'c2' }, paid)).toBeNull();
  });
});

describe('the address that Bridgecard calls', () => {
  let company: Company;
  let taken: IssuerMessage[];
  let fault: Error | null;
  let listener: Listener;
  let card: Json;
  let reference: string;

  beforeEach(async () => {
    company = await new Company().listen();
    [taken, fault] = [[], null];
    const messages = {
      take: (message: IssuerMessage) => {
        if (fault !== null) throw fault;
        taken.push(message);
      },
    } as unknown as IssuerMessages;
    listener = { settings: settingsOf(company), bridgecard: bridgecardOf(company), messages };
    company.hear = async (said) => (await receive(listener, said), 200);
    const order = orderOf(newId());
    reference = order.reference;
    await issuerOf(company).issue(order, AbortSignal.timeout(5_000));
    [card] = [...company.cards.values()] as [Json];
  });
  afterEach(() => company.stop());

  it('hands on what was paid, and what came back', async () => {
    const paid = (await company.pay(card, 1_250n))!;
    await company.reverse(paid, 250n);
    const [clearing, refund] = taken;
    expect(clearing).toMatchObject({ kind: 'clearing', cardId: reference, amount: 1_250n });
    expect(refund).toMatchObject({ kind: 'refund', amount: 250n, authorization: clearing!.authorization });
  });

  it('names what it is told by either reference alike', async () => {
    const paid = (await company.pay(card, 1_250n))!;
    const back = await company.reverse(paid, 250n);
    const first = [...taken];
    taken = [];
    const otherwise = (one: Json) => ({ ...one, client_transaction_reference: one.bridgecard_transaction_reference });
    await company.tell('card_debit_event.successful', otherwise(paid));
    await company.tell('card_reversal_event.successful', otherwise(back));
    expect(taken).toEqual(first);
  });

  it('believes Bridgecard, and not the webhook', async () => {
    const paid = (await company.pay(card, 1_250n))!;
    taken = [];
    await company.tell('card_debit_event.successful', { ...paid, amount: '999999' });
    expect(taken[0]!.amount).toBe(1_250n);
    const invented = { ...paid, client_transaction_reference: 'invented' };
    await expect(company.tell('card_debit_event.successful', invented)).rejects.toThrow('does not show');
    await company.tell('card_reversal_event.successful', paid);
    expect(taken).toHaveLength(1);
  });

  it('takes no unload of ours for a payment', async () => {
    await issuerOf(company).setState({ ...orderOf(reference), issuerReference: card.card_id }, 'terminated', soon());
    const unload = [...company.transactions.values()].at(-1)!;
    expect(unload.card_transaction_type).toBe('DEBIT');
    await company.tell('card_debit_event.successful', unload);
    expect(taken).toEqual([]);
  });

  it('has it sent again where it could not be taken, and not where it was before', async () => {
    const error = (code: string) =>
      new DomainError({ code, kind: 'conflict', title: 'T', detail: 'D.', recovery: 'none' } as never);
    fault = error('duplicate_reference');
    expect(await company.pay(card, 100n)).not.toBeNull();
    fault = error('not_found');
    await expect(company.pay(card, 100n)).rejects.toBe(fault);
    await expect(receive(listener, callback('{}', 'nothing'))).rejects.toThrow(DomainError);
    expect(await receive(listener, company.event('card_credit_event.successful', {}))).toEqual({ received: true });
  });
});
