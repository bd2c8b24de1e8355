import { Module } from '@nestjs/common';
import { FlutterwaveGateway } from './gateway';

/** Payments through Flutterwave. Nothing of it is registered without its settings. */
@Module({ providers: [FlutterwaveGateway] })
export class FlutterwaveModule {}
