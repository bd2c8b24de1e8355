import { html } from '../../../core/text/html';
import type { PaymentMethod } from '../gateway';

const outline = (content: ReturnType<typeof html>) =>
  html`<svg class="mark" width="24" height="24" aria-hidden="true" focusable="false">${content}</svg>`;

const PHONE = html`<rect x="6" y="2" width="12" height="20" rx="2"></rect><path d="M10.5 18.5h3"></path>`;

/** Pictures of our own for ways of paying. Their words stand beside them. */
export const MARKS: Readonly<Record<PaymentMethod, ReturnType<typeof html>>> = {
  card: outline(
    html`<rect x="2" y="5" width="20" height="14" rx="2"></rect><path d="M2 10h20"></path><path d="M6 15h4"></path>`,
  ),
  bank_transfer: outline(html`<path d="M3 9l9-5 9 5z"></path><path d="M6 9v8M12 9v8M18 9v8M3 20h18"></path>`),
  ussd: outline(html`${PHONE}<path d="M10.5 7v7M13.5 7v7M8.5 9h7M8.5 12h7"></path>`),
  mobile_money: outline(html`${PHONE}<circle cx="12" cy="10.5" r="3"></circle>`),
};
