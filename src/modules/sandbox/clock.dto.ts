import { ApiProperty } from '@nestjs/swagger';
import { field } from '../../core/http/fields';

const YEAR_SECONDS = 31_536_000;

export class AdvanceClockDto {
  @field(
    {
      type: 'integer',
      minimum: 1,
      maximum: YEAR_SECONDS,
      example: 20,
      description: 'How far the clock moves. Only `POST /v4/sandbox/reset` moves it back.',
    },
    [{ name: 'seconds', says: `must be a whole number from 1 to ${YEAR_SECONDS}`, holds: isAdvance }],
  )
  seconds: number;
}

function isAdvance(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= YEAR_SECONDS;
}

/** The account's clock in test mode: requeries, delays, expiries and `deliver_by` go by it. */
export class SandboxClockDto {
  @ApiProperty({ enum: ['sandbox_clock'] })
  object: 'sandbox_clock';
  now: Date;
  /** How far it is ahead of the time. @example 20 */
  offset_seconds: number;
  livemode: boolean;

  static of(offsetMs: number): SandboxClockDto {
    return {
      object: 'sandbox_clock',
      now: new Date(Date.now() + offsetMs),
      offset_seconds: Math.floor(offsetMs / 1_000),
      livemode: false,
    };
  }
}
