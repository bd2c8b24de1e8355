import { Module } from '@nestjs/common';
import { EndpointsModule } from '../webhooks/endpoints.module';
import { SendingModule } from '../webhooks/sending.module';
import { IdentityModule } from './identity.module';
import { WebhookSecretsController } from './webhook-secrets.controller';
import { WebhookSecretsService } from './webhook-secrets.service';

/** The signing secrets of webhooks, for those who set them up. */
@Module({ imports: [EndpointsModule, SendingModule, IdentityModule], controllers: [WebhookSecretsController], providers: [WebhookSecretsService] })
export class WebhookSecretsModule {}
