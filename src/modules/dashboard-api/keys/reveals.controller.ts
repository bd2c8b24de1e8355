import { Controller, Get, HttpCode, Ip, Param, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { decodeId } from '../../../core/http/ids';
import { ModeQuery } from '../mode.dto';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { RevealsService } from './reveals.service';

/** What is masked everywhere else. */
@ApiExcludeController()
@Controller('dashboard/api')
export class RevealsController {
  constructor(private readonly reveals: RevealsService) {}

  @Get('webhooks/:id/secret')
  @Needs('webhooks:secret')
  async endpoint(
    @Me() me: SignedIn,
    @Param('id') id: string,
    @Query() { livemode }: ModeQuery,
    @Ip() ip: string,
  ): Promise<{ secret: string }> {
    return { secret: await this.reveals.ofEndpoint(me, decodeId('whk', id), { livemode, ip }) };
  }

  /** Which roles may depends on the mode: that is for the service to say. */
  @Post('transactions/:id/reveal')
  @HttpCode(200)
  @Needs('search')
  async transaction(
    @Me() me: SignedIn,
    @Param('id') id: string,
    @Query() { livemode }: ModeQuery,
    @Ip() ip: string,
  ): Promise<{ details: object }> {
    return { details: await this.reveals.ofTransaction(me, id, { livemode, ip }) };
  }
}
