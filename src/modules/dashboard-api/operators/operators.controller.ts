import { Body, Controller, Get, HttpCode, Ip, Put, Query } from '@nestjs/common';
import { Cells } from '../../../core/cells/cells';
import { InControlCell } from '../../../core/http/route-markers';
import { OperatorsService } from '../operators.service';
import { OtherCells } from '../people/other-cells.service';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import {
  FeeDto,
  FeesDto,
  HealthQuery,
  OperatorCellDto,
  OperatorCellsDto,
  ProvidersDto,
  SetFeeDto,
  SwitchRouteDto,
} from './operators.dto';

/** For operators of the platform only, whatever their role in an account. */
@Needs('operator')
@Controller('dashboard/api/operators')
export class OperatorsController {
  constructor(
    private readonly operators: OperatorsService,
    private readonly cells: Cells,
    private readonly others: OtherCells,
  ) {}

  /** Whoever says what accounts the operator has answers. */
  @Get('cells')
  async listCells(@Me() { userId }: SignedIn): Promise<OperatorCellsDto> {
    const { away } = await this.others.membershipsOf(userId, { forceRefresh: true });
    const presented = this.cells.all.map((cell) =>
      OperatorCellDto.of(cell, {
        own: cell === this.cells.here,
        slots: this.cells.slotsOf(cell),
        answers: !away.some(({ name }) => name === cell.name),
      }),
    );
    return { data: presented };
  }

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
