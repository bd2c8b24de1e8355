import { DomainError } from '../errors/domain-error';
import { encodeId } from '../http/ids';
import type { StoredClaim } from './claim';

export class IdempotencyKeyReused extends DomainError {
  constructor({ resource, resourceId }: StoredClaim) {
    super({
      code: 'idempotency_key_reused',
      kind: 'unprocessable',
      title: 'Idempotency key used for another request',
      detail: `This key belongs to a different request, which made ${encodeId(resource, resourceId)}.`,
      resourceId: encodeId(resource, resourceId),
    });
  }
}

export class DuplicateReference extends DomainError {
  constructor({ resource, resourceId }: StoredClaim) {
    super({
      code: 'duplicate_reference',
      kind: 'conflict',
      title: 'Reference used before',
      detail: `This reference belongs to a different request, which made ${encodeId(resource, resourceId)}.`,
      param: '/reference',
      resourceId: encodeId(resource, resourceId),
    });
  }
}

/** The account demands that what moves money can be known again. */
export class IdempotencyKeyRequired extends DomainError {
  constructor() {
    super({
      code: 'idempotency_key_required',
      kind: 'malformed',
      title: 'Idempotency key required',
      detail:
        'This account takes requests that move money only with an Idempotency-Key header or a reference. Nothing was ' +
        'changed.',
    });
  }
}

/** The same without key and reference, less than two minutes ago: an impatient finger, or a retry without a key. */
export class LikelyDuplicate extends DomainError {
  constructor({ resource, resourceId }: Pick<StoredClaim, 'resource' | 'resourceId'>) {
    super({
      code: 'likely_duplicate',
      kind: 'conflict',
      title: 'Likely duplicate',
      detail:
        'The same was asked for within two minutes. Send allow_duplicate, a reference or an Idempotency-Key if it is ' +
        'meant.',
      resourceId: encodeId(resource, resourceId),
    });
  }
}
