import { Module } from '@nestjs/common';
import { SmileIdentities } from './smileid';

/** Who people are, by Smile ID. */
@Module({ providers: [SmileIdentities] })
export class SmileIdModule {}
