import { Global, Module } from '@nestjs/common';
import { Idempotency } from './idempotency';
import { KeyExpiry } from './key-expiry';
import { ResendController } from './resend.controller';

@Global()
@Module({ controllers: [ResendController], providers: [Idempotency, KeyExpiry], exports: [Idempotency] })
export class IdempotencyModule {}
