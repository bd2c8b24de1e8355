import { displayMoney, isCurrency } from '../../../core/money/money';
import { encodeId } from '../../../core/http/ids';
import { type Html, html } from '../../../core/text/html';
import type { Branding } from '../branding.service';
import type { Instruction, PaymentMethod } from '../gateway';
import type { Payment, PaymentStatus } from '../payment.entity';
import { MARKS } from './marks';
import { fill, type Language, LANGUAGES, MESSAGES, type Messages } from './messages';

/** A gateway as the payer sees it. */
interface Choice {
  readonly name: string;
  readonly label: string;
  readonly methods?: readonly PaymentMethod[];
}

/** Why the page is shown again. */
export const NOTICES = ['unavailable', 'unreached'] as const satisfies readonly (keyof Messages)[];
export type Notice = (typeof NOTICES)[number];

/** All that a checkout page shows. */
export interface Checkout {
  readonly payment: Readonly<Payment>;
  /** The payer can pay it now. */
  readonly isPayable: boolean;
  /** Of the account that is paid. */
  readonly branding: Branding;
  readonly choices: readonly Choice[];
  /** `/checkout/<token>`. */
  readonly path: string;
  /** The account's own address, with the outcome in its query; null without one. */
  readonly backUrl: string | null;
  /** By the account's clock. */
  readonly now: Date;
  readonly notice: Notice | null;
}

/** A page in the words of one language. */
interface Shown extends Checkout {
  readonly language: Language;
  readonly words: Messages;
  readonly merchant: string;
}

const shownIn = (checkout: Checkout, language: Language): Shown => ({
  ...checkout,
  language,
  words: MESSAGES[language],
  merchant: merchantOf(checkout),
});

const merchantOf = ({ branding }: Pick<Checkout, 'branding'>): string => branding.name ?? branding.accountName;

interface Frame {
  readonly title: string;
  readonly body: Html;
  readonly language: Language;
  readonly isTest: boolean;
  readonly branding?: Branding;
  /** Address of the same page in another language begins so; null: it has one language. */
  readonly switchUrl: string | null;
}

const document = ({ title, body, language, isTest, branding, switchUrl }: Frame): string =>
  html`<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/checkout/style.css">
${branding?.colour ? html`<link rel="stylesheet" href="/checkout/colours/${branding.colour.slice(1)}.css">` : null}
</head>
<body>
${branding || isTest ? head(language, isTest, branding) : null}
<main>
${body}
</main>
${switchUrl === null ? null : languages(language, switchUrl)}
</body>
</html>
`.text;

const head = (language: Language, isTest: boolean, branding: Branding | undefined): Html => html`<header>
${isTest ? html`<p class="test">${MESSAGES[language].testMode}</p>` : null}
${branding ? brand(branding) : null}
</header>`;

const brand = (branding: Branding): Html => html`<p class="brand">
${branding.logoUrl === null ? null : html`<img src="${branding.logoUrl}" alt="">`}
<span>${merchantOf({ branding })}</span>
</p>`;

const languages = (language: Language, url: string): Html => html`<nav aria-label="${MESSAGES[language].language}">
${Object.entries(LANGUAGES).map(
  ([code, name]) => html`<a href="${url}lang=${code}" hreflang="${code}" lang="${code}"${
    code === language ? html` aria-current="true"` : null
  }>${name}</a>
`,
)}</nav>`;

/** The page of a payment, whatever state it is in. */
export function checkoutPage(checkout: Checkout, language: Language): string {
  const shown = shownIn(checkout, language);
  const { payment, isPayable, branding, path, notice, words, merchant } = shown;
  const over = payment.status === 'pending' ? 'expired' : payment.status;
  const status = isPayable ? 'pending' : over;
  const heading = status === 'pending' ? fill(words.pay, { merchant }) : words[status];
  const body = html`<h1>${heading}</h1>
${notice === null ? null : html`<p class="notice" role="alert">${words[notice]}</p>`}
${status === 'pending' ? null : html`<p role="status">${words[`${status}Text`]}</p>`}
${summary(shown)}
${status === 'pending' ? html`${expiry(shown)}${waysOn(shown)}` : null}
${payment.paidAt === null || !isPaid(status) ? null : receipt(shown, payment.paidAt)}
${status === 'processing' ? button(shown, 'check', words.checkAgain) : null}
${status === 'pending' ? null : wayBack(shown)}`;
  return document({
    title: `${heading} – ${displayMoney(payment)}`,
    body,
    language,
    isTest: !payment.livemode,
    branding,
    switchUrl: `${path}?${notice === null ? '' : `notice=${notice}&`}`,
  });
}

const isPaid = (status: PaymentStatus): boolean => status === 'successful' || status === 'reversed';

/** For an address that was never given out. */
export function unknownPage(language: Language): string {
  const { unknown, unknownText } = MESSAGES[language];
  const body = html`<h1>${unknown}</h1>
<p>${unknownText}</p>`;
  return document({ title: unknown, body, language, isTest: false, switchUrl: '?' });
}

type Line = readonly [string, string | null | undefined];

const facts = (lines: readonly Line[]): Html => html`<dl>
${lines.filter(([, value]) => value).map(([label, value]) => html`<div><dt>${label}</dt><dd>${value!}</dd></div>`)}
</dl>`;

function summary({ payment, merchant, words }: Shown): Html {
  const { description, reference, customer } = payment;
  return html`<p class="amount">${displayMoney(payment)}</p>
${facts([
  [words.to, merchant],
  [words.for, description],
  [words.reference, reference],
  [words.payer, customer?.name ?? customer?.email],
])}`;
}

/** A time is right for as long as the page lies open: what is left is said of the moment it was made. */
function expiry({ payment: { expiresAt }, now, branding: { timeZone }, language, words }: Shown): Html {
  const before = fill(words.payBefore, { time: timeText(expiresAt, language, timeZone) });
  const time = new Intl.DateTimeFormat(language, { ...CLOCK, timeZone }).format(now);
  const left = fill(words.timeLeft, { time, left: durationText(expiresAt.getTime() - now.getTime(), words) });
  return html`<p class="expiry">${before} <span>${left}</span></p>
`;
}

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const;

/** With the distance from UTC: the payer may be elsewhere. */
function timeText(time: Date, language: Language, timeZone: string): string {
  const text = new Intl.DateTimeFormat(language, { ...DAY, ...CLOCK, timeZone }).format(time);
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(time);
  return `${text} (${parts.find(({ type }) => type === 'timeZoneName')!.value})`;
}

const MINUTE_MS = 60_000;

/** Whole minutes, of which one has begun. */
function durationText(ms: number, { days, hours, minutes }: Messages): string {
  const all = Math.ceil(ms / MINUTE_MS);
  const parts: [string, number][] = [
    [days, Math.floor(all / 1_440)],
    [hours, Math.floor(all / 60) % 24],
    [minutes, all % 60],
  ];
  const said = parts.filter(([, n]) => n > 0).map(([unit, n]) => fill(unit, { n: `${n}` }));
  return said.join(' ');
}

function receipt({ payment, choices, branding, language, words }: Shown, paidAt: Date): Html {
  const { amountReceived: amount, currencyReceived: received, currency, amountRefunded } = payment;
  const chosen = choices.find(({ name }) => name === payment.gateway);
  const of = isCurrency(received) ? received : currency;
  const isOther = amount !== null && (amount !== payment.amount || of !== currency);
  return html`<section class="receipt" aria-labelledby="receipt">
<h2 id="receipt">${words.receipt}</h2>
${facts([
  [words.paidOn, timeText(paidAt, language, branding.timeZone)],
  [words.paidBy, chosen && wayOf(chosen, words)],
  [words.received, isOther ? displayMoney({ amount, currency: of }) : null],
  [words.givenBack, amountRefunded > 0n ? displayMoney({ amount: amountRefunded, currency: of }) : null],
  [words.paymentId, encodeId('pay', payment.id)],
])}
<p class="hint">${words.receiptHint}</p>
</section>`;
}

function waysOn(shown: Shown): Html {
  const {
    payment: { page, status },
    words,
  } = shown;
  if (page === null)
    return html`${chooser(shown)}
${button(shown, 'cancel', words.cancel, 'quiet')}`;
  return html`${page.instructions.length > 0 ? instructions(page.instructions, words) : null}
${page.url === null ? null : html`<p><a class="button" href="${page.url}">${words.continueToPay}</a></p>`}
${button(shown, 'check', words.iHavePaid, page.url === null ? '' : 'quiet')}
${status === 'pending' ? button(shown, 'cancel', words.cancel, 'quiet') : null}`;
}

/** A team's gateway that names no methods is called as the team calls it. */
function wayOf({ methods, label }: Choice, words: Messages): string {
  if (methods === undefined) return label;
  const [first, ...others] = methods.map((method, i) => (i === 0 ? words[method] : lowered(words[method])));
  const last = others.pop();
  return last === undefined ? first! : `${[first, ...others].join(', ')} ${words.or} ${last}`;
}

/** As it is written within a sentence; abbreviations stay. */
const lowered = (text: string): string => (/^\p{Lu}{2}/u.test(text) ? text : text[0]!.toLowerCase() + text.slice(1));

function chooser({ path, choices, words }: Shown): Html {
  const [only, ...others] = choices;
  const options = choices.map(
    (choice, i) =>
      html`<label>${radio('gateway', choice.name, i === 0)}${marksOf(choice)} ${wayOf(choice, words)}</label>
`,
  );
  return html`<form method="post" action="${path}/start">
${
  others.length === 0
    ? html`<input type="hidden" name="gateway" value="${only?.name ?? ''}">`
    : html`<fieldset>
<legend>${words.question}</legend>
${options}</fieldset>`
}
<button>${
    others.length === 0 && only
      ? html`${marksOf(only)} ${fill(words.payBy, { way: lowered(wayOf(only, words)) })}`
      : words.continue
  }</button>
</form>`;
}

const marksOf = ({ methods = [] }: Choice): Html[] => methods.map((method) => MARKS[method]);

/** One choice of several. */
const radio = (name: string, value: string, isChosen: boolean): Html =>
  html`<input type="radio" name="${name}" value="${value}" required${isChosen ? html` checked` : null}>`;

/** Labels that gateways use, in their English spelling; others stay as the gateway says them. */
const LABELS: Readonly<Record<string, keyof Messages>> = {
  Bank: 'bank',
  'Account number': 'accountNumber',
  'Account name': 'accountName',
  Amount: 'amount',
  Reference: 'reference',
  'USSD code': 'ussd',
};

const instructions = (lines: readonly Instruction[], words: Messages): Html => html`<h2>${words.howToPay}</h2>
${facts(lines.map(({ label, value }) => [Object.hasOwn(LABELS, label) ? words[LABELS[label]!] : label, value]))}`;

const button = ({ path }: Checkout, action: string, label: string, kind = ''): Html =>
  html`<form method="post" action="${path}/${action}"><button class="${kind}">${label}</button></form>`;

const wayBack = ({ backUrl, merchant, words }: Shown): Html | null =>
  backUrl === null ? null : html`<p><a class="button" href="${backUrl}">${fill(words.returnTo, { merchant })}</a></p>`;

/** What a person can make happen at a gateway of the sandbox. */
export interface Outcome {
  readonly outcome: string;
  readonly label: string;
  readonly description: string;
}

/** Stands for the page of a gateway: in test mode a person chooses how the payment ends. In English, for developers. */
export function sandboxPage(checkout: Checkout, gateway: string, outcomes: readonly Outcome[]): string {
  const { payment, path } = checkout;
  const body = html`<h1>${gateway} of the sandbox</h1>
<p>This page stands for the one of a real gateway. Choose how the payment is to end.</p>
${summary(shownIn(checkout, 'en'))}
<form method="post" action="${path}/sandbox">
<fieldset>
<legend>Outcome</legend>
${outcomes.map(({ outcome, label, description }, i) => {
  const text = html`<span><strong>${label}</strong><br>${description}</span>`;
  return html`<label>${radio('outcome', outcome, i === 0)} ${text}</label>
`;
})}</fieldset>
<button>Let it happen</button>
</form>`;
  return document({ title: `Sandbox – ${displayMoney(payment)}`, body, language: 'en', isTest: true, switchUrl: null });
}
