import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { DomainError } from '../../core/errors/domain-error';
import type { Caller } from '../../core/http/caller';

class KeyModeMismatch extends DomainError {
  constructor() {
    super({
      code: 'key_mode_mismatch',
      kind: 'forbidden',
      title: 'Key of the other mode',
      detail: 'The sandbox takes test keys only.',
      recovery: 'caller_must_fix',
    });
  }
}

/** The sandbox never touches live data. */
@Injectable()
export class TestModeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.switchToHttp().getRequest<{ caller: Caller }>().caller.livemode) throw new KeyModeMismatch();
    return true;
  }
}
