import { DomainError } from '../../core/errors/domain-error';
import type { ScopeName } from '../../vocabulary/scopes';
import type { Permission } from './roles';

/** One answer for an unknown address and for a wrong password or code. */
export class InvalidCredentials extends DomainError {
  constructor() {
    super({
      code: 'invalid_credentials',
      kind: 'unauthenticated',
      title: 'Invalid credentials',
      detail: 'The e-mail address, the password or the code is wrong.',
    });
  }
}

/** One answer, whatever is wrong with it: an unknown key, one that was removed, a challenge that was used. */
export class PasskeyRefused extends DomainError {
  constructor() {
    super({
      code: 'passkey_refused',
      kind: 'unauthenticated',
      title: 'Passkey refused',
      detail: 'The passkey was not accepted: it is not known here, or it took too long. Try again.',
    });
  }
}

export class PasskeysUnavailable extends DomainError {
  constructor() {
    super({
      code: 'passkeys_unavailable',
      kind: 'conflict',
      title: 'No passkeys here',
      detail: 'Browsers tie passkeys to a name: they need https and a PUBLIC_URL with a name, or localhost.',
      recovery: 'account_must_act',
    });
  }
}

export class TotpRequired extends DomainError {
  constructor() {
    super({
      code: 'totp_required',
      kind: 'unauthenticated',
      title: 'Code required',
      detail: 'Send the code of the authenticator app as well, or a recovery code.',
    });
  }
}

export class StepUpRequired extends DomainError {
  constructor() {
    super({
      code: 'step_up_required',
      kind: 'forbidden',
      title: 'Step-up required',
      detail: 'Enter your password again before you do this.',
    });
  }
}

export class InsufficientRole extends DomainError {
  constructor(permission: Permission | ScopeName | 'operator' | null) {
    super({
      code: 'insufficient_role',
      kind: 'forbidden',
      title: 'Insufficient role',
      detail: permission === null ? 'Your role may not do this.' : `Your role lacks the permission ${permission}.`,
    });
  }
}

export class CrossSiteRequest extends DomainError {
  constructor() {
    super({
      code: 'cross_site_request',
      kind: 'forbidden',
      title: 'Cross-site request',
      detail: 'The dashboard answers requests of its own pages only.',
    });
  }
}

export class LiveModeLocked extends DomainError {
  constructor() {
    super({
      code: 'live_mode_not_enabled',
      kind: 'forbidden',
      title: 'Live mode not enabled',
      detail: 'An operator must enable live mode for this account first.',
    });
  }
}

export class TooManyAttempts extends DomainError {
  constructor(retryAfter: number) {
    super({
      code: 'rate_limited',
      kind: 'rate_limited',
      title: 'Too many attempts',
      detail: `Try again in ${retryAfter} s.`,
      retryAfter,
    });
  }
}

export class TooManyStreams extends DomainError {
  constructor() {
    super({
      code: 'rate_limited',
      kind: 'rate_limited',
      title: 'Too many streams',
      detail: 'So many pages are live already. Close some.',
      retryAfter: 30,
    });
  }
}

export class TooBusy extends DomainError {
  constructor() {
    super({
      code: 'service_unavailable',
      kind: 'unavailable',
      title: 'Too busy',
      detail: 'Too many people log in at this moment.',
      retryAfter: 1,
    });
  }
}

export class WeakPassword extends DomainError {
  constructor(detail: string, param = '/password') {
    super({
      code: 'weak_password',
      kind: 'malformed',
      title: 'Weak password',
      detail,
      param,
      errors: [{ param, code: 'weak_password', detail }],
    });
  }
}

export class WrongTotpCode extends DomainError {
  constructor() {
    const detail = 'The code is wrong or too old. Is the clock of your phone right?';
    super({
      code: 'wrong_totp_code',
      kind: 'malformed',
      title: 'Wrong code',
      detail,
      param: '/code',
      errors: [{ param: '/code', code: 'wrong_totp_code', detail }],
    });
  }
}

export class AlreadyMember extends DomainError {
  constructor() {
    super({
      code: 'already_member',
      kind: 'conflict',
      title: 'Already a member',
      detail: 'This person is in this team already, or has been invited to it.',
    });
  }
}

export class OtherAccount extends DomainError {
  constructor() {
    super({
      code: 'other_account',
      kind: 'conflict',
      title: 'Another account',
      detail: 'You went to another account in another window. Nothing was done: load this page anew.',
    });
  }
}

export class LastOwner extends DomainError {
  constructor() {
    super({
      code: 'last_owner',
      kind: 'conflict',
      title: 'Last owner',
      detail: 'An account needs an owner: make somebody else one first.',
    });
  }
}

export class TotpEnabled extends DomainError {
  constructor() {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Codes are on',
      detail: 'One-time codes are on already: turn them off first.',
    });
  }
}
