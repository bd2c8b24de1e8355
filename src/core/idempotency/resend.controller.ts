import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentCaller, type Caller } from '../http/caller';
import { Resources } from '../resources/resources';
import type { ReplayedBy } from './claim';
import { Idempotency } from './idempotency';
import { ResendDto } from './resend.dto';

/** "Is it safe to resend?" */
@ApiTags('Idempotency')
@Controller('v4')
export class ResendController {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly resources: Resources,
  ) {}

  @Get('idempotency/:key')
  @ApiOperation({ operationId: 'check_idempotency_key', summary: 'What became of an idempotency key' })
  @ApiOkResponse({ type: ResendDto })
  byKey(@CurrentCaller() caller: Caller, @Param('key') key: string): Promise<ResendDto> {
    return this.check(caller, 'key', key);
  }

  @Get('references/:reference')
  @ApiOperation({ operationId: 'check_reference', summary: 'What became of a reference' })
  @ApiOkResponse({ type: ResendDto })
  byReference(@CurrentCaller() caller: Caller, @Param('reference') reference: string): Promise<ResendDto> {
    return this.check(caller, 'reference', reference);
  }

  /** A claim is stored with its effect: what is found is done, and what is not done is not found. */
  private async check(caller: Caller, kind: ReplayedBy, value: string): Promise<ResendDto> {
    const { accountId, livemode } = caller;
    const claim = await this.idempotency.find({ accountId, livemode, kind, value });
    const isShown = claim !== null && this.resources.isReadable(caller, claim.resource);
    const resource = isShown ? await this.resources.present(caller, claim.resource, claim.resourceId) : null;
    return { object: 'resend_check', status: claim ? 'completed' : 'not_seen', resource, livemode };
  }
}
