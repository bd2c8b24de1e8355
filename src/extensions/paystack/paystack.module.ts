import { Module } from '@nestjs/common';
import { PaystackGateway } from './gateway';
import { PaystackPayouts } from './payouts';

/** Payments and payouts through Paystack. Nothing of it is registered without its settings. */
@Module({ providers: [PaystackGateway, PaystackPayouts] })
export class PaystackModule {}
