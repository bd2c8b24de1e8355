import type { Check } from '../../core/database/checks';
import { HAS_NO_DELIVERY, IS_FOR } from './delivery/relay.service';

/** Later than a relay that works leaves an event, within the days that are looked at. */
const OWED_TOO_LONG = `
  e.id < uuid_v7_floor(now() - interval '15 minutes') AND e.id >= uuid_v7_floor(now() - interval '3 days')`;

/** Events that an endpoint was to be told of, listening then as it does now, and was not. */
const OWED = `
  SELECT e.id AS event_id, e.type, w.id AS endpoint_id, e.xact, r.xact AS relay_position
    FROM events e JOIN webhook_endpoints w ON ${IS_FOR} CROSS JOIN relay_position r
   WHERE r.name = 'webhooks' AND ${OWED_TOO_LONG} AND e.id >= uuid_v7_floor(w.updated_at) AND ${HAS_NO_DELIVERY}`;

/** What must hold between events and the endpoints that are told of them. */
export const WEBHOOK_CHECKS: readonly Check[] = [{ name: 'events_have_deliveries', violations: OWED }];
