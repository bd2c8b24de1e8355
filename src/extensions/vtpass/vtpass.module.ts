import { Module } from '@nestjs/common';
import { VtpassAirtime } from './vtpass-airtime';
import { VtpassBills } from './vtpass-bills';
import { VtpassData } from './vtpass-data';

/** Sells airtime and data and pays bills through VTpass, once its settings are there. */
@Module({ providers: [VtpassAirtime, VtpassBills, VtpassData] })
export class VtpassModule {}
