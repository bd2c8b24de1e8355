/** Faults that a test endpoint can be given, to see whether its receiver bears them. */
export const WEBHOOK_FAULTS = ['duplicate', 'out_of_order', 'delayed', 'bad_signature'] as const;
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number];

const DELAYED_MS = 60_000;
/** Events that overtake each other do so by seconds. */
const OUT_OF_ORDER_MS = 10_000;

/** How long a first attempt is held back on purpose: only test endpoints have faults. */
export function plannedDelayMs(faults: WebhookFault | null, random = Math.random()): number {
  if (faults === 'delayed') return DELAYED_MS;
  return faults === 'out_of_order' ? Math.round(OUT_OF_ORDER_MS * random) : 0;
}
