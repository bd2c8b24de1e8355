import type { ServerResponse } from 'node:http';
import { send } from '../pretended';

/** Codes of errors with their status and what they say. */
const ERRORS = {
  1000400: [400, 'Bad Request'],
  1000401: [401, 'Unauthorized'],
  1000404: [404, 'Resource not found'],
  1000429: [429, 'Too many requests'],
  1003001: [404, 'Product is not available in your account'],
  1003002: [400, 'Requested product amount is out of range'],
  1003003: [400, 'Requested product unit is invalid'],
  1005003: [400, 'Credit party mobile number is invalid'],
  1006001: [400, 'Insufficient balance'],
  1006009: [404, 'Account balance not found'],
  1007001: [400, 'Transaction external ID has already been used'],
  1007002: [400, 'Transaction has already been confirmed'],
  1007004: [400, 'Transaction can no longer be confirmed'],
  1007005: [400, 'Transaction has already been cancelled'],
  1007007: [400, 'Transaction can no longer be cancelled'],
  1008004: [404, 'Transaction not found'],
} as const;
export type ErrorCode = keyof typeof ERRORS;

export function fail(response: ServerResponse, code: ErrorCode): void {
  const [status, message] = ERRORS[code];
  send(response, status, { errors: [{ code, message }] });
}
