import { Env } from '../../src/core/config/env';
import { Connections, type Message, WebhookSender } from '../../src/modules/webhooks/delivery/webhook-sender.service';
import { HostLookup, UrlPolicy } from '../../src/modules/webhooks/endpoints/url-policy.service';
import { newKey } from '../../src/modules/webhooks/endpoint-secrets.service';

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
export function senderWith({ allowPrivate = false, lookup = new HostLookup() } = {}) {
  const env = Object.assign(new Env(), { WEBHOOK_ALLOW_PRIVATE_NETWORKS: allowPrivate });
  const connections = new Connections(lookup);
  return { connections, sender: new WebhookSender(env, connections), policy: new UrlPolicy(env, lookup) };
}
