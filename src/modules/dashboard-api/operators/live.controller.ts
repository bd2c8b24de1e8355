import { Body, Controller, Get, HttpCode, Ip, Param, Post } from '@nestjs/common';
import { Readiness } from '../../../providers/readiness';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { ProvidersService } from '../providers.service';
import {
  ExplainDifferenceDto,
  LiveCheckDto,
  LiveChecklistDto,
  LiveProviderDto,
  LiveProvidersDto,
  ProviderDifferenceDto,
  ProviderDifferencesDto,
} from './live.dto';

/** How it is with live mode, for operators of the platform only. */
@Needs('operator')
@Controller('dashboard/api/operators/live')
export class LiveController {
  constructor(
    private readonly readiness: Readiness,
    private readonly providers: ProvidersService,
  ) {}

  /** Asks every live provider something harmless, each for some seconds. */
  @Get('checklist')
  async checklist(): Promise<LiveChecklistDto> {
    return { items: (await this.readiness.list()).map(LiveCheckDto.of) };
  }

  @Get('providers')
  async listProviders(): Promise<LiveProvidersDto> {
    const live = (await this.providers.list()).filter(({ mode }) => mode === 'live');
    return { data: live.map(LiveProviderDto.of) };
  }

  @Get('differences')
  async listDifferences(): Promise<ProviderDifferencesDto> {
    return { data: (await this.providers.listDifferences(null)).map(ProviderDifferenceDto.of) };
  }

  @Post('differences/:id')
  @HttpCode(204)
  async explain(
    @Me() me: SignedIn,
    @Param('id') id: string,
    @Body() { reason }: ExplainDifferenceDto,
    @Ip() ip: string,
  ): Promise<void> {
    await this.providers.explain(me, id, reason, ip);
  }
}
