import { ApiProperty } from '@nestjs/swagger';
import { OneOf, Text } from '../../../core/http/fields';
import { KINDS } from './kinds';

const MODES = ['test', 'live'] as const;
export type Mode = (typeof MODES)[number];

const QUERY_MAX = 128;

export class FindQuery {
  @OneOf(MODES)
  mode: Mode;

  @Text(QUERY_MAX)
  q: string;

  /** Only of this kind, and more of it. */
  @OneOf(KINDS.map(({ type }) => type), { optional: true })
  type?: string;
}

export class HitDto {
  id: string;
  /** The id of the thing on whose page it stands, where it has none of its own; null: its own, if it has one. */
  stands_with: string | null;
  title: string;
  subtitle: string | null;
  /** Minor units; of a wallet what is available. */
  amount: number | null;
  currency: string | null;
  status: string | null;
  created_at: Date;
  /** Of which mode it is: what has the whole id is also found in the other one. */
  @ApiProperty({ enum: MODES })
  mode: Mode;
}

/** What was found of one kind, newest first. */
export class HitsDto {
  /** `transaction`, `wallet`, … as in the field `object`. */
  type: string;
  data: HitDto[];
  /** There are others that match. */
  has_more: boolean;
}

/** Of what has very many rows only the newest were looked through for parts and amounts. */
export class LookedThroughDto {
  type: string;
  newest: number;
}

export class SearchAnswerDto {
  data: HitsDto[];
  looked_through: LookedThroughDto[];
  /** False: there was no time to look for parts and amounts. */
  complete: boolean;
}
