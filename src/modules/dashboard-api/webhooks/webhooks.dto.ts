import { ApiProperty } from '@nestjs/swagger';
import { encodeId } from '../../../core/http/ids';
import type { EndpointFigures, Figures, LastFailure, SpanFigures } from '../../webhooks/endpoint-figures.service';

export class FiguresDto {
  attempts: number;
  successful: number;
  /** Null where nothing was attempted. */
  p50_ms: number | null;
  p95_ms: number | null;

  static of(this: void, { attempts, successful, p50Ms, p95Ms }: Figures): FiguresDto {
    return { attempts, successful, p50_ms: p50Ms, p95_ms: p95Ms };
  }
}

export class SpanFiguresDto extends FiguresDto {
  from: Date;

  static ofSpan(this: void, { from, ...figures }: SpanFigures): SpanFiguresDto {
    return { from, ...FiguresDto.of(figures) };
  }
}

export class LastFailureDto {
  at: Date;
  delivery_id: string;
  /** 1 for the first. */
  number: number;
  code: string;
  http_status: number | null;
  duration_ms: number;
  response_body: string | null;

  static of(this: void, { deliveryId, httpStatus, durationMs, responseBody, ...failure }: LastFailure): LastFailureDto {
    return {
      at: failure.at,
      delivery_id: encodeId('dlv', deliveryId),
      number: failure.number,
      code: failure.code,
      http_status: httpStatus,
      duration_ms: durationMs,
      response_body: responseBody,
    };
  }
}

export class EndpointFiguresDto {
  all: FiguresDto;
  @ApiProperty({ type: [SpanFiguresDto] })
  spans: SpanFiguresDto[];
  last_failure: LastFailureDto | null;

  static from(this: void, { all, spans }: EndpointFigures, lastFailure: LastFailure | null): EndpointFiguresDto {
    return {
      all: FiguresDto.of(all),
      spans: spans.map(SpanFiguresDto.ofSpan),
      last_failure: lastFailure && LastFailureDto.of(lastFailure),
    };
  }
}
