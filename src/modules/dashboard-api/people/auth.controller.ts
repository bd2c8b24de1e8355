import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../../core/http/route-markers';
import { AuthService } from './auth.service';
import { AcceptInviteDto, LogInDto, PersonDto, SignUpDto } from './people.dto';
import { SessionCookies } from './sessions.guard';
import { type NewSession, type Origin, SessionsService } from './sessions.service';

/** The only routes of the dashboard that ask for no session: they begin one. */
@ApiExcludeController()
@Public()
@Controller('dashboard/api/auth')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly sessions: SessionsService,
    private readonly cookies: SessionCookies,
  ) {}

  @Post('sign-up')
  async signUp(
    @Body() body: SignUpDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PersonDto> {
    const { account_name: accountName, ...newcomer } = body;
    return this.letIn(await this.auth.signUp({ ...newcomer, accountName }, originOf(request)), request, reply);
  }

  @Post('log-in')
  @HttpCode(200)
  async logIn(
    @Body() { email, ...proof }: LogInDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PersonDto> {
    return this.letIn(await this.auth.logIn(email, proof, originOf(request)), request, reply);
  }

  @Post('accept-invite')
  @HttpCode(200)
  async accept(
    @Body() { token, ...proof }: AcceptInviteDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PersonDto> {
    return this.letIn(await this.auth.acceptInvitation(token, proof, originOf(request)), request, reply);
  }

  /** The session that the browser had before ends: whoever planted it gets nothing of the new one. */
  private async letIn(
    { token, signedIn }: NewSession,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<PersonDto> {
    const before = this.cookies.read(request);
    const old = before === null ? null : await this.sessions.find(before);
    if (old !== null) await this.sessions.end(old, old.sessionId);
    this.cookies.write(request, reply, token);
    return PersonDto.of(signedIn);
  }
}

const originOf = ({ ip, headers }: FastifyRequest): Origin => ({ ip, userAgent: headers['user-agent'] ?? null });
