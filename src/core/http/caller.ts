import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** Who sends the request, as the guard found out from the API key. */
export interface Caller {
  /** Account uuid. */
  readonly accountId: string;
  readonly livemode: boolean;
  /** Key uuid. */
  readonly keyId: string;
  /** Null: the key may do everything. */
  readonly scopes: readonly string[] | null;
  /** Request uuid, public as `Request-Id: req_…`. */
  readonly requestId: string;
}

/** The caller of the current request. Only on routes that are not `@Public()`. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller => context.switchToHttp().getRequest<{ caller: Caller }>().caller,
);
