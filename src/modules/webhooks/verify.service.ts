import type { Check } from '../../core/database/checks';
import { OWED } from './relay.queries';

/** What must hold between events and the endpoints that are told of them. */
export const WEBHOOK_CHECKS: readonly Check[] = [{ name: 'events_have_deliveries', violations: OWED }];
