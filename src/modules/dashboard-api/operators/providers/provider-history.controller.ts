import { Controller, Get, Query } from '@nestjs/common';
import { Needs } from '../../people/sessions.guard';
import {
  ProviderOrderDto,
  ProviderOrdersDto,
  ProviderAttemptsQuery,
  ProviderHistoryDto,
  ProviderHistoryQuery,
} from './provider-history.dto';
import { periodOf, ProviderHistory } from './provider-history.service';

/** How providers were doing, hour by hour, and what did not go well. */
@Needs('operator')
@Controller('dashboard/api/operators/provider-history')
export class ProviderHistoryController {
  constructor(private readonly history: ProviderHistory) {}

  @Get()
  async list(@Query() query: ProviderHistoryQuery): Promise<ProviderHistoryDto> {
    const [data, codes] = await Promise.all([this.history.periods(query), this.history.codes(query)]);
    return { period: periodOf(query), data, codes };
  }

  @Get('attempts')
  async listAttempts(@Query() query: ProviderAttemptsQuery): Promise<ProviderOrdersDto> {
    return { data: (await this.history.attempts(query)).map(ProviderOrderDto.of) };
  }
}
