import { Controller, Get, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Scope } from '../../core/http/route-markers';
import { SandboxBillers } from '../bills/providers/sandbox/sandbox-billers.service';
import { SandboxOperator } from '../purchases/sandbox-operator.service';
import { SandboxDesk } from '../payments/sandbox/sandbox-desk';
import { SandboxScenariosDto } from './scenarios.dto';
import { TestModeGuard } from './test-mode.guard';

@ApiTags('Sandbox')
@Controller('v4/sandbox')
@UseGuards(TestModeGuard)
export class ScenariosController {
  constructor(
    private readonly operator: SandboxOperator,
    private readonly billers: SandboxBillers,
    private readonly desk: SandboxDesk,
  ) {}

  @Get('scenarios')
  @Scope('purchases:read')
  @ApiOperation({
    operationId: 'list_sandbox_scenarios',
    summary: 'List what phone numbers, customers, cardholders and the header X-Sandbox-Scenario do',
  })
  @ApiOkResponse({ type: SandboxScenariosDto })
  list(): SandboxScenariosDto {
    return SandboxScenariosDto.of(this.operator.scenarios, this.billers.customers(), this.desk.outcomes);
  }
}
