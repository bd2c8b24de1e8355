import { ApiProperty } from '@nestjs/swagger';
import { OneOf, Text } from '../../core/http/fields';
import { OUTAGE_MODES, type OutageMode, type SettledAs, SETTLEMENTS } from '../purchases/sandbox/scenarios';

export class SettleTransactionDto {
  @OneOf(SETTLEMENTS, {
    description: 'What the operator says from now on. `reversed` takes a successful purchase back.',
  })
  status: SettledAs;
}

export class SetOutageDto {
  @Text(64, { example: 'sandbox', description: 'A name from `providers` of `GET /v4/sandbox/scenarios`.' })
  provider: string;

  @OneOf(OUTAGE_MODES, {
    description:
      '`down`: it does not answer and loses what it is sent; `slow`: what it is sent arrives, no answer comes back; `flaky`: down every other time; `none`: ends the outage.',
  })
  mode: OutageMode;
}

/** How a provider fares in your test mode. */
export class SandboxOutageDto {
  @ApiProperty({ enum: ['sandbox_outage'] })
  object: 'sandbox_outage';
  /** @example "sandbox" */
  provider: string;
  @ApiProperty({ enum: OUTAGE_MODES })
  mode: OutageMode;
  livemode: boolean;
}
