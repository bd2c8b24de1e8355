import { Global, Module } from '@nestjs/common';
import { Idempotency } from './idempotency';
import { ResendController } from './resend.controller';

@Global()
@Module({ controllers: [ResendController], providers: [Idempotency], exports: [Idempotency] })
export class IdempotencyModule {}
