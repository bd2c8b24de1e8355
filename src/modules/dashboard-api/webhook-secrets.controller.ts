import { Controller, Get, Ip, Param, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { decodeId } from '../../core/http/ids';
import { ModeQuery } from './mode.dto';
import type { SignedIn } from './people.types';
import { Me, Needs } from './sessions.guard';
import { WebhookSecretsService } from './webhook-secrets.service';

@ApiExcludeController()
@Needs('webhooks:secret')
@Controller('dashboard/api/webhooks')
export class WebhookSecretsController {
  constructor(private readonly secrets: WebhookSecretsService) {}

  @Get(':id/secret')
  async show(@Me() me: SignedIn, @Param('id') id: string, @Query() { livemode }: ModeQuery, @Ip() ip: string): Promise<{ secret: string }> {
    return { secret: await this.secrets.show(me, { livemode, id: decodeId('whk', id), ip }) };
  }
}
