import { Body, Controller, Delete, Get, HttpCode, Ip, Param, Post, Put, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeId } from '../../../core/http/ids';
import { SecurityService } from '../security.service';
import { CodeDto, PasswordsDto, PersonDto, ProofDto, SessionDto } from './people.dto';
import { SessionCookies, Me, Needs } from './sessions.guard';
import { SessionsService, type SignedIn } from './sessions.service';

/** What people see and change of themselves. */
@ApiExcludeController()
@Needs('self')
@Controller('dashboard/api')
export class MeController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly security: SecurityService,
    private readonly cookies: SessionCookies,
  ) {}

  @Get('me')
  me(@Me() me: SignedIn): PersonDto {
    return PersonDto.of(me);
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
  @HttpCode(200)
  async stepUp(@Me() me: SignedIn, @Body() proof: ProofDto, @Ip() ip: string): Promise<{ stepped_up_until: Date }> {
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
  @HttpCode(200)
  async setUpTotp(@Me() me: SignedIn): Promise<{ secret: string; otpauth_uri: string }> {
    const { secret, uri } = await this.security.setUpTotp(me);
    return { secret, otpauth_uri: uri };
  }

  @Post('totp/confirm')
  @HttpCode(200)
  async confirmTotp(
    @Me() me: SignedIn,
    @Body() { code }: CodeDto,
    @Ip() ip: string,
  ): Promise<{ recovery_codes: string[] }> {
    return { recovery_codes: await this.security.confirmTotp(me, code, ip) };
  }

  @Post('totp/disable')
  @HttpCode(204)
  async disableTotp(@Me() me: SignedIn, @Body() proof: ProofDto, @Ip() ip: string): Promise<void> {
    await this.security.disableTotp(me, proof, ip);
  }
}
