import { Body, Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeId } from '../../../core/http/ids';
import { MembershipsService } from './memberships.service';
import { AccountNameDto, LeaveDto } from './people.dto';
import { Me, Needs, originOf, SessionCookies } from './sessions.guard';
import { type NewSession, type SignedIn } from './sessions.service';

/** From one account of a person to another. The page is loaded anew then: nothing of the first stays in it. */
@Needs('self')
@Controller('dashboard/api/accounts')
export class AccountsController {
  constructor(
    private readonly memberships: MembershipsService,
    private readonly cookies: SessionCookies,
  ) {}

  @Post()
  @HttpCode(204)
  async open(
    @Me() me: SignedIn,
    @Body() { name }: AccountNameDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    this.handOver(await this.memberships.open(me, name, originOf(request)), request, reply);
  }

  @Post('leave')
  @HttpCode(204)
  async leave(
    @Me() me: SignedIn,
    @Body() body: LeaveDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    this.handOver(
      await this.memberships.leave(me, decodeId('acct', body.account_id), originOf(request)),
      request,
      reply,
    );
  }

  @Post(':id/switch')
  @HttpCode(204)
  async goTo(
    @Me() me: SignedIn,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    this.handOver(await this.memberships.goTo(me, decodeId('acct', id), originOf(request)), request, reply);
  }

  private handOver(session: NewSession | null, request: FastifyRequest, reply: FastifyReply): void {
    this.cookies.write(request, reply, session && session.token);
  }
}
