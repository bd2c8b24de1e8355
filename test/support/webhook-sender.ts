import type { LookupAddress } from 'node:dns';
import { Env } from '../../src/core/config/env';
import { type Message, WebhookSender } from '../../src/modules/webhooks/delivery/webhook-sender.service';
import { UrlPolicy } from '../../src/modules/webhooks/endpoints/url-policy.service';
import { newKey } from '../../src/modules/webhooks/endpoint-secrets.service';
import type { PlannedLookup } from './plain-receivers';

export const KEYS = [newKey()];

export const messageOf = (fields: Partial<Message> = {}): Message => ({
  id: 'evt_01kabcdefghjkmnpqrstvwxyz0',
  type: 'transfer.successful',
  body: '{"object":"event","narration":"Ẹ káàbọ̀"}',
  secrets: KEYS,
  attempt: 1,
  traceparent: null,
  ...fields,
});

/** The sender and the policy of a process, without the process. */
export function senderWith({ allowPrivate = false, lookup }: { allowPrivate?: boolean; lookup?: PlannedLookup } = {}) {
  const env = Object.assign(new Env(), { WEBHOOK_ALLOW_PRIVATE_NETWORKS: allowPrivate });
  const policy = lookup ? new PlannedPolicy(env, lookup) : new UrlPolicy(env);
  const sender = new WebhookSender(policy);
  return { connections: sender, sender, policy };
}

/** Has the test answer for DNS. */
class PlannedPolicy extends UrlPolicy {
  constructor(
    env: Env,
    private readonly lookup: PlannedLookup,
  ) {
    super(env);
  }

  protected override resolve(name: string): Promise<LookupAddress[]> {
    return this.lookup.resolve(name);
  }
}
