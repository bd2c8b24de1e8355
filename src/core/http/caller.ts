import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ScopeName } from '../../vocabulary/scopes';
import { InsufficientScope } from '../errors/domain-error';

/** One mode of one account: whose something is. */
export interface Tenant {
  /** Account uuid. */
  readonly accountId: string;
  readonly livemode: boolean;
}

/** What of a tenant's it is. */
export interface Key extends Tenant {
  /** Its uuid. */
  readonly id: string;
}

/** Who sends the request, as the guard found out from the API key, or from the session of a person at the dashboard. */
export interface Caller extends Tenant {
  /** Key uuid; null for a person at the dashboard. */
  readonly keyId: string | null;
  /** Who of the account it is, when a person at the dashboard asks. */
  readonly person?: { readonly sessionId: string; readonly userId: string };
  /** Null: the caller may do everything. */
  readonly scopes: readonly string[] | null;
  /** Request uuid, public as `Request-Id: req_…`. */
  readonly requestId: string;
}

/** The caller of the current request. Only on routes that are not `@Public()`. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller => context.switchToHttp().getRequest<{ caller: Caller }>().caller,
);

type Holder = Pick<Caller, 'scopes'>;

/** Whether the holder has one of these. */
export const hasScope = ({ scopes }: Holder, ...anyOf: readonly ScopeName[]): boolean =>
  scopes === null || anyOf.some((scope) => scopes.includes(scope));

/** One of these is enough. Throws `InsufficientScope`. */
export function requireScope(holder: Holder, ...anyOf: readonly ScopeName[]): void {
  if (!hasScope(holder, ...anyOf)) throw new InsufficientScope(anyOf.join(' or '));
}
