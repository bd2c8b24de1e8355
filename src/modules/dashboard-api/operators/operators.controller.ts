import { Body, Controller, Get, HttpCode, Ip, Put, Query } from '@nestjs/common';
import { InControlCell } from '../../../core/http/route-markers';
import { OperatorsService } from '../operators.service';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { FeeDto, FeesDto, HealthQuery, ProvidersDto, SetFeeDto, SwitchRouteDto } from './operators.dto';

/** For operators of the platform only, whatever their role in an account. */
@Needs('operator')
@Controller('dashboard/api/operators')
export class OperatorsController {
  constructor(private readonly operators: OperatorsService) {}

  @Get('providers')
  async providers(@Query() { minutes }: HealthQuery): Promise<ProvidersDto> {
    const [routes, calls] = await Promise.all([this.operators.routes(), this.operators.calls(Number(minutes))]);
    return { minutes: Number(minutes), routes, calls };
  }

  @Put('routes')
  @InControlCell('person')
  @HttpCode(204)
  async switch(@Me() me: SignedIn, @Body() body: SwitchRouteDto, @Ip() ip: string): Promise<void> {
    await this.operators.switchRoute(me, SwitchRouteDto.keyOf(body), { enabled: body.enabled, ip });
  }

  @Get('fees')
  async fees(): Promise<FeesDto> {
    return { data: (await this.operators.listFees()).map(FeeDto.of) };
  }

  @Put('fees')
  @InControlCell('person')
  @HttpCode(204)
  async setFee(@Me() me: SignedIn, @Body() body: SetFeeDto, @Ip() ip: string): Promise<void> {
    await this.operators.setFee(me, SetFeeDto.ruleOf(body), ip);
  }
}
