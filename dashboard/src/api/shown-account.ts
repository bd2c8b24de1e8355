let shown: string | null = null;

/** Which account this page shows. False: it showed another one before, of which everything in it still is. */
export function showsAccount(id: string): boolean {
  shown ??= id;
  return shown === id;
}

/** Who is asked who is logged in and where, and what begins and ends sessions, holds for whatever account it is. */
const OF_ANY = /\/dashboard\/api\/(me$|auth\/)/;

/**
 * Says which account is meant, so that a page that was left open, while its person went to another account in another
 * window, does nothing there.
 */
export function nameAccount(request: Request): void {
  if (shown !== null && !OF_ANY.test(new URL(request.url).pathname)) request.headers.set('dashboard-account', shown);
}
