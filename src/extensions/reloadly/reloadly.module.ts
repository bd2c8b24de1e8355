import { Module } from '@nestjs/common';
import { ReloadlyAirtime, ReloadlyData } from './reloadly';

/** Airtime and data through Reloadly. */
@Module({ providers: [ReloadlyAirtime, ReloadlyData] })
export class ReloadlyModule {}
