import { Injectable } from '@nestjs/common';
import { DomainError } from '../../core/errors/domain-error';
import { UnitOfWork } from '../../core/database/unit-of-work';
import type { Caller } from '../../core/http/caller';
import { newIdOf } from '../../core/http/ids';
import type { RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { EventLog } from '../../core/outbox/event-log';
import { type EventType, objectPrefixOf } from '../../vocabulary/event-types';
import { type NewEvent, sampleEventWrite } from '../../core/outbox/outbox';
import { Resources } from '../../core/resources/resources';
import samples from './sample-events.json';

/** The account has nothing that a sample event could be about. */
class NothingToTrigger extends DomainError {
  constructor(type: string) {
    super({
      code: 'nothing_to_trigger',
      kind: 'conflict',
      title: 'Nothing to trigger',
      detail:
        `Your test mode has nothing yet that ${type} could be about. ` +
        'Samples are about things that exist: make one first.',
      recovery: 'caller_must_fix',
    });
  }
}

/** What a status becomes; a type that is missing leaves it. */
const STATUSES: Readonly<Record<string, string>> = samples;

/** A sample that was made now, or by an earlier request with the same key. */
export interface Sample {
  readonly id: string;
  readonly isReplay: boolean;
}

/** Makes events of what did not happen, about things that exist: to see what a receiver does with them. */
@Injectable()
export class SamplesService {
  constructor(
    private readonly log: EventLog,
    private readonly resources: Resources,
    private readonly idempotency: Idempotency,
    private readonly uow: UnitOfWork,
  ) {}

  /** Throws `InsufficientScope`, `NothingToTrigger`, `IdempotencyKeyReused`. */
  async trigger(caller: Caller, type: EventType, request: RequestClaim): Promise<Sample> {
    this.resources.requireReadable(caller, objectPrefixOf(type));
    const { accountId, livemode } = caller;
    const id = newIdOf(accountId);
    const claim = { accountId, livemode, ...request, reference: null, resource: 'evt', resourceId: id } as const;
    const earlier = await this.idempotency.replayOf(claim);
    if (earlier !== null) return { id: earlier.resourceId, isReplay: true };
    const write = sampleEventWrite(await this.sampleOf(caller, type, request.key), id);
    const replay = await this.idempotency.once(claim, (tx) => this.uow.write(tx, [write]));
    return { id: replay?.resourceId ?? id, isReplay: replay !== null };
  }

  private async sampleOf(caller: Caller, type: EventType, idempotencyKey: string | null): Promise<NewEvent> {
    const { accountId, livemode, requestId } = caller;
    const like = await this.log.newestAbout(caller, objectPrefixOf(type), type);
    if (like === null) throw new NothingToTrigger(type);
    const status = STATUSES[type];
    const field = like.objectType === 'cus' ? 'kyc_status' : 'status';
    const snapshot = { ...(like.type === type && like.snapshot), ...(status !== undefined && { [field]: status }) };
    return {
      accountId,
      livemode,
      type,
      objectType: like.objectType,
      objectId: like.objectId,
      snapshot,
      origin: { requestId, idempotencyKey },
    };
  }
}
