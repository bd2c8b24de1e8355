import { ApiProperty } from '@nestjs/swagger';
import { field, Label, OneOf, PublicId, Text } from '../../../core/http/fields';
import { type KeptMail, MAIL_WAYS, type MailWay } from '../../../core/mail/mails.service';
import { encodeId, timeOf } from '../../../core/http/ids';
import { type ScopeName, SCOPES } from '../../../vocabulary/scopes';
import { type Permission, PERMISSIONS, POWERS, type Role, ROLES } from '../roles';
import type { OwnAccount } from '../people.service';
import type { Invitation } from '../team.service';
import type { Session, TeamMember } from './people.entity';
import type { SignedIn } from './sessions.service';

const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/;
const EMAIL_MAX = 254;
const PASSWORD_MAX = 256;
const CODE_MAX = 32;
const TOKEN_MAX = 64;

/** An address that mail can be sent to, as far as its form goes. */
const Email = () =>
  field({ type: 'string', maxLength: EMAIL_MAX }, [
    {
      name: 'email',
      says: 'must be an e-mail address',
      holds: (value) => typeof value === 'string' && value.length <= EMAIL_MAX && EMAIL.test(value.trim()),
    },
  ]);

export class SignUpDto {
  @Label()
  name: string;

  @Email()
  email: string;

  @Text(PASSWORD_MAX)
  password: string;

  @Label()
  account_name: string;
}

export class LogInDto {
  @Email()
  email: string;

  @Text(PASSWORD_MAX)
  password: string;

  @Text(CODE_MAX, { optional: true })
  code?: string | null;
}

export class ProofDto {
  @Text(PASSWORD_MAX)
  password: string;

  @Text(CODE_MAX, { optional: true })
  code?: string | null;
}

export class AcceptInviteDto extends ProofDto {
  @Text(TOKEN_MAX)
  token: string;
}

export class ForgotPasswordDto {
  @Email()
  email: string;
}

/** The same for every address. */
export class MailWayDto {
  /** Mail is sent; or kept in the mailbox of the developer's machine; or there is none. */
  @ApiProperty({ enum: MAIL_WAYS })
  mail: MailWay;
}

export class ResetPasswordDto {
  @Text(TOKEN_MAX)
  token: string;

  @Text(PASSWORD_MAX)
  password: string;
}

export class CodeDto {
  @Text(CODE_MAX)
  code: string;
}

export class PasswordsDto {
  @Text(PASSWORD_MAX)
  current: string;

  @Text(CODE_MAX, { optional: true })
  code?: string | null;

  @Text(PASSWORD_MAX)
  next: string;
}

/** A mail that was not sent, since this service has no mail server. */
export class KeptMailDto {
  id: string;
  to: string;
  subject: string;
  text: string;
  created_at: Date;

  static of(this: void, { id, to, subject, text, createdAt }: KeptMail): KeptMailDto {
    return { id, to, subject, text, created_at: createdAt };
  }
}

export class MailboxDto {
  data: KeptMailDto[];
}

/** Whoever is signed in. */
export class SignedInUserDto {
  id: string;
  name: string;
  email: string;
  @ApiProperty({ enum: ROLES })
  role: Role;
  totp_enabled: boolean;
  /** Looks after the platform. */
  operator: boolean;
  /** Looks after a platform of more than one cell. */
  several_cells: boolean;
}

/** The account in which somebody is signed in. */
export class OwnAccountDto {
  id: string;
  name: string;
  live_enabled: boolean;
}

/** What a role allows, so that the page offers nothing else. */
export class AllowedDto {
  /** At the dashboard itself. */
  @ApiProperty({ enum: PERMISSIONS, isArray: true })
  dashboard: readonly Permission[];
  /** Of the public API in test mode; null: all. */
  @ApiProperty({ enum: SCOPES, isArray: true, nullable: true })
  test: readonly ScopeName[] | null;
  /** Likewise in live mode. */
  @ApiProperty({ enum: SCOPES, isArray: true, nullable: true })
  live: readonly ScopeName[] | null;
}

/** An account that somebody may go to. */
export class MembershipDto {
  id: string;
  name: string;
  @ApiProperty({ enum: ROLES })
  role: Role;
  /** It is the one that is shown. */
  current: boolean;
}

/** Which account is left: the one that is shown. */
export class LeaveDto {
  @PublicId('acct')
  account_id: string;
}

export class AccountNameDto {
  @Label()
  name: string;
}

/** Who is signed in, and where. */
export class PersonDto {
  user: SignedInUserDto;
  account: OwnAccountDto;
  /** All that the person is in the team of. */
  accounts: MembershipDto[];
  may: AllowedDto;
  /** Until then what needs a fresh proof of identity may be done. */
  stepped_up_until: Date | null;

  static of(this: void, me: SignedIn, accounts: readonly OwnAccount[], hasOtherCells: boolean): PersonDto {
    return {
      user: {
        id: encodeId('usr', me.userId),
        name: me.name,
        email: me.email,
        role: me.role,
        totp_enabled: me.totpEnabled,
        operator: me.isOperator,
        several_cells: me.isOperator && hasOtherCells,
      },
      account: { id: encodeId('acct', me.accountId), name: me.accountName, live_enabled: me.liveEnabled },
      accounts: accounts.map(({ accountId, name, role }) => ({
        id: encodeId('acct', accountId),
        name,
        role,
        current: accountId === me.accountId,
      })),
      may: POWERS[me.role],
      stepped_up_until: me.steppedUpUntil,
    };
  }
}

export class SteppedUpDto {
  stepped_up_until: Date;
}

/** What an authenticator app needs, for the only time. */
export class TotpSetupDto {
  secret: string;
  otpauth_uri: string;
}

export class RecoveryCodesDto {
  /** Shown for the only time. */
  recovery_codes: string[];
}

/** A browser in which the person is signed in. */
export class SessionDto {
  id: string;
  created_at: Date;
  last_seen_at: Date;
  ip: string;
  user_agent: string | null;
  /** It is the one that asks. */
  current: boolean;

  static of(session: Session, { sessionId }: SignedIn): SessionDto {
    return {
      id: encodeId('ses', session.id),
      created_at: session.createdAt,
      last_seen_at: session.lastSeenAt,
      ip: session.ip,
      user_agent: session.userAgent,
      current: session.id === sessionId,
    };
  }
}

export class InviteDto {
  @Email()
  email: string;

  @Label()
  name: string;

  @OneOf(ROLES)
  role: Role;
}

export class ChangeMemberDto {
  @OneOf(ROLES, { optional: true })
  role?: Role;

  @Label({ optional: true })
  name?: string;
}

/** Somebody of the team, or an invitation that is open. */
export class MemberDto {
  id: string;
  /** Null until the invitation is accepted. */
  user_id: string | null;
  name: string;
  email: string;
  @ApiProperty({ enum: ROLES })
  role: Role;
  @ApiProperty({ enum: ['invited', 'active'] })
  status: 'invited' | 'active';
  /** Until when the link of the invitation is good; null once it was accepted. */
  invited_until: Date | null;
  created_at: Date;

  static of(this: void, member: TeamMember): MemberDto {
    return {
      id: encodeId('mem', member.id),
      user_id: member.userId && encodeId('usr', member.userId),
      name: member.name,
      email: member.email,
      role: member.role,
      status: member.userId === null ? 'invited' : 'active',
      invited_until: member.inviteUntil,
      created_at: timeOf(member.id),
    };
  }
}

export class TeamDto {
  data: MemberDto[];
}

/** An invitation that was made now; the link is shown once, or sent. */
export class InvitationDto {
  user: MemberDto;
  /** Null where it is sent: who follows it has shown that the address is theirs. */
  invite_url: string | null;
  @ApiProperty({ enum: MAIL_WAYS })
  mail: MailWay;

  static of(this: void, { member, token, mail }: Invitation): InvitationDto {
    return {
      user: MemberDto.of(member),
      invite_url: mail === 'smtp' ? null : `/dashboard/invite?token=${token}`,
      mail,
    };
  }
}
