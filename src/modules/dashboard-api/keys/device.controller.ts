import { Body, Controller, HttpCode, Ip, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Cells } from '../../../core/cells/cells';
import { Env } from '../../../core/config/env';
import { slotOfKey } from '../../../core/http/api-key';
import { publicUrl } from '../../../core/http/request-context';
import { Public } from '../../../core/http/route-markers';
import { Me, Needs, originOf } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import {
  ApproveDeviceDto,
  AskForCodeDto,
  DeviceCodeDto,
  DeviceKeyDto,
  DeviceRequestDto,
  RevokeTokenDto,
  TakeKeyDto,
  UserCodeDto,
} from './device.dto';
import { DeviceLogins } from './device-logins.service';
import { KeysService } from './keys.service';

/** Where command lines log in (RFC 8628) and out (RFC 7009): without a key yet, or with the one that they give back. */
@Public()
@ApiExcludeController()
@Controller('device')
export class DeviceController {
  constructor(
    private readonly logins: DeviceLogins,
    private readonly keys: KeysService,
    private readonly env: Env,
    private readonly cells: Cells,
  ) {}

  @Post('code')
  @HttpCode(200)
  async ask(@Body() { name }: AskForCodeDto, @Req() request: FastifyRequest): Promise<DeviceCodeDto> {
    return DeviceCodeDto.of(await this.logins.ask(name, originOf(request)), publicUrl(this.env));
  }

  @Post('token')
  @HttpCode(200)
  async take(@Body() { device_code: code }: TakeKeyDto): Promise<DeviceKeyDto> {
    const { secret, livemode, expiresAt } = await this.logins.take(code);
    return { api_key: secret, livemode, expires_at: expiresAt };
  }

  @Post('revoke')
  @HttpCode(200)
  async revoke(@Body() { token }: RevokeTokenDto, @Ip() ip: string): Promise<object> {
    this.cells.requireHere(slotOfKey(token));
    await this.keys.revokeBySecret(token, ip);
    return {};
  }
}

/** What a person decides about a command line. The code stands in the body: addresses are written down in places. */
@Needs('keys:write')
@Controller('dashboard/api/device')
export class DeviceDecisionsController {
  constructor(private readonly logins: DeviceLogins) {}

  @Post('look-up')
  @HttpCode(200)
  async find(
    @Me() me: SignedIn,
    @Body() { user_code: code }: UserCodeDto,
    @Ip() ip: string,
  ): Promise<DeviceRequestDto> {
    return DeviceRequestDto.of(await this.logins.find(me, code), ip);
  }

  @Post('approve')
  @HttpCode(204)
  async approve(@Me() me: SignedIn, @Body() body: ApproveDeviceDto, @Ip() ip: string): Promise<void> {
    const { user_code: code, livemode, scopes = null } = body;
    await this.logins.approve(me, code, { livemode, scopes }, ip);
  }

  @Post('deny')
  @HttpCode(204)
  async deny(@Me() me: SignedIn, @Body() { user_code: code }: UserCodeDto, @Ip() ip: string): Promise<void> {
    await this.logins.deny(me, code, ip);
  }
}
