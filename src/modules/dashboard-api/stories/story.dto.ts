import { ApiProperty } from '@nestjs/swagger';
import { RequestExchangeDto } from '../../request-logs/request-log.dto';

/** What kinds of steps a story has. */
const STEP_KINDS = [
  'request',
  'made',
  'ledger',
  'provider',
  'decision',
  'card',
  'ended',
  'event',
  'delivery',
  'reveal',
] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export const ACTOR_TYPES = ['key', 'person', 'provider', 'endpoint', 'platform'] as const;

/** Who acted. */
export class StoryActorDto {
  /** `platform`: the service by itself, or somebody who looks after it. */
  @ApiProperty({ enum: ACTOR_TYPES })
  type: (typeof ACTOR_TYPES)[number];
  id: string | null;
  name: string | null;
}

/** An amount with its name. */
export class StoryAmountDto {
  /** @example "fee" */
  name: string;
  /** Minor units; signed. */
  amount: number;
  currency: string;
  amount_display: string;
}

/** Something worth saying of a step. */
export class StoryFactDto {
  name: string;
  value: string;
}

/** What a step moved in the account's own books. */
export class StoryLineDto {
  id: string;
  wallet_id: string | null;
  card_id: string | null;
  @ApiProperty({ enum: ['available', 'held'] })
  bucket: 'available' | 'held';
  /** Signed minor units. */
  amount: number;
  balance_after: number;
  currency: string;
}

/** What a receiver of webhooks answered. */
export class StoryAnswerDto {
  url: string;
  /** Null: there was none. */
  status: number | null;
  /** `ok`, or why it failed. */
  code: string;
  duration_ms: number;
  /** Its beginning, without secrets. */
  body: string | null;
}

/** One step of a story. */
export class StoryStepDto {
  /** The end of its address: `#evt_…`. */
  id: string;
  @ApiProperty({ enum: STEP_KINDS })
  kind: StepKind;
  at: Date;
  /** For people. */
  title: string;
  /** A word for a badge. */
  status: string | null;
  /** Id of what it is about. */
  about: string | null;
  @ApiProperty({ type: StoryActorDto, nullable: true })
  actor: StoryActorDto | null;
  /** Ids that it leads to. */
  links: string[];
  @ApiProperty({ type: [StoryAmountDto] })
  amounts: StoryAmountDto[];
  @ApiProperty({ type: [StoryFactDto] })
  facts: StoryFactDto[];
  @ApiProperty({ type: [StoryLineDto] })
  lines: StoryLineDto[];
  @ApiProperty({ type: RequestExchangeDto, nullable: true })
  request: RequestExchangeDto | null;
  @ApiProperty({ type: StoryAnswerDto, nullable: true })
  answer: StoryAnswerDto | null;
  /** It is, or is about, what was asked for. */
  current: boolean;
}

/** What happened around one id, oldest first. */
export class StoryDto {
  id: string;
  @ApiProperty({ type: [StoryStepDto], maxItems: 200 })
  steps: StoryStepDto[];
  /** With those that are left out. */
  total: number;
  /** Ids of all that it is about. */
  about: string[];
  /** Kinds of steps that the reader's role does not see. */
  @ApiProperty({ enum: STEP_KINDS, isArray: true })
  hidden: StepKind[];
}

/** A line of a receipt. */
export class ReceiptLineDto {
  name: string;
  value: string;
}

/** What a receipt says, for people. */
export class ReceiptDto {
  id: string;
  livemode: boolean;
  /** Name of the account. */
  account: string;
  /** What it was. */
  title: string;
  status: string;
  @ApiProperty({ type: [ReceiptLineDto] })
  lines: ReceiptLineDto[];
  /** Meter tokens or PINs came with it; they are not on it unless they are revealed. */
  has_secrets: boolean;
}
