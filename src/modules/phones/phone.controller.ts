import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { Scope } from '../../core/http/route-markers';
import { PhoneLookupDto, PhoneQuery } from './phone.dto';
import { PhoneService } from './phone.service';

@ApiTags('Airtime')
@Controller('v4/phone')
export class PhoneController {
  constructor(private readonly phones: PhoneService) {}

  @Get('lookup')
  @Scope('purchases:read')
  @ApiOperation({ operationId: 'look_up_phone', summary: 'Tell the network of a phone number' })
  @ApiOkResponse({ type: PhoneLookupDto, description: 'A number that cannot exist is answered with `valid: false`.' })
  async lookUp(
    @CurrentCaller() { livemode }: Caller,
    @Query() { phone, country }: PhoneQuery,
  ): Promise<PhoneLookupDto> {
    return PhoneLookupDto.of(await this.phones.lookUp({ phone, country, livemode }));
  }
}
