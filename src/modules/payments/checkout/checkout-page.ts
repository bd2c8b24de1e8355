import { displayMoney } from '../../../core/money/money';
import { type Html, html } from '../../../core/text/html';
import type { Instruction } from '../gateway';
import type { Payment, PaymentStatus } from '../payment.entity';

/** A gateway as the payer sees it. */
interface Choice {
  readonly name: string;
  readonly label: string;
}

/** All that a checkout page shows. */
export interface Checkout {
  readonly payment: Readonly<Payment>;
  /** Of the account that is paid. */
  readonly merchant: string;
  readonly choices: readonly Choice[];
  /** `/checkout/<token>`. */
  readonly path: string;
  /** The account's own address, with the outcome in its query; null without one. */
  readonly backUrl: string | null;
  /** By the account's clock it can still be paid. */
  readonly isOpen: boolean;
  /** Why the page is shown again. */
  readonly notice: string | null;
}

interface StatusText {
  readonly heading: string;
  readonly text: string;
}

const STATUS_TEXTS: Readonly<Record<PaymentStatus, StatusText>> = {
  pending: { heading: 'Payment', text: '' },
  processing: {
    heading: 'Your payment is being confirmed',
    text: 'This can take a moment. You need not pay again: you can leave this page.',
  },
  successful: { heading: 'Paid', text: 'Thank you. Your payment has arrived.' },
  failed: { heading: 'The payment failed', text: 'Nothing was paid. You can go back and try again.' },
  expired: { heading: 'This payment has expired', text: 'It can no longer be paid. Go back and start a new one.' },
  cancelled: { heading: 'This payment was cancelled', text: 'It can no longer be paid. Go back and start a new one.' },
  reversed: { heading: 'This payment was given back', text: 'The money is on its way back to you.' },
};

const document = (title: string, body: Html, isTest: boolean): string =>
  html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/checkout/style.css">
</head>
<body>
${isTest ? html`<header class="test">Test mode: no real money moves.</header>` : null}
<main>
${body}
</main>
</body>
</html>
`.text;

/** The page of a payment, whatever state it is in. */
export function checkoutPage(checkout: Checkout): string {
  const { payment, isOpen, merchant } = checkout;
  const status = payment.status === 'pending' && !isOpen ? 'expired' : payment.status;
  const heading = status === 'pending' ? `Pay ${merchant}` : STATUS_TEXTS[status].heading;
  const body = html`<h1>${heading}</h1>
${checkout.notice === null ? null : html`<p class="notice" role="alert">${checkout.notice}</p>`}
${status === 'pending' ? null : html`<p role="status">${STATUS_TEXTS[status].text}</p>`}
${summary(checkout)}
${status === 'pending' ? waysOn(checkout) : null}
${status === 'processing' ? button(checkout, 'check', 'Check again') : null}
${status === 'pending' ? null : wayBack(checkout)}`;
  return document(`${heading} – ${displayMoney(payment)}`, body, !payment.livemode);
}

/** For an address that was never given out. */
export const unknownPage = (): string =>
  document(
    'Payment not found',
    html`<h1>Payment not found</h1>
<p>This address leads to no payment. Check that it is complete, or ask whoever sent it to you for a new one.</p>`,
    false,
  );

function summary({ payment, merchant }: Checkout): Html {
  const { description, reference, customer } = payment;
  const lines: [string, string | null | undefined][] = [
    ['To', merchant],
    ['For', description],
    ['Reference', reference],
    ['Payer', customer?.name ?? customer?.email],
  ];
  return html`<p class="amount">${displayMoney(payment)}</p>
<dl>
${lines.filter(([, value]) => value).map(([label, value]) => html`<div><dt>${label}</dt><dd>${value!}</dd></div>`)}
</dl>`;
}

function waysOn(checkout: Checkout): Html {
  const {
    payment: { page },
    choices,
  } = checkout;
  if (page === null)
    return html`${chooser(checkout, choices)}
${button(checkout, 'cancel', 'Cancel', 'quiet')}`;
  return html`${page.instructions.length > 0 ? instructions(page.instructions) : null}
${page.url === null ? null : html`<p><a class="button" href="${page.url}">Continue to pay</a></p>`}
${button(checkout, 'check', 'I have paid', page.url === null ? '' : 'quiet')}
${button(checkout, 'cancel', 'Cancel', 'quiet')}`;
}

function chooser({ path }: Checkout, choices: readonly Choice[]): Html {
  const [only, ...others] = choices;
  const options = choices.map(
    ({ name, label }, i) => html`<label>${radio('gateway', name, i === 0)} ${label}</label>
`,
  );
  return html`<form method="post" action="${path}/start">
${
  others.length === 0
    ? html`<input type="hidden" name="gateway" value="${only?.name ?? ''}">`
    : html`<fieldset>
<legend>How do you want to pay?</legend>
${options}</fieldset>`
}
<button>${others.length === 0 && only ? `Pay by ${only.label.toLowerCase()}` : 'Continue'}</button>
</form>`;
}

/** One choice of several. */
const radio = (name: string, value: string, isChosen: boolean): Html =>
  html`<input type="radio" name="${name}" value="${value}" required${isChosen ? html` checked` : null}>`;

const instructions = (lines: readonly Instruction[]): Html => html`<h2>How to pay</h2>
<dl>
${lines.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}
</dl>`;

const button = ({ path }: Checkout, action: string, label: string, kind = ''): Html =>
  html`<form method="post" action="${path}/${action}"><button class="${kind}">${label}</button></form>`;

const wayBack = ({ backUrl, merchant }: Checkout): Html | null =>
  backUrl === null ? null : html`<p><a class="button" href="${backUrl}">Return to ${merchant}</a></p>`;

/** What a person can make happen at a gateway of the sandbox. */
export interface Outcome {
  readonly outcome: string;
  readonly label: string;
  readonly description: string;
}

/** Stands for the page of a gateway: in test mode a person chooses how the payment ends. */
export function sandboxPage(checkout: Checkout, gateway: string, outcomes: readonly Outcome[]): string {
  const { payment, path } = checkout;
  const body = html`<h1>${gateway} of the sandbox</h1>
<p>This page stands for the one of a real gateway. Choose how the payment is to end.</p>
${summary(checkout)}
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
  return document(`Sandbox – ${displayMoney(payment)}`, body, true);
}
