import { Client, type DukaOptions } from './client.js';
import { Resources } from './generated/resources.gen.js';

/** A client of the service: `new Duka({ apiKey, baseUrl })`. */
export class Duka extends Resources {
  constructor(options: DukaOptions) {
    super(new Client(options));
  }
}

export type { CallOptions, DukaOptions, DryRun, WaitOptions } from './client.js';
export { type Code, DukaConnectionError, DukaError, DukaTimeoutError } from './errors.js';
export type { ErrorCode } from './generated/resources.gen.js';
export type * from './generated/types.gen.js';
export type { Page, Pages } from './pages.js';
export {
  EventOrder,
  isNewer,
  signWebhook,
  verifyWebhook,
  type VerifyOptions,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhooks.js';
