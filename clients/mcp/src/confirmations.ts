import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Why an order is not carried out. */
export type Refusal = 'expired' | 'not of this order';

/**
 * Tokens that stand for exactly one order for a while. They are signed, not kept: with another argument, or another
 * process, a token is worth nothing.
 */
export class Confirmations {
  private readonly secret = randomBytes(32);

  constructor(private readonly seconds: number) {}

  tokenFor(order: object): { confirmation_token: string; expires_at: string } {
    const expiresAtMs = Date.now() + this.seconds * 1000;
    const head = `${expiresAtMs}.${randomBytes(12).toString('base64url')}`;
    return { confirmation_token: `${head}.${this.sign(head, order)}`, expires_at: new Date(expiresAtMs).toISOString() };
  }

  /** Null: it may be carried out. */
  refusalOf(token: string, order: object): Refusal | null {
    const at = token.lastIndexOf('.');
    const head = token.slice(0, Math.max(0, at));
    const [given, expected] = [token.slice(at + 1), this.sign(head, order)].map((text) => Buffer.from(text));
    if (given!.length !== expected!.length || !timingSafeEqual(given!, expected!)) return 'not of this order';
    return Number.parseInt(head, 10) < Date.now() ? 'expired' : null;
  }

  /** The same for each use of a token: however often it comes, there is one effect. */
  keyOf(token: string): string {
    return `mcp-${createHash('sha256').update(token).digest('hex')}`;
  }

  private sign(head: string, order: object): string {
    return createHmac('sha256', this.secret)
      .update(`${head}.${sorted(order)}`)
      .digest('base64url');
  }
}

/** JSON that does not depend on the order of the fields. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
