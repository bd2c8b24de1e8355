import { Module } from '@nestjs/common';
import { DtoneAirtime, DtoneData } from './dtone';

/** Airtime and data abroad through DT One. */
@Module({ providers: [DtoneAirtime, DtoneData] })
export class DtoneModule {}
