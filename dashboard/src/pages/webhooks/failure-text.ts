const TEXTS: Readonly<Record<string, string>> = {
  redirect: 'Your server answered with a redirect, which is not followed. Register the final address.',
  gone: 'Your server answered 410: it wants no more, and the endpoint is disabled.',
  rate_limited: 'Your server answered 429: too many requests. Lower “Requests a second” of the endpoint.',
  timeout: 'Your server did not answer within 15 seconds. Take the event into a queue, answer, and work later.',
  connection_failed:
    'No connection came about: nobody listens there, the certificate is not accepted, or the answer was no HTTP.',
  address_refused: 'The name of the host leads to an address that is not public.',
  url_refused: 'The address is not one that webhooks may be sent to.',
  not_made: 'Nothing was sent: what the event is about cannot be shown.',
};

/** Why an attempt failed, and what helps. */
export function failureText(code: string, httpStatus: number | null): string {
  if (code !== 'http_error') return TEXTS[code] ?? code.replaceAll('_', ' ');
  const status = httpStatus ?? 0;
  if (status === 401 || status === 403)
    return `Your server answered ${status}: it did not let the request in. Check its signature check and its gateway.`;
  if (status === 404) return 'Your server answered 404: there is nothing at this address.';
  if (status >= 500) return `Your server answered ${status}: it failed while it handled the request.`;
  return `Your server answered ${status}; only 2xx counts as received.`;
}

const REASONS: Readonly<Record<string, string>> = {
  requested: 'Somebody of your account disabled it.',
  failing: 'Nothing got through for five days.',
  gone: 'Your server answered 410, which says that it wants no more.',
  receiver_asked: 'Your server asked for it, with webhook-delivery: disable.',
};

export const disabledText = (reason: string): string => REASONS[reason] ?? `${reason.replaceAll('_', ' ')}.`;
