import { Body, Controller, Get, HttpCode, Ip, Param, Post, Query } from '@nestjs/common';
import { decodeId } from '../../../core/http/ids';
import { Pages } from '../../../core/http/pages';
import { SCOPES } from '../../../vocabulary/scopes';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { CreateKeyDto, KeyDto, KeyListDto, KeysQuery, NewKeyDto, RollKeyDto, ScopesDto } from './key.dto';
import { KeysService } from './keys.service';

@Needs('keys:read')
@Controller('dashboard/api')
export class KeysController {
  constructor(
    private readonly keys: KeysService,
    private readonly pages: Pages,
  ) {}

  @Get('keys')
  async list(@Me() me: SignedIn, @Query() query: KeysQuery): Promise<KeyListDto> {
    const page = this.pages.open({ accountId: me.accountId, livemode: query.livemode }, 'api_keys', query);
    const rows = await this.keys.list(me, query.livemode, page.after?.[0] ?? null, page.take);
    return page.of(rows, KeyDto.of, ({ id }) => [id]);
  }

  @Get('scopes')
  scopes(): ScopesDto {
    return { data: SCOPES };
  }

  @Post('keys')
  @Needs('keys:write')
  async create(@Me() me: SignedIn, @Body() body: CreateKeyDto, @Ip() ip: string): Promise<NewKeyDto> {
    const { name, livemode, scopes = null, expires_at: expiresAt = null, allowed_ips: allowedIps = null } = body;
    const { key, secret } = await this.keys.create(me, { name, livemode, scopes, expiresAt, allowedIps }, ip);
    return { key: KeyDto.of(key), secret };
  }

  @Post('keys/:id/roll')
  @Needs('keys:write')
  async roll(
    @Me() me: SignedIn,
    @Param('id') id: string,
    @Body() { overlap_seconds: seconds }: RollKeyDto,
    @Ip() ip: string,
  ): Promise<NewKeyDto> {
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
