import { Module } from '@nestjs/common';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { SamplesController } from './samples.controller';
import { SamplesService } from './samples.service';

/** Events of what did not happen. */
@Module({ imports: [WebhooksModule], controllers: [SamplesController], providers: [SamplesService] })
export class SamplesModule {}
