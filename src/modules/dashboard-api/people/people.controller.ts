import { Body, Controller, Delete, Get, HttpCode, Ip, Param, Patch, Post, Put, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Forwarding } from '../../../core/cells/forwarding';
import { decodeId, encodeId } from '../../../core/http/ids';
import { InControlCell, Public } from '../../../core/http/route-markers';
import { AuditService } from '../audit.service';
import { PeopleService } from '../people.service';
import { SecurityService } from '../security.service';
import { TeamService } from '../team.service';
import { AuthService } from './auth.service';
import { PasskeyOptionsDto, ShownPasskeyDto } from './passkeys.dto';
import { PasskeysService } from './passkeys.service';
import {
  AcceptInviteDto,
  ChangeMemberDto,
  CodeDto,
  ForgotPasswordDto,
  InvitationDto,
  InviteDto,
  LogInDto,
  MailWayDto,
  MemberDto,
  PasswordsDto,
  PersonDto,
  ProofDto,
  RecoveryCodesDto,
  ResetPasswordDto,
  SessionDto,
  SignUpDto,
  SteppedUpDto,
  TeamDto,
  TotpSetupDto,
} from './people.dto';
import { PasswordResets } from './password-resets.service';
import { Me, Needs, originOf, SessionCookies } from './sessions.guard';
import { type NewSession, SessionsService, type SignedIn } from './sessions.service';
import type { TeamMember } from './people.entity';

/** Routes of the dashboard that ask for no session: they begin one, or lead to one. */
@Public()
@Controller('dashboard/api/auth')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly sessions: SessionsService,
    private readonly cookies: SessionCookies,
    private readonly resets: PasswordResets,
    private readonly passkeys: PasskeysService,
    private readonly people: PeopleService,
    private readonly forwarding: Forwarding,
  ) {}

  @Post('sign-up')
  @InControlCell('anybody')
  async signUp(
    @Body() body: SignUpDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PersonDto> {
    const { account_name: accountName, ...newcomer } = body;
    const cell = this.forwarding.hopOf(request)?.from;
    return this.letIn(await this.auth.signUp({ ...newcomer, accountName, cell }, originOf(request)), request, reply);
  }

  @Post('log-in')
  @InControlCell('anybody')
  @HttpCode(200)
  async logIn(
    @Body() { email, ...proof }: LogInDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PersonDto> {
    return this.letIn(await this.auth.logIn(email, proof, originOf(request)), request, reply);
  }

  /** The same for everybody: nobody has said who they are. */
  @Post('passkey-options')
  @InControlCell('anybody')
  @HttpCode(200)
  async askForPasskey(@Req() request: FastifyRequest): Promise<PasskeyOptionsDto> {
    await this.auth.countAsked(request.ip);
    return { options: await this.passkeys.ask(null, this.passkeys.siteOf(request)) };
  }

  @Post('passkey')
  @InControlCell('anybody')
  @HttpCode(200)
  async logInWithPasskey(
    @Body() body: ShownPasskeyDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PersonDto> {
    const shown = { site: this.passkeys.siteOf(request), ip: request.ip };
    const { userId } = await this.passkeys.requireShown(ShownPasskeyDto.shownOf(body), null, shown);
    return this.letIn(await this.auth.logInShown(userId, originOf(request)), request, reply);
  }

  @Post('accept-invite')
  @InControlCell('anybody')
  @HttpCode(200)
  async accept(
    @Body() { token, ...proof }: AcceptInviteDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PersonDto> {
    return this.letIn(await this.auth.acceptInvitation(token, proof, originOf(request)), request, reply);
  }

  @Post('forgot-password')
  @InControlCell('anybody')
  @HttpCode(200)
  async forgot(@Body() { email }: ForgotPasswordDto, @Ip() ip: string): Promise<MailWayDto> {
    return { mail: await this.resets.request(email, ip) };
  }

  @Post('reset-password')
  @InControlCell('anybody')
  @HttpCode(204)
  reset(@Body() { token, password }: ResetPasswordDto, @Ip() ip: string): Promise<void> {
    return this.resets.reset(token, password, ip);
  }

  /** The session that the browser had before ends: whoever planted it gets nothing of the new one. */
  private async letIn(
    { token, signedIn }: NewSession,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<PersonDto> {
    const before = this.cookies.read(request);
    if (before !== null) await this.sessions.endToken(before);
    this.cookies.write(request, reply, token);
    return PersonDto.of(signedIn, await this.people.accountsOf(signedIn.userId), this.people.hasOtherCells);
  }
}

/** What people see and change of themselves. */
@Needs('self')
@Controller('dashboard/api')
export class MeController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly security: SecurityService,
    private readonly cookies: SessionCookies,
    private readonly people: PeopleService,
  ) {}

  @Get('me')
  async me(@Me() me: SignedIn): Promise<PersonDto> {
    return PersonDto.of(me, await this.people.accountsOf(me.userId), this.people.hasOtherCells);
  }

  @Post('auth/log-out')
  @HttpCode(204)
  async logOut(
    @Me() me: SignedIn,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.security.logOut(me, request.ip);
    this.cookies.write(request, reply, null);
  }

  @Post('auth/log-out-everywhere')
  @InControlCell('person')
  @HttpCode(204)
  async logOutEverywhere(
    @Me() me: SignedIn,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.security.logOutEverywhere(me, request.ip);
    this.cookies.write(request, reply, null);
  }

  @Post('auth/step-up')
  @InControlCell('person')
  @HttpCode(200)
  async stepUp(@Me() me: SignedIn, @Body() proof: ProofDto, @Ip() ip: string): Promise<SteppedUpDto> {
    return { stepped_up_until: await this.security.stepUp(me, proof, ip) };
  }

  @Get('sessions')
  async list(@Me() me: SignedIn): Promise<SessionDto[]> {
    return (await this.sessions.list(me)).map((session) => SessionDto.of(session, me));
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  async end(@Me() me: SignedIn, @Param('id') id: string, @Ip() ip: string): Promise<void> {
    await this.security.endSession(me, decodeId('ses', id), ip);
  }

  @Put('password')
  @InControlCell('person')
  @HttpCode(204)
  async changePassword(
    @Me() me: SignedIn,
    @Body() body: PasswordsDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const { token } = await this.security.changePassword(me, body, {
      ip: request.ip,
      userAgent: request.headers['user-agent'] ?? null,
    });
    this.cookies.write(request, reply, token);
  }

  @Post('totp/setup')
  @InControlCell('person')
  @HttpCode(200)
  async setUpTotp(@Me() me: SignedIn): Promise<TotpSetupDto> {
    const { secret, uri } = await this.security.setUpTotp(me);
    return { secret, otpauth_uri: uri };
  }

  @Post('totp/confirm')
  @InControlCell('person')
  @HttpCode(200)
  async confirmTotp(@Me() me: SignedIn, @Body() { code }: CodeDto, @Ip() ip: string): Promise<RecoveryCodesDto> {
    return { recovery_codes: await this.security.confirmTotp(me, code, ip) };
  }

  @Post('totp/disable')
  @InControlCell('person')
  @HttpCode(204)
  async disableTotp(@Me() me: SignedIn, @Body() proof: ProofDto, @Ip() ip: string): Promise<void> {
    await this.security.disableTotp(me, proof, ip);
  }
}

@Needs('team:write')
@Controller('dashboard/api/team')
export class TeamController {
  constructor(
    private readonly team: TeamService,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @Needs('team:read')
  async list(@Me() me: SignedIn): Promise<TeamDto> {
    return { data: (await this.team.list(me)).map(MemberDto.of) };
  }

  @Post()
  async invite(@Me() me: SignedIn, @Body() body: InviteDto, @Ip() ip: string): Promise<InvitationDto> {
    const invitation = await this.team.invite(me, body);
    await this.record(me, 'team.invited', invitation.member, ip);
    return InvitationDto.of(invitation);
  }

  @Patch(':id')
  async change(
    @Me() me: SignedIn,
    @Param('id') id: string,
    @Body() { role, name }: ChangeMemberDto,
    @Ip() ip: string,
  ): Promise<MemberDto> {
    const member = await this.team.changeMember(me, decodeId('mem', id), { role, name });
    await this.record(me, role === undefined ? 'team.renamed' : 'team.role_changed', member, ip);
    return MemberDto.of(member);
  }

  /** A new link, for another 7 days; the one of before is worth nothing. */
  @Post(':id/resend')
  @HttpCode(200)
  async resend(@Me() me: SignedIn, @Param('id') id: string, @Ip() ip: string): Promise<InvitationDto> {
    const invitation = await this.team.resend(me, decodeId('mem', id));
    await this.record(me, 'team.invited_again', invitation.member, ip);
    return InvitationDto.of(invitation);
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
