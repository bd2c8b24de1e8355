const READS = new Set(['GET', 'HEAD']);

/**
 * Requests that ask for no fresh proof of identity although they are no reads: they change nothing, end sessions or stop a
 * key, ask for the proof themselves, or depend on the mode that their body names. Every other one asks, a new one too.
 */
const WITHOUT: ReadonlySet<string> = new Set([
  'POST /v4/bills/validate',
  'POST /v4/transactions/:id/requery',
  'POST /dashboard/api/auth/log-out',
  'POST /dashboard/api/auth/log-out-everywhere',
  'POST /dashboard/api/auth/step-up',
  'DELETE /dashboard/api/sessions/:id',
  'PUT /dashboard/api/password',
  'POST /dashboard/api/totp/disable',
  'POST /dashboard/api/keys',
  'POST /dashboard/api/keys/:id/roll',
  'POST /dashboard/api/keys/:id/revoke',
]);

/** What looks like the real thing in test mode, too. */
const ALSO_IN_TEST: ReadonlySet<string> = new Set(['POST /v4/cards/:id/reveal']);

/** `route` as the router has it. `livemode` undefined: a route of the dashboard itself, which knows no mode. */
export function needsStepUp(method: string, route: string, livemode: boolean | undefined): boolean {
  if (READS.has(method)) return false;
  const name = `${method} ${route}`;
  return livemode === false ? ALSO_IN_TEST.has(name) : !WITHOUT.has(name);
}
