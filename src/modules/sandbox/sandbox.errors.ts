import { DomainError } from '../../core/errors/domain-error';
import { encodeId } from '../../core/http/ids';

/** The operator of the sandbox holds nothing that could be settled so. */
export class NothingToSettle extends DomainError {
  constructor({ id, type, status }: { id: string; type: string; status: string }, as: string) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      detail:
        `${encodeId('txn', id)} is a ${type} that is ${status}: it cannot be settled as ${as}. A purchase at a sandbox ` +
        'provider can: as successful or failed while it is processing, as reversed once it is successful.',
      resourceId: encodeId('txn', id),
    });
  }
}

/** The account has nothing that a sample event could be about. */
export class NothingToTrigger extends DomainError {
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

/** A simulation lacks what its kind needs. */
export class MissingField extends DomainError {
  constructor(field: string, kind: string) {
    const [param, detail] = [`/${field}`, `${field} is required for a simulated ${kind}.`];
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Invalid request',
      detail,
      param,
      errors: [{ param, code: 'validation_failed', detail }],
    });
  }
}
