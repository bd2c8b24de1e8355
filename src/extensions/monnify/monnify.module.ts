import { Module } from '@nestjs/common';
import { MonnifyAccounts } from './monnify-accounts';
import { MonnifyPayouts } from './monnify-payouts';

/** Monnify (Nigeria): payouts, and virtual accounts. Absent until it has its settings. */
@Module({ providers: [MonnifyPayouts, MonnifyAccounts] })
export class MonnifyModule {}
