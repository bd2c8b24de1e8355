import { type Payment, PAYMENT_STATUSES, type PaymentStatus } from '../payment.entity';
import { type Checkout, checkoutPage, NOTICES, unknownPage } from './checkout-page';
import { languageOf } from './language';
import { fill, type Language, LANGUAGES, MESSAGES, type Messages } from './messages';

const OTHERS = (Object.keys(LANGUAGES) as Language[]).filter((language) => language !== 'en');
const KEYS = Object.keys(MESSAGES.en) as (keyof Messages)[];

const payment = (more: Partial<Payment>): Payment =>
  ({
    accountId: '01900000-0000-7000-8000-00000000000a',
    id: '01900000-0000-7000-8000-00000000000b',
    livemode: false,
    status: 'pending',
    amount: 1_250_000n,
    currency: 'NGN',
    gateway: 'one',
    page: null,
    reference: '1001',
    description: '№ 7',
    customer: { name: '@@' },
    amountReceived: 1_250_001n,
    currencyReceived: 'NGN',
    amountRefunded: 100n,
    paidAt: null,
    expiresAt: new Date('2026-05-04T13:30:00Z'),
    ...more,
  }) as Payment;

const checkout = (more: Partial<Payment> = {}, rest: Partial<Checkout> = {}): Checkout => ({
  payment: payment(more),
  isPayable: (more.status ?? 'pending') === 'pending',
  branding: { name: '***', accountName: '–', colour: '#aa0044', logoUrl: '/logo', timeZone: 'Africa/Lagos' },
  choices: [
    { name: 'one', label: '1', methods: ['card'] },
    { name: 'two', label: '2', methods: ['bank_transfer', 'ussd', 'mobile_money'] },
  ],
  path: '/checkout/x',
  backUrl: 'https://shop.example',
  now: new Date('2026-05-02T11:05:00Z'),
  notice: null,
  ...rest,
});

const INSTRUCTIONS = ['Bank', 'Account number', 'Account name', 'Amount', 'Reference', 'USSD code'].map((label) => ({
  label,
  value: '0',
}));
const ended = (status: PaymentStatus) => checkout({ status, paidAt: new Date('2026-05-03T10:00:00Z') });

/** Every page there is, by what it shows. */
const PAGES: Readonly<Record<string, (language: Language) => string>> = {
  ...Object.fromEntries(
    PAYMENT_STATUSES.map((status) => [status, (language: Language) => checkoutPage(ended(status), language)]),
  ),
  ...Object.fromEntries(
    NOTICES.map((notice) => [notice, (language: Language) => checkoutPage(checkout({}, { notice }), language)]),
  ),
  'one way': (language) =>
    checkoutPage(checkout({}, { choices: [{ name: 'one', label: '1', methods: ['card'] }] }), language),
  instructions: (language) =>
    checkoutPage(checkout({ page: { url: 'https://pay.example', instructions: INSTRUCTIONS } }), language),
  'too late': (language) => checkoutPage(checkout({ expiresAt: new Date(0) }), language),
  unknown: unknownPage,
};

/** What a page says: its texts and the names of its parts, but for the languages, which stand in their own names. */
function textsOf(page: string): string[] {
  const said = page.replace(/<a href="[^"]*lang=.*?<\/a>/g, '').replace(/<svg.*?<\/svg>/gs, '');
  const named = [...said.matchAll(/aria-label="([^"]*)"/g)].map(([, name]) => name!);
  return [...said.replace(/<[^>]*>/g, '\n').split('\n'), ...named].map((text) => text.trim()).filter(Boolean);
}

/** Amounts, ids and the like have no words. */
const hasWords = (text: string): boolean => /\p{L}{2}/u.test(text.replace(/NGN [\d,.]+|pay_\w+/g, ''));

describe('messages', () => {
  it.each(OTHERS)('%s: none is the English one', (language) => {
    const equal = KEYS.filter((key) => MESSAGES[language][key].toLowerCase() === MESSAGES.en[key].toLowerCase());
    expect(equal).toEqual([]);
  });

  it.each(OTHERS)('%s: each has the blanks of the English one, and nothing to be escaped', (language) => {
    const blanks = (text: string) => text.match(/\{\w+\}/g) ?? [];
    for (const key of KEYS) {
      expect([key, blanks(MESSAGES[language][key])]).toEqual([key, blanks(MESSAGES.en[key])]);
      expect([key, MESSAGES[language][key]]).toEqual([key, MESSAGES[language][key].trim().normalize('NFC')]);
      expect(MESSAGES[language][key]).not.toMatch(/[<>&"'\\]/);
    }
  });

  it.each(OTHERS)('%s: no page has English left over', (language) => {
    for (const [name, page] of Object.entries(PAGES)) {
      const english = new Set(textsOf(page('en')).filter(hasWords));
      expect(english.size).toBeGreaterThan(1);
      expect([name, textsOf(page(language)).filter((text) => english.has(text))]).toEqual([name, []]);
      expect(page(language)).toContain(`<html lang="${language}">`);
      expect(page(language)).not.toMatch(/May \d, 2026/);
    }
  });

  it('every one is on a page', () => {
    const all = Object.values(PAGES).flatMap((page) => textsOf(page('fr')));
    const said = all.join('\n');
    const missing = KEYS.filter((key) => {
      const [start, ...rest] = MESSAGES.fr[key].split(/\{\w+\}/);
      return ![start!, ...rest].every((part) => said.toLowerCase().includes(part.trim().toLowerCase()));
    });
    expect(missing).toEqual([]);
  });

  it('are filled in once: what is filled in may have braces', () =>
    expect(fill('{a} {b} {c}', { a: '{b}', b: '$&' })).toBe('{b} $& {c}'));
});

describe('the language of a payer', () => {
  const of = (accept?: string, cookie?: string, lang?: unknown) =>
    languageOf({ query: { lang }, headers: { 'accept-language': accept, cookie } });

  it('is what was asked for, then what was chosen before, then what the browser prefers, then English', () => {
    expect([
      of(),
      of('fr'),
      of('de, yo-NG;q=0.5, ha; q=0.7, *;q=0.1'),
      of('ig;q=0, fr;q=0.2'),
      of('ig, fr'),
      of('PCM-NG'),
      of('xx;q=, ;;;,,'),
      of('fr', 'a=b; checkout_language=ha'),
      of('fr', 'checkout_language=klingon'),
      of('fr', 'not_checkout_language=ha'),
      of('fr', 'checkout_language=ha', 'ig'),
      of('fr', undefined, 'constructor'),
      of('fr', undefined, ['ig', 'ha']),
    ]).toEqual(['en', 'fr', 'ha', 'fr', 'ig', 'pcm', 'en', 'ha', 'fr', 'fr', 'ig', 'fr', 'fr']);
  });
});

describe('what a page says of time', () => {
  it('is a moment in the zone of the account, and what was left when the page was made', () => {
    const texts = textsOf(checkoutPage(checkout(), 'en'));
    expect(texts).toContain('Pay before May 4, 2026 at 14:30 (GMT+1).');
    expect(texts).toContain('Time left at 12:05: 2 d 2 h 25 min.');
    const short = checkout({}, { now: new Date('2026-05-04T13:29:30Z') });
    expect(textsOf(checkoutPage(short, 'ha'))).toContain('Lokacin da ya rage a 14:29: minti 1.');
  });
});

describe('a receipt', () => {
  it('says what was paid when and how, and stands where something was paid only', () => {
    const paid = textsOf(checkoutPage(ended('successful'), 'en'));
    const start = paid.indexOf('Receipt');
    expect(paid.slice(start, start + 11)).toEqual([
      'Receipt',
      'Paid on',
      'May 3, 2026 at 11:00 (GMT+1)',
      'Paid by',
      'Card',
      'Received',
      'NGN 12,500.01',
      'Given back',
      'NGN 1.00',
      'Payment number',
      expect.stringMatching(/^pay_\w+$/),
    ]);
    expect(textsOf(checkoutPage(ended('failed'), 'en'))).not.toContain('Receipt');
    const asAsked = checkout({
      status: 'successful',
      paidAt: new Date(0),
      amountReceived: 1_250_000n,
      amountRefunded: 0n,
    });
    expect(textsOf(checkoutPage(asAsked, 'en'))).not.toEqual(expect.arrayContaining(['Received']));
  });
});
