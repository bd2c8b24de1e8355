import { Body, Controller, Get, HttpCode, Ip, Param, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { decodeId } from '../../core/http/ids';
import { SCOPES } from '../../core/http/scopes';
import { CreateKeyDto, KeyDto, RollKeyDto } from './key.dto';
import { KeysService } from './keys.service';
import { ModeQuery } from './mode.dto';
import type { SignedIn } from './people.types';
import { Me, Needs } from './sessions.guard';

interface MadeKeyDto {
  readonly key: KeyDto;
  /** For the only time. */
  readonly secret: string;
}

@ApiExcludeController()
@Needs('keys:read')
@Controller('dashboard/api')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Get('keys')
  async list(@Me() me: SignedIn, @Query() { livemode }: ModeQuery): Promise<{ data: KeyDto[] }> {
    return { data: (await this.keys.list(me, livemode)).map(KeyDto.of) };
  }

  @Get('scopes')
  scopes(): { data: readonly string[] } {
    return { data: SCOPES };
  }

  @Post('keys')
  @Needs('keys:write')
  async create(@Me() me: SignedIn, @Body() body: CreateKeyDto, @Ip() ip: string): Promise<MadeKeyDto> {
    const { name, livemode, scopes = null, expires_at: expiresAt = null, allowed_ips: allowedIps = null } = body;
    const { key, secret } = await this.keys.create(me, { name, livemode, scopes, expiresAt, allowedIps }, ip);
    return { key: KeyDto.of(key), secret };
  }

  @Post('keys/:id/roll')
  @Needs('keys:write')
  async roll(@Me() me: SignedIn, @Param('id') id: string, @Body() { overlap_seconds: seconds }: RollKeyDto, @Ip() ip: string): Promise<MadeKeyDto> {
    const { key, secret } = await this.keys.roll(me, decodeId('key', id), { seconds, ip });
    return { key: KeyDto.of(key), secret };
  }

  @Post('keys/:id/revoke')
  @HttpCode(200)
  @Needs('keys:write')
  async revoke(@Me() me: SignedIn, @Param('id') id: string, @Ip() ip: string): Promise<KeyDto> {
    return KeyDto.of(await this.keys.revoke(me, decodeId('key', id), ip));
  }
}
