import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { InsufficientScope } from '../errors/domain-error';
import { CurrentCaller, type Caller } from '../http/caller';
import { Resources } from '../resources/resources';
import type { ReplayedBy, StoredClaim } from './claim';
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
    const resource = claim && (await this.shown(caller, claim));
    return { object: 'resend_check', status: claim ? 'completed' : 'not_seen', resource, livemode };
  }

  /** Null for what is shown nowhere (a clock was moved) or the caller may not read; of an event, also its object. */
  private async shown(caller: Caller, { resource, resourceId }: StoredClaim): Promise<object | null> {
    if (!this.resources.isPresented(resource) || !this.resources.isReadable(caller, resource)) return null;
    try {
      return await this.resources.present(caller, resource, resourceId);
    } catch (error) {
      if (error instanceof InsufficientScope) return null;
      throw error;
    }
  }
}
