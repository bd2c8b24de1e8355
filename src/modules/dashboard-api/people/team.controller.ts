import { Body, Controller, Delete, Get, HttpCode, Ip, Param, Patch, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { decodeId, encodeId } from '../../../core/http/ids';
import { AuditService } from '../audit.service';
import { TeamService } from '../team.service';
import { InviteDto, MemberDto, RoleDto } from './people.dto';
import { Me, Needs } from './sessions.guard';
import type { SignedIn } from './sessions.service';
import type { TeamMember } from './team-member.entity';

@ApiExcludeController()
@Needs('team:write')
@Controller('dashboard/api/team')
export class TeamController {
  constructor(
    private readonly team: TeamService,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @Needs('team:read')
  async list(@Me() me: SignedIn): Promise<{ data: MemberDto[] }> {
    return { data: (await this.team.list(me)).map(MemberDto.of) };
  }

  @Post()
  async invite(
    @Me() me: SignedIn,
    @Body() body: InviteDto,
    @Ip() ip: string,
  ): Promise<{ user: MemberDto; invite_url: string }> {
    const { member, token } = await this.team.invite(me, body);
    await this.record(me, 'team.invited', member, ip);
    return { user: MemberDto.of(member), invite_url: `/dashboard/invite?token=${token}` };
  }

  @Patch(':id')
  async changeRole(
    @Me() me: SignedIn,
    @Param('id') id: string,
    @Body() { role }: RoleDto,
    @Ip() ip: string,
  ): Promise<MemberDto> {
    const member = await this.team.changeRole(me, decodeId('mem', id), role);
    await this.record(me, 'team.role_changed', member, ip);
    return MemberDto.of(member);
  }

  @Delete(':id')
  @HttpCode(204)
  async remove(@Me() me: SignedIn, @Param('id') id: string, @Ip() ip: string): Promise<void> {
    await this.record(me, 'team.removed', await this.team.remove(me, decodeId('mem', id)), ip);
  }

  private record(
    { accountId, userId, email: actor }: SignedIn,
    action: string,
    { id, email, role }: TeamMember,
    ip: string,
  ): Promise<void> {
    return this.audit.record({
      accountId,
      userId,
      actor,
      action,
      target: encodeId('mem', id),
      ip,
      detail: { email, role },
    });
  }
}
