import { Label, OneOf } from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { Email } from './auth.dto';
import { type Role, ROLES } from './roles.types';
import type { TeamMember } from './team-member.entity';

export class InviteDto {
  @Email()
  email: string;

  @Label()
  name: string;

  @OneOf(ROLES)
  role: Role;
}

export class RoleDto {
  @OneOf(ROLES)
  role: Role;
}

/** Somebody of the team, or an invitation that is open. */
export class MemberDto {
  id: string;
  /** Null until the invitation is accepted. */
  user_id: string | null;
  name: string;
  email: string;
  role: Role;
  status: string;
  created_at: Date;

  static of(this: void, member: TeamMember): MemberDto {
    return {
      id: encodeId('mem', member.id),
      user_id: member.userId && encodeId('usr', member.userId),
      name: member.name,
      email: member.email,
      role: member.role,
      status: member.userId === null ? 'invited' : 'active',
      created_at: timeOf(member.id),
    };
  }
}
